import assert from 'node:assert/strict';
import { applyChange, closed, paidBy, without, type Change, type Winner } from './change.ts';
import { acceptedAt, at, attempt, DAY, published, raised, some, T0 } from './fixture.ts';
import type { Attempt } from './model.ts';
import { atomic, ZERO } from '../money.ts';

const change = (attempts: readonly Attempt[], more: Partial<Change> = {}): Change => ({
  task: published().task,
  attempts,
  events: [],
  ...more,
});
const waits = (id: string): Attempt => attempt({ id, state: 'waiting', deliveredAt: T0 });

describe('a change', () => {
  it('replaces the attempts that it names and keeps the others', () => {
    const before = { ...published(), live: [waits('a'), waits('b')] };
    const next = attempt({ id: 'a' });
    const after = applyChange(before, change([next, attempt({ id: 'c' })]));
    assert.deepEqual(after, {
      task: before.task,
      live: [waits('b'), next, attempt({ id: 'c' })],
    });
  });

  it('ends the attempts that are neither claimed, nor waiting, nor the accepted one', () => {
    const live = (...attempts: readonly Attempt[]) => {
      const { task } = acceptedAt(T0, DAY);
      const after = applyChange(published(), change(attempts, { task }));
      return after.live.map(({ id }) => id);
    };
    const states = ['announced', 'refused', 'rejected', 'failed', 'lapsed', 'superseded'] as const;
    for (const state of states) assert.deepEqual(live(attempt({ id: 'x', state })), [], state);
    const other = attempt({ id: 'x', state: 'accepted' });
    const won = attempt({ state: 'accepted' });
    assert.deepEqual(live(other, won), ['attempt']);
    assert.deepEqual(live(attempt({ id: 'c' }), waits('w')), ['c', 'w']);
    const unaccepted = applyChange(published(), change([won]));
    assert.deepEqual(unaccepted.live, []);
  });

  it('keeps the dispute of the task, or replaces it', () => {
    const before = raised();
    const dispute = { ...some(before.dispute), reason: 'another' };
    assert.equal(applyChange(before, change([])).dispute, before.dispute);
    assert.equal(applyChange(before, change([], { dispute })).dispute, dispute);
    assert.ok(!('dispute' in applyChange(published(), change([]))));
  });

  it('pays the attempts that its step of money names', () => {
    const one = attempt({ state: 'accepted' });
    const winner: Winner = { ...one, place: 1, shareBps: 10_000, award: atomic(5n) };
    assert.deepEqual(paidBy({ step: 'share', winners: [winner], rest: ZERO }), [winner]);
    assert.deepEqual(paidBy({ step: 'reserve', attempt: one }), [one]);
    assert.deepEqual(paidBy({ step: 'release', from: 'task', attempt: one }), [one]);
    for (const step of [{ step: 'escrow' }, { step: 'refund' }, undefined] as const) {
      assert.deepEqual(paidBy(step), []);
    }
  });
});

describe('an attempt that is over', () => {
  it('has no token, and its reason if there is one', () => {
    const mine = attempt({ claimToken: 'secret', tokenKey: 'key', leaseEndsAt: at(9) });
    const { claimToken: _, tokenKey: _key, ...kept } = mine;
    const end = { ...kept, state: 'lapsed', endedAt: at(9) };
    assert.deepEqual(closed(mine, 'lapsed', at(9)), end);
    assert.deepEqual(closed(mine, 'lapsed', at(9), 'late'), { ...end, reason: 'late' });
  });

  it('leaves fields out and never undefined', () => {
    assert.deepEqual(without({ a: 1, b: 2, c: 3 }, 'a', 'c'), { b: 2 });
  });
});
