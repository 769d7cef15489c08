import assert from 'node:assert/strict';
import fc from 'fast-check';
import { instant } from '../instant.ts';
import { atomic } from '../money.ts';
import { applyChange, isRefused } from './change.ts';
import type { Change, Refused } from './change.ts';
import { claim } from './claim.ts';
import { accept, cancel } from './decide.ts';
import { deliver, giveBack, usable } from './deliver.ts';
import { nextDue } from './due.ts';
import { claimed } from './model.ts';
import type { TaskAggregate, Pitch } from './model.ts';
import { choosePitch, offerPitch } from './pitch.ts';
import {
  DAY,
  HOUR,
  PASSES,
  published,
  REQUESTER,
  RIVAL,
  settleAll,
  someone,
  T0,
  summary,
  WORKER,
} from './fixture.ts';
import { NO_HISTORY } from './worker.ts';

type What = 'pitch' | 'choose' | 'claim' | 'deliver' | 'fail' | 'accept' | 'cancel';
interface Step {
  readonly what: What;
  readonly who: number;
  readonly price: bigint;
  readonly waits: number;
}
const WHATS: readonly What[] = ['pitch', 'choose', 'claim', 'deliver', 'fail', 'accept', 'cancel'];
const step: fc.Arbitrary<Step> = fc.record({
  what: fc.constantFrom(...WHATS),
  who: fc.nat(1),
  price: fc.bigInt({ min: 1_000n, max: 1_000_000n }),
  waits: fc.constantFrom(0, 60, 1_800, HOUR, DAY),
});
const people = [WORKER, RIVAL];

describe('domain/tasks pitch walks', () => {
  it('never let money go twice, and let only the chosen worker claim', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
        let aggregate: TaskAggregate = published({ tags: ['pitch'] });
        const pitches = new Map<string, Pitch>();
        let [now, serial, escrow] = [T0, 0, 1_000_000n];
        const make = (change: Change | Refused | undefined): void => {
          if (change === undefined || isRefused(change)) return;
          summary(aggregate, change);
          escrow -= freed(change);
          remember(pitches, change);
          aggregate = applyChange(aggregate, change);
        };
        for (const each of steps) {
          now = instant(now + each.waits * 1000);
          settleAll(() => aggregate, now, make);
          const { chosen } = aggregate.task;
          const decision = decide(aggregate, pitches, each, `p${(serial += 1)}`, now);
          if (each.what === 'claim' && decision && !isRefused(decision)) {
            assert.equal(people[each.who], chosen?.worker);
          }
          make(decision);
        }
        const over = ['paid', 'withdrawn', 'expired'].includes(aggregate.task.state);
        assert.equal(escrow, over ? 0n : aggregate.task.reward?.amount);
        if (aggregate.task.state !== 'accepted')
          assert.equal(nextDue(aggregate) === undefined, over);
        assert.equal(aggregate.task.pitches, pitches.size);
      }),
      { numRuns: 400, seed: 20_261_121 },
    );
  });
});

/** Returns the amount that a change takes out of the escrow: a part, or the rest of the reward. */
function freed({ money, task: { reward } }: Change): bigint {
  if (money?.step === 'lower') return money.by;
  return money?.step === 'release' || money?.step === 'refund' ? (reward?.amount ?? 0n) : 0n;
}

function remember(pitches: Map<string, Pitch>, { pitch: changed }: Change): void {
  if (changed === undefined || 'passed' in changed) return;
  if ('offered' in changed) pitches.set(changed.offered.worker, changed.offered);
  else {
    const found = [...pitches.values()].find(({ id }) => id === changed.lapsedId);
    assert.ok(found, 'what lapses was offered');
    pitches.set(found.worker, { ...found, lapsed: true });
  }
}

function decide(
  aggregate: TaskAggregate,
  pitches: ReadonlyMap<string, Pitch>,
  { what, who, price }: Step,
  id: string,
  now: typeof T0,
): Change | Refused | undefined {
  const account = people[who] ?? WORKER;
  const worker = someone(account);
  const mine = pitches.get(account);
  const live = claimed(aggregate);
  switch (what) {
    case 'pitch': {
      const offer = { id, worker, plan: 'So.', price: atomic(price) };
      const asked = { ...offer, ...(mine && { standing: mine }) };
      return offerPitch(aggregate.task, asked, now);
    }
    case 'choose':
      return choosePitch(
        aggregate.task,
        REQUESTER,
        mine && { pitch: mine, history: NO_HISTORY },
        now,
      );
    case 'claim':
      return live
        ? undefined
        : claim(
            aggregate,
            { worker, attemptId: id, token: () => ({ claimToken: id, tokenKey: 'k' }) },
            now,
          );
    case 'deliver':
    case 'fail': {
      const attempt = usable(aggregate, live, account, now);
      if (isRefused(attempt)) return attempt;
      if (what === 'fail') return giveBack(aggregate, attempt, undefined, now);
      return deliver(aggregate, attempt, { result: 'x', verdict: PASSES }, now);
    }
    case 'accept':
      return accept(aggregate, REQUESTER, undefined, now);
    case 'cancel':
      return cancel(aggregate, REQUESTER, now);
  }
}
