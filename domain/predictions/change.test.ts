import assert from 'node:assert/strict';
import type { Account } from '../account.ts';
import { instant, plus, seconds } from '../instant.ts';
import { atomic } from '../money.ts';
import { openMarket, placeBet } from './change.ts';
import type { Bet, Draft } from './change.ts';
import { after, ALICE, before, CHECK, CLOSES, DRAFT, MAKER, NOW } from './fixture.ts';
import { CLOSES_MAXIMUM } from './model.ts';
import type { Market } from './model.ts';

const WEEK = seconds(7 * 86_400);
const DAY = seconds(86_400);

function market(over: Partial<Market> = {}): Market {
  return {
    id: 'm1',
    question: 'Will it rain?',
    source: 'example.org',
    network: 'sandbox',
    creator: MAKER,
    state: 'open',
    pots: { yes: atomic(0n), no: atomic(0n) },
    bettors: { yes: 0, no: 0, all: 0 },
    version: 1,
    closesAt: CLOSES,
    resolveBy: plus(CLOSES, WEEK),
    createdAt: NOW,
    ...over,
  };
}

describe('the opening of a market', () => {
  it('begins without bets, and gives the judge a week from the closing time', () => {
    assert.deepEqual(openMarket(DRAFT, NOW), market());
  });

  it('gives a number one day from the closing time', () => {
    const checked = market({ check: CHECK, resolveBy: plus(CLOSES, DAY) });
    assert.deepEqual(openMarket({ ...DRAFT, check: CHECK }, NOW), checked);
  });

  const real = { kind: 'real', network: 'base' } as const;
  const LAST_REAL = '2027-04-15T08:00:00.000Z';
  const bounds: readonly [string, Partial<Draft>, string, string, string][] = [
    ['test money', {}, 'sandbox', '2027-01-15T08:00:00.001Z', '9999-12-24T23:59:59.000Z'],
    ['real money', real, 'base', '2027-01-15T08:10:00.000Z', LAST_REAL],
    [
      'real money and a number',
      { ...real, check: CHECK },
      'base',
      '2027-01-16T08:00:00.000Z',
      LAST_REAL,
    ],
  ];
  for (const [money, over, network, from, to] of bounds) {
    it(`takes the first and the last closing time for ${money}, and none beyond`, () => {
      const [first, last] = [instant(Date.parse(from)), instant(Date.parse(to))];
      for (const closesAt of [first, last]) {
        const opened = openMarket({ ...DRAFT, ...over, closesAt }, NOW);
        assert.ok('state' in opened);
        assert.deepEqual([opened.state, opened.closesAt], ['open', closesAt]);
      }
      for (const closesAt of [before(first), after(last)]) {
        const got = new Date(closesAt).toISOString();
        assert.deepEqual(openMarket({ ...DRAFT, ...over, closesAt }, NOW), {
          refused: 'deadline',
          why: `closesAt lies from ${from} to ${to} on ${network}; got ${got}.`,
          field: 'body.closesAt',
        });
      }
    });
  }

  it('leaves a week for the judge before the last time that has an ISO text', () => {
    const latest = plus(instant(CLOSES_MAXIMUM), WEEK);
    assert.equal(new Date(latest).toISOString(), '9999-12-31T23:59:59.000Z');
  });
});

