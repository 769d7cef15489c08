import { strict as assert } from 'node:assert';
import { plus, seconds } from '../instant.ts';
import { atomic } from '../money.ts';
import { amendmentState, type Amended } from './amendment.ts';
import type { Amendment } from './agreement.ts';
import { answer, propose, type Proposal } from './amend.ts';
import { applyChange, isRefused, type Refused } from './change.ts';
import { at, DAY, delivered, held, HOUR, must, offered, published, RIVAL } from './fixture.ts';
import { raised, REQUESTER, seated, T0, WORKER } from './fixture.ts';
import { claimed, type TaskAggregate } from './model.ts';
import { partedPlan } from './plan.ts';

type Asked = Omit<Proposal, 'id'>;
const reward = (amount: bigint): Asked => ({ change: { rewardAmount: atomic(amount) } });
const split = (worker: bigint, refund: bigint): Asked => ({
  split: { workerAmount: atomic(worker), refundAmount: atomic(refund) },
});
const CLARIFIED: Asked = { change: { clarification: 'Without tax.' } };

const ask = (aggregate: TaskAggregate, by: typeof WORKER, asked: Asked): Amended | Refused =>
  propose(aggregate, by, { id: 'amendment', ...asked }, at(10));
const word = (
  aggregate: TaskAggregate,
  by: typeof WORKER,
  amendment: Amendment,
  reply: 'accept' | 'refuse' | 'withdraw' = 'accept',
): Amended | Refused => answer(aggregate, by, { amendment, word: reply }, at(20));

/** One line for each decision: the state of the proposal, of the task, and the money step. */
function says(decision: Amended | Refused): string {
  if (isRefused(decision)) return decision.refused;
  const { money, amendment, task } = decision;
  return `${amendment.state} ${task.state} ${task.terms.revision} ${money?.step ?? '-'}`;
}

