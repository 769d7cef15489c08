import assert from 'node:assert/strict';
import fc from 'fast-check';
import { houseAccount, keyAccount, keyIdOf } from './account.ts';
import {
  fullWorth,
  isListing,
  KARMA_REASONS,
  moneyBehind,
  nextTier,
  tierOf,
  weigh,
} from './karma.ts';
import type { Earlier, KarmaMoney, KarmaReason } from './karma.ts';
import { liveClaimCap } from './tasks/worker.ts';

const OTHER = keyAccount(keyIdOf(new Uint8Array(32).fill(4)));
const HOUSE = houseAccount('hub:demand');
const NOTHING: Earlier = {
  ownParty: false,
  fromCounterparty: 0,
  todayByReason: 0,
  todayFromHouse: 0,
  fromTestNetworks: 0,
};

/** Choices karma.entries and tasks.transitions, line by line: on real money, on test money. */
const WORTH = `
  task.paid.worker      3    1
  task.paid.requester   1    0
  chain.completed       1    0
  call.served           1    0
  judge.agreed          1    1
  judge.disagreed      -1   -1
  judge.no-show        -1   -1
  arbiter.ruled         2    1
  arbiter.late         -2   -1
  claim.lapsed         -5   -5
  pitch.unclaimed      -2   -2
  panel.rejected       -1   -1
  dispute.lost         -3   -3
  delivery.ignored     -2   -2
  review.good           1    0
  review.bad           -1    0
  loan.defaulted      -20   -5
  seat.retired        -20  -20
  domain.proved         5    5`;

/** Tier, next tier with its total, live claims: by total (choices karma.entries, tasks.leases). */
const TIERS = `
  -20  restricted   new:0            1
  -1   restricted   new:0            1
  0    new          known:10         3
  9    new          known:10         3
  10   known        trusted:50       4
  49   known        trusted:50       7
  50   trusted      established:200  8
  170  trusted      established:200  20
  199  trusted      established:200  20
  200  established  none             20
  900  established  none             20`;

const lines = (table: string): readonly (readonly string[])[] =>
  table
    .trim()
    .split('\n')
    .map((line) => line.trim().split(/\s+/));

describe('what an event is worth', () => {
  for (const [reason = '', real, test] of lines(WORTH)) {
    it(`${reason} ${real} ${test}`, () => {
      const known = KARMA_REASONS.find((each) => each === reason);
      assert.ok(known !== undefined, 'a reason of the closed set');
      assert.deepEqual(
        [fullWorth(known, 'real'), fullWorth(known, 'test')],
        [Number(real), Number(test)],
      );
    });
  }

  it('is one of these, and there is no other', () => {
    assert.deepEqual(
      lines(WORTH)
        .map(([reason]) => reason)
        .sort(),
      [...KARMA_REASONS].sort(),
    );
  });
});

describe('the subject and the money of an entry', () => {
  it('separate a listing without a holder from an account', () => {
    assert.deepEqual([isListing('listing:abc'), isListing(OTHER)], [true, false]);
  });

  it('are real on a real network, and test money on every other', () => {
    const kinds = ['real', 'test', 'play', undefined] as const;
    assert.deepEqual(kinds.map(moneyBehind), ['real', 'test', 'test', 'none']);
  });
});

describe('tiers and what they allow', () => {
  for (const [total, tier, next, claims] of lines(TIERS)) {
    it(`${total} is ${tier}, with ${claims} live claims`, () => {
      const above = nextTier(Number(total));
      assert.deepEqual(
        [tierOf(Number(total)), above === undefined ? 'none' : `${above.tier}:${above.at}`],
        [tier, next],
      );
      assert.equal(liveClaimCap(Number(total)), Number(claims));
    });
  }
});

