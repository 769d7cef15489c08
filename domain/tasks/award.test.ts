import assert from 'node:assert/strict';
import fc from 'fast-check';
import { atomic } from '../money.ts';
import { award, divideUndecided, firstWinners } from './award.ts';
import { isRefused } from './change.ts';
import {
  at,
  DAY,
  draft,
  entered,
  PLACES,
  published,
  REQUESTER,
  RIVAL,
  T0,
  winnersOf,
  WORKER,
} from './fixture.ts';
import type { Over } from './fixture.ts';
import { karmaOf } from './karma.ts';
import { publish } from './publish.ts';
import { partsOf } from './shares.ts';

const LATE = at(8 * DAY);

describe('domain/tasks/award', () => {
  it('divides every reward to the unit, by largest remainder, ties to the earlier place', () => {
    assert.deepEqual(partsOf(atomic(1_000n), [3_333, 3_333, 3_334]), [333n, 333n, 334n]);
    assert.deepEqual(partsOf(atomic(1_001n), [5_000, 5_000]), [501n, 500n]);
    assert.deepEqual(partsOf(atomic(10n), [5_000, 4_999]), [5n, 4n]);
    const places = fc.array(fc.integer({ min: 1, max: 500 }), { minLength: 1, maxLength: 20 });
    const rewards = fc.bigInt({ min: 1_000n, max: 10n ** 15n });
    fc.assert(
      fc.property(rewards, places, (reward, parts) => {
        const amounts = partsOf(atomic(reward), parts);
        const sum = BigInt(parts.reduce((total, part) => total + part, 0));
        const paid = amounts.reduce((total, part) => total + part, 0n);
        assert.equal(paid, (reward * sum) / 10_000n);
        for (const [nth, amount] of amounts.entries()) {
          const exact = (reward * BigInt(parts[nth] ?? 0)) / 10_000n;
          assert.ok(amount >= exact - 1n && amount <= exact + 1n);
        }
      }),
      { numRuns: 300, seed: 20_261_126 },
    );
  });

  it('names the winners by place, supersedes the others and gives the requester karma once', () => {
    const aggregate = entered(4);
    const winners = winnersOf(aggregate, 2, 0, 1);
    const change = award(aggregate, REQUESTER, { winners, groups: new Map() }, T0);
    assert.ok(!isRefused(change) && change.money?.step === 'share');
    assert.deepEqual(
      change.attempts.map(({ id, state, place, award: part }) => [id, state, place, part]),
      [
        ['a2', 'accepted', 1, 600_000n],
        ['a0', 'accepted', 2, 300_000n],
        ['a1', 'accepted', 3, 100_000n],
        ['a3', 'superseded', undefined, undefined],
      ],
    );
    assert.equal(change.money.rest, 0n);
    const reasons = karmaOf(change).map(({ reason }) => reason);
    assert.deepEqual(reasons.filter((reason) => reason === 'task.paid.worker').length, 3);
    assert.deepEqual(reasons.filter((reason) => reason === 'task.paid.requester').length, 1);
  });

  it('returns the parts of places that no result takes, after the deadline alone', () => {
    const aggregate = entered(1);
    const winners = winnersOf(aggregate, 0);
    const early = award(aggregate, REQUESTER, { winners, groups: new Map() }, T0);
    assert.ok(isRefused(early) && early.refused === 'bad-shares');
    const late = award(aggregate, REQUESTER, { winners, groups: new Map() }, LATE);
    assert.ok(!isRefused(late) && late.money?.step === 'share');
    assert.equal(late.money.rest, 400_000n);
    assert.deepEqual(firstWinners(aggregate, T0), []);
    assert.equal(firstWinners(aggregate, LATE).length, 1);
  });

  it('divides by silence among unlinked workers in order of arrival', () => {
    const aggregate = entered(4, { shares: { split: true } });
    const groups = new Map([
      [WORKER, 'one'],
      [RIVAL, 'one'],
      [REQUESTER, 'two'],
    ]);
    const change = divideUndecided(aggregate, groups, LATE);
    assert.ok(change?.money?.step === 'share');
    assert.deepEqual(
      change.money.winners.map(({ id, shareBps, award: part }) => [id, shareBps, part]),
      [
        ['a0', 3_334, 333_334n],
        ['a2', 3_333, 333_333n],
        ['a3', 3_333, 333_333n],
      ],
    );
    const own = new Map(aggregate.live.map(({ worker }) => [worker, 'two']));
    assert.equal(divideUndecided(aggregate, own.set(REQUESTER, 'two'), LATE), undefined);
  });

  it('keeps the digest of deals without shares, and puts shares into it', () => {
    const digest = (over: Over): string => published(over).task.terms.digest;
    const open: Over = { mode: 'open', disputeWindowSeconds: 0 };
    const digests = [open, PLACES, { shares: { split: true } }].map((over) => digest(over));
    assert.equal(new Set(digests).size, 3);
    const change = publish(draft({ ...PLACES, mode: 'exclusive' }), 'task', T0);
    assert.ok(isRefused(change) && change.refused === 'wrong-mode');
  });
});