describe('a change of terms', () => {
  it('is the requester’s own while the task is free, or while the worker only gains', () => {
    assert.equal(says(ask(published(), REQUESTER, reward(2_000_000n))), 'applied open 2 raise');
    assert.equal(says(ask(published(), REQUESTER, reward(500_000n))), 'applied open 2 lower');
    assert.equal(says(ask(published(), REQUESTER, CLARIFIED)), 'applied open 2 -');
    assert.equal(says(ask(held(), REQUESTER, reward(2_000_000n))), 'applied held 2 raise');
    const later = { change: { deadline: plus(T0, seconds(20 * DAY)) } };
    assert.equal(says(ask(held(), REQUESTER, later)), 'applied held 2 -');
    const longer = { change: { leaseSeconds: HOUR, renewForSeconds: 5 * HOUR } };
    assert.equal(says(ask(held(), REQUESTER, longer)), 'applied held 2 -');
  });

  it('is a proposal whenever the worker could lose by it, and of the worker always', () => {
    const worse: readonly Asked[] = [
      reward(999_999n),
      CLARIFIED,
      { change: { deadline: plus(T0, seconds(2 * DAY)) } },
      { change: { leaseSeconds: 60 } },
      { change: { renewForSeconds: 2 * HOUR - 1 } },
    ];
    for (const asked of worse) {
      assert.equal(says(ask(held(), REQUESTER, asked)), 'proposed held 1 -');
    }
    assert.equal(says(ask(held(), WORKER, reward(3_000_000n))), 'proposed held 1 -');
    assert.equal(says(ask(held(), RIVAL, reward(3_000_000n))), 'not-a-party');
    assert.equal(says(ask(published(), WORKER, reward(3_000_000n))), 'not-a-party');
  });

  it('never mixes a raise with what needs consent: the raise is signed by its payer', () => {
    const both = { change: { rewardAmount: atomic(2_000_000n), clarification: 'More.' } };
    assert.equal(says(ask(held(), REQUESTER, both)), 'not-together');
    assert.equal(says(ask(held(), WORKER, both)), 'proposed held 1 -', 'the payer accepts it');
  });

  it('betters open tasks alone, and leaves those on which results wait', () => {
    const open = published({ mode: 'open' });
    assert.equal(says(ask(open, REQUESTER, reward(2_000_000n))), 'applied open 2 raise');
    assert.equal(says(ask(open, REQUESTER, reward(999_000n))), 'wrong-mode');
    assert.equal(says(ask(open, REQUESTER, CLARIFIED)), 'wrong-mode');
    const later = { change: { deadline: plus(T0, seconds(80 * DAY)) } };
    assert.equal(says(ask(offered([WORKER]), REQUESTER, later)), 'solutions-pending');
    assert.equal(says(ask(delivered(), REQUESTER, later)), 'solutions-pending');
  });

  it('is accepted by the other party alone, and the claim takes the new digest', () => {
    const task = held();
    const { amendment } = must(ask(task, REQUESTER, reward(400_000n)));
    assert.equal(says(word(task, REQUESTER, amendment)), 'not-a-party');
    assert.equal(says(word(task, RIVAL, amendment)), 'not-a-party');
    assert.equal(says(word(task, WORKER, amendment, 'withdraw')), 'not-a-party');
    const change = must(word(task, WORKER, amendment));
    assert.equal(says(change), 'applied held 2 lower');
    const after = applyChange(task, change);
    assert.equal(claimed(after)?.termsDigest, after.task.terms.digest);
    assert.equal(change.amendment.digest, after.task.terms.digest);
    assert.equal(says(word(after, WORKER, change.amendment)), 'decided');
  });

  it('lapses with the revision, the state and the claim that it was made on', () => {
    const task = held();
    const { amendment } = must(ask(task, REQUESTER, reward(400_000n)));
    const raise = must(ask(task, REQUESTER, reward(2_000_000n)));
    const moved = applyChange(task, raise);
    assert.equal(says(word(moved, WORKER, amendment)), 'wrong-state');
    assert.equal(amendmentState(amendment, moved), 'lapsed');
    const other = { ...task, live: task.live.map((each) => ({ ...each, id: 'another' })) };
    assert.equal(says(word(other, WORKER, amendment)), 'wrong-state');
    const parted = must(ask(held(), WORKER, split(300_000n, 700_000n))).amendment;
    assert.equal(
      says(word(raised(), REQUESTER, parted)),
      'wrong-state',
      'a dispute is another state',
    );
    const old = answer(task, WORKER, { amendment, word: 'accept', revision: 2 }, at(20));
    assert.equal(says(old), 'wrong-state');
  });

  it('lets a longer lease begin at once, and no lease outlive its deadline', () => {
    const task = held();
    const days = { leaseSeconds: 6 * HOUR, renewForSeconds: DAY };
    const longer = must(ask(task, REQUESTER, { change: days }));
    assert.equal(claimed(applyChange(task, longer))?.leaseEndsAt, at(10 + 6 * HOUR));
    const shorter = must(ask(task, WORKER, { change: { deadline: at(900) } }));
    const agreed = must(word(task, REQUESTER, shorter.amendment));
    assert.equal(claimed(applyChange(task, agreed))?.leaseEndsAt, at(900));
    const tooLong = { change: { leaseSeconds: 8 * DAY } };
    assert.equal(says(ask(task, REQUESTER, tooLong)), 'deadline');
  });

  it('extends the deadline however near it is, although the agreed lease is longer', () => {
    const lease = { leaseSeconds: seconds(DAY), renewForSeconds: seconds(9 * DAY) };
    const { task, ...more } = held();
    const near = { task: { ...task, lease, deadline: at(HOUR) }, ...more };
    const by = (over: NonNullable<Asked['change']>): string =>
      says(ask(near, REQUESTER, { change: over }));
    assert.equal(by({ deadline: at(10 * HOUR) }), 'applied held 2 -');
    assert.equal(by({ renewForSeconds: 10 * DAY }), 'applied held 2 -');
    assert.equal(by({ renewForSeconds: DAY - 1 }), 'not-together');
    assert.equal(by({ leaseSeconds: DAY + 1 }), 'deadline');
  });

  it('is a change: the same terms are no next revision, on which proposals would lapse', () => {
    const { task } = held();
    const { deadline } = task;
    for (const change of [
      { rewardAmount: task.reward?.amount ?? assert.fail() },
      { deadline },
      { deadline: plus(deadline, seconds(0)), leaseSeconds: 1_800 },
      { renewForSeconds: 2 * HOUR },
    ]) {
      assert.equal(says(ask(held(), REQUESTER, { change })), 'wrong-state');
      assert.equal(says(ask(held(), WORKER, { change })), 'wrong-state');
    }
    const longer = { deadline, leaseSeconds: 1_801 };
    assert.equal(says(ask(held(), REQUESTER, { change: longer })), 'applied held 2 -');
  });

  it('is bounded: fifty changes, ten clarifications, the least reward, a deadline ahead', () => {
    const { task } = published();
    const full = { task: { ...task, amendments: 50 }, live: [] };
    assert.equal(says(ask(full, REQUESTER, reward(2_000_000n))), 'wrong-state');
    const clarifications = Array.from({ length: 10 }, () => ({ at: T0, text: 'So.' }));
    const crowded = { task: { ...task, clarifications }, live: [] };
    assert.equal(says(ask(crowded, REQUESTER, CLARIFIED)), 'wrong-state');
    assert.equal(says(ask(published(), REQUESTER, reward(999n))), 'reward-too-small');
    assert.equal(says(ask(published({ unpaid: true }), REQUESTER, reward(5_000n))), 'wrong-state');
    assert.equal(says(ask(published(), REQUESTER, { change: { deadline: T0 } })), 'deadline');
    const chain = { task: { ...task, chain: { id: 'chain', step: 1 } }, live: [] };
    assert.equal(says(ask(chain, REQUESTER, CLARIFIED)), 'wrong-state');
  });
});