describe('rules against farming', () => {
  type Case = readonly [
    says: string,
    reason: KarmaReason,
    money: KarmaMoney,
    earlier: Partial<Earlier> & { readonly by?: typeof OTHER | typeof HOUSE | 'nobody' },
    is: string,
  ];
  const cases: readonly Case[] = [
    ['first of a counterparty', 'task.paid.worker', 'real', {}, '3'],
    ['second: 60%', 'task.paid.worker', 'real', { fromCounterparty: 1 }, '1 counterparty'],
    ['third: 30%', 'task.paid.worker', 'real', { fromCounterparty: 2 }, '0 counterparty'],
    ['fourth: nothing', 'task.paid.worker', 'real', { fromCounterparty: 3 }, '0 counterparty'],
    ['first for a requester', 'task.paid.requester', 'real', {}, '1'],
    [
      'second for a requester',
      'task.paid.requester',
      'real',
      { fromCounterparty: 1 },
      '0 counterparty',
    ],
    ['first on test money', 'task.paid.worker', 'test', {}, '1'],
    ['oneself', 'task.paid.worker', 'real', { ownParty: true }, '0 counterparty'],
    ['the house, often', 'task.paid.worker', 'real', { by: HOUSE, fromCounterparty: 3 }, '3'],
    [
      'the house, at the end of the day',
      'task.paid.worker',
      'real',
      { by: HOUSE, todayFromHouse: 8 },
      '2 daily-cap',
    ],
    [
      'the house, when the day is full',
      'task.paid.worker',
      'test',
      { by: HOUSE, todayFromHouse: 10 },
      '0 daily-cap',
    ],
    ['fifth call of a day', 'call.served', 'real', { todayByReason: 4 }, '1'],
    ['sixth call of a day', 'call.served', 'real', { todayByReason: 5 }, '0 daily-cap'],
    ['sixth verdict of a day', 'judge.agreed', 'test', { todayByReason: 5 }, '0 daily-cap'],
    ['twentieth of test networks', 'task.paid.worker', 'test', { fromTestNetworks: 19 }, '1'],
    ['none beyond', 'task.paid.worker', 'test', { fromTestNetworks: 20 }, '0 test-cap'],
    ['after a loss there is room', 'task.paid.worker', 'test', { fromTestNetworks: 15 }, '1'],
    ['real money knows no such cap', 'task.paid.worker', 'real', { fromTestNetworks: 20 }, '3'],
    ['no counterparty', 'domain.proved', 'none', { by: 'nobody' }, '5'],
    [
      'losses are never lowered',
      'claim.lapsed',
      'test',
      { ownParty: true, fromCounterparty: 3, fromTestNetworks: 20 },
      '-5',
    ],
  ];
  for (const [says, reason, money, { by = OTHER, ...earlier }, is] of cases) {
    it(`${says}: ${is}`, () => {
      const cause = { reason, ...(by !== 'nobody' && { counterparty: by }) };
      const { delta, fullDelta, loweredBy } = weigh(cause, money, { ...NOTHING, ...earlier });
      assert.equal(fullDelta, fullWorth(reason, money));
      assert.equal([delta, loweredBy].filter((each) => each !== undefined).join(' '), is);
    });
  }

  it('neither raise a gain nor turn it into a loss, whatever came before', () => {
    const counts = fc.nat(40);
    const earlier = fc.record({
      ownParty: fc.boolean(),
      fromCounterparty: counts,
      todayByReason: counts,
      todayFromHouse: counts,
      fromTestNetworks: fc.integer({ min: -50, max: 20 }),
    });
    const causes = fc.record({
      reason: fc.constantFrom(...KARMA_REASONS),
      counterparty: fc.constantFrom(OTHER, HOUSE),
    });
    const money = fc.constantFrom<KarmaMoney>('real', 'test', 'none');
    fc.assert(
      fc.property(causes, money, earlier, (cause, behind, before) => {
        const { delta, fullDelta, loweredBy } = weigh(cause, behind, before);
        if (fullDelta <= 0) assert.equal(delta, fullDelta);
        else assert.ok(delta >= 0 && delta <= fullDelta);
        assert.equal(loweredBy === undefined, delta === fullDelta);
        if (behind === 'test' && delta > 0) assert.ok(before.fromTestNetworks + delta <= 20);
      }),
    );
  });
});
