import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { AcceptanceRule } from '../acceptance/rule.ts';
import { instant } from '../instant.ts';
import { applyChange, isRefused } from './change.ts';
import type { Change, Refused } from './change.ts';
import { claim } from './claim.ts';
import { accept, cancel, reject } from './decide.ts';
import { deliver, giveBack, usable } from './deliver.ts';
import { nextDue } from './due.ts';
import { claimed } from './model.ts';
import type { TaskAggregate } from './model.ts';
import { legalActions } from './next.ts';
import { announce, announceRefusal, offer, offerRefusal } from './solve.ts';
import {
  draft,
  MISSES,
  must,
  PASSES,
  REQUESTER,
  RIVAL,
  settleAll,
  someone,
  T0,
  summary,
  WORKER,
} from './fixture.ts';
import { publish } from './publish.ts';

/** For all acts in any order, the reward is held once and leaves once. */
const RULE: AcceptanceRule = { kind: 'contains', values: ['x'] };
const people = [WORKER, RIVAL];

interface Step {
  readonly what: 'claim' | 'deliver' | 'fail' | 'start' | 'solve' | 'accept' | 'reject' | 'cancel';
  readonly who: number;
  readonly passes: boolean;
  readonly which: number;
  readonly waits: number;
}
const step: fc.Arbitrary<Step> = fc.record({
  what: fc.constantFrom('claim', 'deliver', 'fail', 'start', 'solve', 'accept', 'reject', 'cancel'),
  who: fc.nat(1),
  passes: fc.boolean(),
  which: fc.nat(3),
  waits: fc.constantFrom(0, 1, 60, 1_800, 6 * 3_600, 86_400, 80 * 3_600),
});
const deal = fc.record({
  mode: fc.constantFrom('open' as const, 'exclusive' as const),
  verification: fc.constantFrom('automatic' as const, 'requester' as const, 'validator' as const),
  autoAccept: fc.option(fc.constantFrom(0, 60, 86_400), { nil: undefined }),
  window: fc.constantFrom(0, 60, 86_400),
  unpaid: fc.boolean(),
});

describe('domain/tasks walks', () => {
  it('hold the reward once and let it go once, in every order of events', () => {
    fc.assert(
      fc.property(deal, fc.array(step, { maxLength: 40 }), (terms, steps) => {
        const opening = must(
          publish(
            draft({
              mode: terms.mode,
              verification: terms.verification,
              acceptance: RULE,
              ...(terms.autoAccept !== undefined && { autoAcceptSeconds: terms.autoAccept }),
              disputeWindowSeconds: terms.window,
              unpaid: terms.unpaid,
            }),
            'task',
            T0,
          ),
        );
        let aggregate: TaskAggregate = { task: opening.task, live: [] };
        let now = T0;
        let serial = 0;
        const money = [opening.money?.step].filter((each) => each !== undefined);
        const make = (change: Change | Refused | undefined): void => {
          if (change === undefined || isRefused(change)) return;
          summary(aggregate, change);
          if (change.money !== undefined) money.push(change.money.step);
          aggregate = applyChange(aggregate, change);
        };
        for (const each of steps) {
          now = instant(now + each.waits * 1000);
          settleAll(() => aggregate, now, make);
          make(decide(aggregate, each, `a${(serial += 1)}`, now));
          settleAll(() => aggregate, now, make);
        }
        assert.match(money.join(' '), terms.unpaid ? /^$/ : LEGAL);
        const over = ['paid', 'refunded', 'withdrawn', 'expired'].includes(aggregate.task.state);
        const held = !terms.unpaid && !/release|refund/.test(money.join(' '));
        assert.equal(
          over,
          terms.unpaid ? over : !held,
          'a final task holds nothing, a live one does',
        );
        const ends = over || (terms.unpaid && aggregate.task.state === 'accepted');
        assert.equal(nextDue(aggregate) === undefined, ends, 'every live task has a next decision');
        assert.ok(legalActions(aggregate, now).length > 0);
      }),
      { numRuns: 600, seed: 20_261_120 },
    );
  });
});

const LEGAL = /^escrow( release| reserve( release)?| refund)?$/;

function decide(
  aggregate: TaskAggregate,
  step: Step,
  id: string,
  now: typeof T0,
): Change | Refused | undefined {
  const worker = someone(people[step.who] ?? WORKER);
  const delivery = { result: 'x', verdict: step.passes ? PASSES : MISSES };
  const own = claimed(aggregate);
  const named = aggregate.live[step.which];
  const solution = named && { id: named.id, attempt: named };
  switch (step.what) {
    case 'claim':
      return claim(
        aggregate,
        { worker, attemptId: id, token: () => ({ claimToken: id, tokenKey: 'k' }) },
        now,
      );
    case 'deliver':
    case 'fail': {
      const attempt = usable(aggregate, own, worker.account, now);
      if (isRefused(attempt)) return attempt;
      return step.what === 'fail'
        ? giveBack(aggregate, attempt, undefined, now)
        : deliver(aggregate, attempt, delivery, now);
    }
    case 'start':
      return (
        announceRefusal(aggregate, worker, now) ??
        announce(aggregate, { worker, attemptId: id }, now)
      );
    case 'solve':
      return (
        offerRefusal(aggregate, worker, now) ??
        offer(aggregate, { worker, attemptId: id }, delivery, now)
      );
    case 'accept':
      return accept(aggregate, REQUESTER, solution, now);
    case 'reject':
      return reject(aggregate, REQUESTER, { reason: 'no', ...(solution && { solution }) }, now);
    case 'cancel':
      return cancel(aggregate, REQUESTER, now);
  }
}
