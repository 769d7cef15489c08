import assert from 'node:assert/strict';
import { linesOf, turnAfter } from './replay.ts';

const payouts = (count: number) =>
  Array.from({ length: count }, (_, nth) => ({
    transferId: `t${nth}`,
    to: 'key:a',
    net: '1',
    at: '2026-01-01T00:00:00.000Z',
    reason: 'task.reward' as const,
  }));

describe('the ticker of the first page', () => {
  it('replays the starter task while nothing was paid, and payouts from the first one on', () => {
    assert.deepEqual(
      linesOf([], 3).map((line) => line.is === 'step' && line.step),
      [0, 1, 2],
    );
    const [only, ...others] = linesOf(payouts(1), 3);
    assert.ok(only?.is === 'paid' && only.payout.transferId === 't0');
    assert.deepEqual(others, []);
  });

  it('goes round the newest eight payouts', () => {
    const lines = linesOf(payouts(30), 3);
    assert.equal(lines.length, 8);
    const turns = [0];
    for (let pass = 0; pass < 9; pass += 1) turns.push(turnAfter(turns.at(-1) ?? 0, 8, false));
    assert.deepEqual(turns, [0, 1, 2, 3, 4, 5, 6, 7, 0, 1]);
  });

  it('shows a new payout at once, and survives a list that became empty or shorter', () => {
    assert.equal(turnAfter(5, 8, true), 0);
    assert.equal(turnAfter(7, 0, false), 0);
    assert.equal(turnAfter(7, 3, false), 2);
  });
});