describe('a split by agreement', () => {
  it('ends held, delivered and disputed work, once the other party agrees', () => {
    const cases = [
      [held(), 'applied withdrawn 1 part'],
      [delivered(), 'applied withdrawn 1 part'],
      [raised(), 'applied paid 1 part'],
      [seated(), 'applied paid 1 part'],
    ] as const;
    for (const [task, after] of cases) {
      for (const [by, other] of [
        [REQUESTER, WORKER],
        [WORKER, REQUESTER],
      ] as const) {
        const { amendment } = must(ask(task, by, split(300_000n, 700_000n)));
        const change = must(word(task, other, amendment));
        assert.equal(says(change), after);
        assert.deepEqual(
          applyChange(task, change).live.filter(({ state }) => state !== 'accepted'),
          [],
        );
      }
    }
    const nothing = must(ask(raised(), REQUESTER, split(0n, 1_000_000n))).amendment;
    assert.equal(says(word(raised(), WORKER, nothing)), 'applied refunded 1 part');
  });

  it('is refused when it does not add up, is dust, or nothing is held by a worker', () => {
    assert.equal(says(ask(held(), WORKER, split(300_000n, 700_001n))), 'bad-shares');
    assert.equal(says(ask(held(), WORKER, split(999n, 999_001n))), 'reward-too-small');
    assert.equal(says(ask(published(), REQUESTER, split(0n, 1_000_000n))), 'wrong-state');
    assert.equal(says(ask(held(), WORKER, { ...split(0n, 0n), ...CLARIFIED })), 'not-together');
    const judged = {
      ...held(),
      task: { ...held({ verification: 'validator' }).task, judges: [RIVAL] },
    };
    assert.equal(says(ask(judged, WORKER, split(300_000n, 700_000n))), 'bad-shares');
    assert.equal(says(ask(judged, WORKER, split(300_000n, 690_000n))), 'proposed held 1 -');
  });

  /** Whatever is agreed, and whatever judges and loans take, the parts are the reward. */
  it('adds up for every part, number of judges and loan', () => {
    for (const amount of [1_000n, 1_234_567n, 999_999_999n]) {
      for (const judges of [[], [RIVAL], [RIVAL, WORKER, REQUESTER]]) {
        const task = {
          ...published({ verification: 'validator', rewardAmount: atomic(amount) }).task,
          judges,
        };
        const pot = judges.length === 0 ? 0n : amount / 100n;
        for (const part of [0n, 1_000n, (amount - pot) / 3n, amount - pot]) {
          if (part > amount - pot) continue;
          for (const principal of [0n, 1n, amount]) {
            const loan = { principal: atomic(principal), origination: atomic(principal / 50n) };
            const found = partedPlan(task, loan, atomic(part));
            assert.ok(found !== undefined);
            const { hub, judges: paid, loan: back, worker, requester } = found.split;
            const parts = [hub, ...paid, back.principal, back.origination, worker, requester];
            assert.equal(
              parts.reduce((sum, each) => sum + each, 0n),
              amount,
            );
            assert.equal(hub, (part * 300n) / 10_000n);
            assert.equal(requester, amount - pot - part);
            assert.ok(parts.every((each) => each >= 0n));
          }
        }
      }
    }
  });
});