describe('a bet', () => {
  const bet: Bet = { account: ALICE, side: 'yes', amount: atomic(10_000n) };
  const pots = { yes: atomic(30_000n), no: atomic(40_000n) };
  const busy = market({ pots, bettors: { yes: 2, no: 3, all: 4 }, version: 8 });

  it('gives a new bettor the next place, and a stake on one side', () => {
    assert.deepEqual(placeBet(busy, undefined, bet), {
      market: {
        ...busy,
        pots: { yes: 40_000n, no: 40_000n },
        bettors: { yes: 3, no: 3, all: 5 },
        version: 9,
      },
      position: { account: ALICE, place: 5, yes: 10_000n, no: 0n },
    });
    assert.deepEqual(placeBet(busy, undefined, { ...bet, side: 'no' }), {
      market: {
        ...busy,
        pots: { yes: 30_000n, no: 50_000n },
        bettors: { yes: 2, no: 4, all: 5 },
        version: 9,
      },
      position: { account: ALICE, place: 5, yes: 0n, no: 10_000n },
    });
  });

  it('adds to the stakes of a known bettor, who keeps the place', () => {
    const known = { account: ALICE, place: 2, yes: atomic(20_000n), no: atomic(0n) };
    const again = placeBet(busy, known, bet);
    assert.ok('position' in again);
    assert.deepEqual(again.position, { ...known, yes: 30_000n });
    assert.deepEqual(again.market.bettors, busy.bettors);
    const hedged = placeBet(busy, known, { ...bet, side: 'no' });
    assert.ok('position' in hedged);
    assert.deepEqual(hedged.position, { ...known, no: 10_000n });
    assert.deepEqual(hedged.market.bettors, { yes: 2, no: 4, all: 4 });
  });

  const payouts: readonly [string, Market, bigint][] = [
    ['less the share of a judge', busy, 19_900n],
    ['without a share for a number', { ...busy, check: CHECK }, 20_000n],
  ];
  for (const [share, open, pays] of payouts) {
    it(`is taken up to the payout that it brings, ${share}, and refused above it`, () => {
      for (const minPayout of [pays - 1n, pays]) {
        const taken = placeBet(open, undefined, { ...bet, minPayout: atomic(minPayout) });
        assert.ok('position' in taken);
        assert.equal(taken.position.yes, 10_000n);
      }
      const greedy = { ...bet, minPayout: atomic(pays + 1n) };
      assert.deepEqual(placeBet(open, undefined, greedy), {
        refused: 'market-moved',
        why:
          `This bet would bring back ${pays} if yes comes true, ` +
          `and minPayout asks for ${pays + 1n}.`,
        field: 'body.minPayout',
      });
    });
  }

  it('is taken with the minimum, at the version it names, and as the last of 2000 bettors', () => {
    assert.ok('market' in placeBet(market(), undefined, { ...bet, ifVersion: 1 }));
    const almostFull = market({ bettors: { yes: 0, no: 1999, all: 1999 } });
    const last = placeBet(almostFull, undefined, bet);
    assert.ok('market' in last);
    assert.deepEqual(last.market.bettors, { yes: 1, no: 1999, all: 2000 });
    assert.equal(last.position.place, 2000);
  });

  const full = market({ bettors: { yes: 2000, no: 0, all: 2000 } });
  const refusals: readonly [string, Market, Partial<Bet>, object][] = [
    [
      'it is below the minimum',
      market(),
      { amount: atomic(9_999n) },
      {
        refused: 'below-minimum',
        why: 'A bet is at least 10000 atomic units; got 9999.',
        field: 'body.amount',
      },
    ],
    [
      'the market has closed',
      market({ state: 'closed' }),
      {},
      { refused: 'market-closed', why: 'The market closed at 2027-01-15T09:00:00.000Z.' },
    ],
    [
      'the creator makes it',
      market(),
      { account: MAKER },
      { refused: 'creator-may-not', why: 'You created this market.' },
    ],
    [
      'the market has moved since',
      busy,
      { ifVersion: 7 },
      {
        refused: 'market-moved',
        why: 'The market is at version 8, and ifVersion names 7.',
        field: 'body.ifVersion',
      },
    ],
    [
      'the market has all its bettors',
      full,
      {},
      {
        refused: 'ceiling-reached',
        why: 'A market takes 2000 bettors, and this one has them.',
      },
    ],
  ];
  for (const [name, open, over, refusal] of refusals) {
    it(`is refused when ${name}`, () => {
      assert.deepEqual(placeBet(open, undefined, { ...bet, ...over }), refusal);
    });
  }

  it('is refused to an account that is not a key', () => {
    const wallet = `evm:0x${'a'.repeat(40)}` as Account;
    const result = placeBet(market(), undefined, { ...bet, account: wallet });
    assert.deepEqual(result, {
      refused: 'creator-may-not',
      why: 'Only the account of a key may bet.',
    });
  });
});
