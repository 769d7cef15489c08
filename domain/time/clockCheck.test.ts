import assert from 'node:assert/strict';
import { judgeClock, type ClockReading } from './clockCheck.ts';

const reading = (
  kind: ClockReading['kind'],
  aheadMs: number,
  errorMs = 0,
  reference: string = kind,
): ClockReading => ({ kind, reference, aheadMs, errorMs });
const peer = (host: string, aheadMs: number): ClockReading => reading('peer', aheadMs, 500, host);
const MINUTES = 60_000;

describe('judgeClock', () => {
  const cases: readonly (readonly [string, string, readonly ClockReading[]])[] = [
    ['right', 'nothing to compare with', []],
    ['right', 'a database that differs by two seconds', [reading('database', 2_000)]],
    ['off', 'a database that differs by more', [reading('database', 2_001)]],
    ['off', 'a database that is ahead by 30 seconds', [reading('database', -30_000)]],
    ['wrong', 'a database that is ahead by more', [reading('database', -30_001)]],
    ['wrong', 'a file system of another time', [reading('files', 10 * MINUTES)]],
    ['right', 'a difference that a slow answer explains', [reading('database', 40_000, 39_000)]],
    ['off', 'one peer of another time', [peer('a', 10 * MINUTES)]],
    ['wrong', 'two peers that agree', [peer('a', 10 * MINUTES), peer('b', 11 * MINUTES)]],
    ['off', 'two peers that contradict', [peer('a', 10 * MINUTES), peer('b', -10 * MINUTES)]],
    ['off', 'two of four', [peer('a', 9e5), peer('b', 9e5), peer('c', 0), peer('d', 0)]],
    ['wrong', 'a newest pulse of the future', [reading('pulse', -10 * MINUTES)]],
    [
      'off',
      'a newest pulse of the future, while the database confirms this clock',
      [reading('pulse', -10 * MINUTES), reading('database', 3)],
    ],
    [
      'wrong',
      'a newest pulse of the future, while only the file system of this machine agrees',
      [reading('pulse', -10 * MINUTES), reading('files', 0)],
    ],
  ];
  for (const [state, title, readings] of cases) {
    it(`finds it ${state} for ${title}`, () => {
      assert.equal(judgeClock(readings).state, state);
    });
  }

  it('names the references that differ, and which way', () => {
    const { text } = judgeClock([
      reading('database', 600_000),
      peer('api.example', -4_000),
      reading('files', 0),
    ]);
    assert.equal(text, '600 s ahead of database, 4 s behind api.example');
  });
});
