import assert from 'node:assert/strict';
import { atomic } from '../money.ts';
import { award, candidates, divideUndecided, firstWinners } from './award.ts';
import {
  at,
  DAY,
  entered,
  must,
  offered,
  PLACES,
  REQUESTER,
  T0,
  winnersOf,
  WORKER,
} from './fixture.ts';
import type { TaskAggregate } from './model.ts';

const SPLIT = { shares: { split: true } };
const LATE = at(8 * DAY);
const parts = (aggregate: TaskAggregate, now = LATE) => {
  const money = divideUndecided(aggregate, new Map(), now)?.money;
  assert.ok(money?.step === 'share');
  return [money.winners.map(({ id, award: part }) => [id, part]), money.rest];
};

describe('a divided reward', () => {
  it('is paid at once, and its history says who won in the order of places', () => {
    const aggregate = entered(4);
    const winners = winnersOf(aggregate, 1, 0, 2);
    const change = must(award(aggregate, REQUESTER, { winners, groups: new Map() }, at(60)));
    const now = at(60);
    const won = (nth: number, place: number, shareBps: number, part: bigint) => {
      const { tokenKey: _, ...attempt } = aggregate.live[nth] ?? assert.fail();
      return { ...attempt, state: 'accepted', endedAt: now, place, shareBps, award: part };
    };
    const three = [
      won(1, 1, 6_000, 600_000n),
      won(0, 2, 3_000, 300_000n),
      won(2, 3, 1_000, 100_000n),
    ];
    const other = {
      ...aggregate.live[3],
      state: 'superseded',
      endedAt: now,
      reason: 'other results were accepted',
    };
    const accepted = {
      at: now,
      event: 'task.accepted',
      actor: REQUESTER,
      state: 'accepted',
    };
    const paid = { at: now, event: 'task.paid', state: 'paid' };
    assert.deepEqual(change, {
      task: {
        ...aggregate.task,
        state: 'paid',
        accepted: { attemptId: 'a1', at: now, payoutAt: now },
      },
      attempts: [...three, other],
      events: [
        ...['a1', 'a0', 'a2'].map((attemptId) => ({ ...accepted, attemptId })),
        ...['a1', 'a0', 'a2'].map((attemptId) => ({ ...paid, attemptId })),
      ],
      money: { step: 'share', winners: three, rest: 0n },
    });
  });
});

describe('the silence of a requester', () => {
  it('gives the places to the first results, and the rest back', () => {
    const [one, two] = [
      ['a0', 600_000n],
      ['a1', 300_000n],
    ];
    assert.deepEqual(parts(entered(1)), [[one], 400_000n]);
    assert.deepEqual(parts(entered(2)), [[one, two], 100_000n]);
    assert.deepEqual(parts(entered(5)), [[one, two, ['a2', 100_000n]], 0n]);
    assert.equal(divideUndecided(entered(0), new Map(), LATE), undefined);
  });

  it('divides what has no places in parts that are equal to the unit, the odd units to the first', () => {
    const seven = parts(entered(7, SPLIT));
    const amounts = [142_858n, 142_857n, 142_857n, 142_857n, 142_857n, 142_857n, 142_857n];
    assert.deepEqual(seven, [amounts.map((amount, nth) => [`a${nth}`, amount]), 0n]);
    for (const [reward, count] of [
      [400_000_000n, 3],
      [400_000_001n, 3],
      [999_999_999_999n, 20],
      [1_000_003n, 19],
      [100_000_000n, 1],
      [123_456_789n, 11],
    ] as const) {
      const [won, rest] = parts(entered(count, { ...SPLIT, rewardAmount: atomic(reward) }));
      const each = (won as [string, bigint][]).map(([, amount]) => amount);
      const [first = 0n, last = 0n] = [each[0], each.at(-1)];
      assert.ok(first - last <= 1n && first >= last, `${reward} among ${count}`);
      assert.deepEqual([each.reduce((sum, amount) => sum + amount, 0n), rest], [reward, 0n]);
      assert.deepEqual([...each].sort().reverse(), each, 'the odd units go to the first places');
    }
  });

  it('pays at most twenty, each at least the least reward', () => {
    const winners = (count: number, rewardAmount: bigint) =>
      parts(entered(count, { ...SPLIT, rewardAmount: atomic(rewardAmount) }))[0];
    const of = (list: ReturnType<typeof winners>) => Array.isArray(list) && list.length;
    assert.equal(of(winners(21, 1_000_000n)), 20);
    assert.equal(of(winners(20, 1_000_000n)), 20);
    assert.equal(of(winners(7, 5_999n)), 5);
    assert.equal(of(winners(7, 6_000n)), 6);
  });

  it('is in the history as an acceptance without an actor', () => {
    const change = divideUndecided(entered(1), new Map(), LATE);
    assert.deepEqual(change?.events, [
      { at: LATE, event: 'task.auto-accepted', state: 'accepted', attemptId: 'a0' },
      { at: LATE, event: 'task.paid', state: 'paid', attemptId: 'a0' },
    ]);
  });

  it('divides nothing on a task with one winner', () => {
    assert.equal(divideUndecided(offered([WORKER]), new Map(), LATE), undefined);
  });

  it('looks at the first hundred results', () => {
    const ids = candidates(entered(101, SPLIT)).map(({ id }) => id);
    assert.deepEqual([ids.length, ids[0], ids[99]], [100, 'a0', 'a99']);
  });
});

describe('the winners that the requester may name next', () => {
  const named = (aggregate: TaskAggregate, now = T0) =>
    firstWinners(aggregate, now).map(({ solution, bps }) => [solution.id, bps]);

  it('are the first results, with equal parts where there are no places', () => {
    assert.deepEqual(named(entered(4)), [
      ['a0', undefined],
      ['a1', undefined],
      ['a2', undefined],
    ]);
    const equal = [
      ['a0', 3_334],
      ['a1', 3_333],
      ['a2', 3_333],
    ];
    assert.deepEqual(named(entered(3, SPLIT)), equal);
    assert.equal(named(entered(7, { ...SPLIT, rewardAmount: atomic(5_000n) })).length, 5);
  });

  it('are none where a call with them is refused', () => {
    assert.deepEqual(named(entered(0)), []);
    assert.deepEqual(named(entered(0, SPLIT)), []);
    assert.deepEqual(named(offered([WORKER])), []);
    assert.deepEqual(named(entered(2, PLACES)), [], 'a place stays empty before the deadline');
    assert.deepEqual(named(entered(2, PLACES), LATE).length, 2);
  });
});
