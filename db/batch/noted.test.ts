import assert from 'node:assert/strict';
import { person } from '../../conformance/ledger/book.ts';
import { instant } from '../../domain/instant.ts';
import type { NotedEvent } from '../noted.ts';
import { NOTED_OBJECTS, notedEffects } from './noted.ts';

const [HEADS, EVENTS] = NOTED_OBJECTS;

describe('noted events', () => {
  const [one, other] = [person(), person()].sort().reverse();
  assert.ok(one !== undefined && other !== undefined);
  const event = (account: NotedEvent['account'], more: Partial<NotedEvent> = {}): NotedEvent => ({
    account,
    at: instant(7),
    kind: 'task.claimed',
    subjectId: 't1',
    ...more,
  });

  it('are stored below the heads of their accounts, which are locked in one order', () => {
    const whole = { attemptId: 'a1', ref: 'r1', state: 'claimed', actor: other };
    const effects = notedEffects([
      event(one),
      event(other, whole),
      event(one, { subjectId: 't2' }),
    ]);
    assert.deepEqual(effects, [
      {
        name: HEADS.name,
        rows: [
          [other, 1],
          [one, 2],
        ],
      },
      {
        name: EVENTS.name,
        rows: [
          [one, 1, 7, 'task.claimed', 't1', null, null, null, null],
          [other, 0, 7, 'task.claimed', 't1', 'a1', 'r1', 'claimed', other],
          [one, 0, 7, 'task.claimed', 't2', null, null, null, null],
        ],
      },
    ]);
  });

  it('write nothing where there are none', () => {
    assert.deepEqual(notedEffects([]), []);
  });
});
