import assert from 'node:assert/strict';
import { instant, plus, seconds } from '../instant.ts';
import { atomic } from '../money.ts';
import { closedBy, endedByClock, holds, openMarket, placeBet, resolve } from './change.ts';
import { account, DRAFT, MAKER, NOW, opened } from './fixture.ts';
import { potOf } from './model.ts';
import type { Position, Side } from './model.ts';
import { ifOutcome, judgeShareOf, potsOfPositions, returnOf, settled, voided } from './payout.ts';
import { rehearse, similarity } from './rehearse.ts';

const position = (name: string, side: Side, stake: number, place: number): Position => ({
  account: account(name),
  yes: atomic(side === 'yes' ? BigInt(stake) : 0n),
  no: atomic(side === 'no' ? BigInt(stake) : 0n),
  place,
});
function refusalOf(result: object): unknown {
  return 'refused' in result ? result.refused : undefined;
}

describe('market: who gets what', () => {
  const POSITIONS = [
    position('a', 'yes', 300_000, 1),
    position('b', 'yes', 300_000, 2),
    position('c', 'yes', 100_000, 3),
    position('d', 'no', 500_001, 4),
    position('e', 'no', 250_000, 5),
  ];

  it('pays the example of choices predictions.payout to the unit', () => {
    const { judgeShare, payouts, won, returned } = settled(POSITIONS, 'yes', 'judge');
    assert.equal(judgeShare, 7_500n);
    assert.equal(won, 742_501n);
    assert.deepEqual(
      payouts.map((payout) => payout.returned + payout.won),
      [618_215n, 618_215n, 206_071n, 0n, 0n],
    );
    assert.equal(returned + won + judgeShare, 1_450_001n);
  });

  it('gives a number no share, and a judge none of a side without bets', () => {
    assert.equal(settled(POSITIONS, 'yes', 'check').judgeShare, 0n);
    const oneSided = [position('a', 'yes', 50_000, 1)];
    const wrong = settled(oneSided, 'no', 'judge');
    assert.deepEqual([wrong.outcome, wrong.judgeShare, wrong.returned], ['void', 0n, 50_000n]);
    const right = settled(oneSided, 'yes', 'judge');
    assert.deepEqual([right.outcome, right.returned, right.won], ['yes', 50_000n, 0n]);
  });

  it('loses and makes no unit, and no winner gets less than the stake, over random markets', () => {
    let state = 7;
    const random = (below: number): number => {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
      return state % below;
    };
    for (let round = 0; round < 2_000; round += 1) {
      const positions = Array.from({ length: 1 + random(12) }, (_, place) => ({
        ...position(`p${place}`, 'yes', 0, place),
        yes: atomic(BigInt(random(3) === 0 ? 0 : 10_000 + random(9_999_991))),
        no: atomic(BigInt(random(3) === 0 ? 0 : 10_000 + random(9_999_991))),
      }));
      const { yes, no } = potsOfPositions(positions);
      for (const done of [
        settled(positions, 'yes', 'judge'),
        settled(positions, 'no', 'check'),
        voided(positions),
      ]) {
        const out = done.payouts.reduce((sum, { returned, won }) => sum + returned + won, 0n);
        assert.equal(out + done.judgeShare, yes + no);
        assert.equal(done.returned + done.won + done.judgeShare, yes + no);
      }
      for (const { yes: stake, no: other } of positions) {
        const least = returnOf(stake, 'yes', { yes, no }, 'judge');
        assert.ok(stake === 0n || least >= stake);
        assert.ok(ifOutcome({ yes: stake, no: other }, 'no', { yes, no }, 'judge') >= 0n);
      }
    }
  });

  it('projects at most what comes, short of one unit', () => {
    const pots = potsOfPositions(POSITIONS);
    const { payouts } = settled(POSITIONS, 'yes', 'judge');
    for (const [nth, each] of POSITIONS.slice(0, 3).entries()) {
      const got = (payouts[nth]?.returned ?? 0n) + (payouts[nth]?.won ?? 0n);
      const payout = returnOf(each.yes, 'yes', pots, 'judge');
      assert.ok(got === payout || got === payout + 1n, `${got} ${payout}`);
    }
    assert.equal(judgeShareOf(pots, 'no'), 7_000n);
  });

  it('gives the unit that is left over to the earlier bettor, in whatever order they come', () => {
    const late = position('late', 'yes', 10_000, 2);
    const early = position('early', 'yes', 10_000, 1);
    const loser = position('loser', 'no', 10_001, 3);
    const wonBy = (winners: readonly Position[]): readonly bigint[] =>
      settled([...winners, loser], 'yes', 'check').payouts.map(({ won }) => won);
    assert.deepEqual(wonBy([late, early]), [5_000n, 5_001n, 0n]);
    assert.deepEqual(wonBy([early, late]), [5_001n, 5_000n, 0n]);
  });

  it('settles a market without bets as the outcome says', () => {
    const nothing = { judgeShare: 0n, won: 0n, returned: 0n, payouts: [] };
    assert.deepEqual(settled([], 'yes', 'judge'), { ...nothing, outcome: 'yes' });
    assert.deepEqual(settled([], 'no', 'check'), { ...nothing, outcome: 'no' });
  });

  it('takes a share for a judge only where a judge settles and the side has bets', () => {
    const oneSided = { yes: atomic(0n), no: atomic(50_000n) };
    assert.equal(judgeShareOf(oneSided, 'yes'), 0n);
    const pots = { yes: atomic(40_000n), no: atomic(40_000n) };
    assert.equal(judgeShareOf(pots, 'yes'), 400n);
    const stake = atomic(10_000n);
    assert.equal(returnOf(stake, 'yes', pots, 'judge'), 19_900n);
    assert.equal(returnOf(stake, 'yes', pots, 'check'), 20_000n);
  });

  it('projects the return of both stakes only for a side without bets', () => {
    const hedged = { yes: atomic(10_000n), no: atomic(20_000n) };
    const pots = { yes: atomic(40_000n), no: atomic(40_000n) };
    assert.equal(ifOutcome(hedged, 'yes', pots, 'judge'), 19_900n);
    assert.equal(ifOutcome(hedged, 'no', pots, 'check'), 40_000n);
    const single = { yes: atomic(0n), no: atomic(20_000n) };
    const oneSided = { yes: atomic(0n), no: atomic(50_000n) };
    assert.equal(ifOutcome(single, 'yes', oneSided, 'judge'), 20_000n);
    assert.equal(ifOutcome(single, 'no', oneSided, 'judge'), 20_000n);
  });

  it('counts both sides into the pot', () => {
    assert.equal(potOf({ yes: atomic(3n), no: atomic(4n) }), 7n);
  });
});

describe('market: what may happen', () => {
  const bet = { account: account('a'), side: 'yes' as const, amount: atomic(10_000n) };

  it('opens within the bounds of its network', () => {
    assert.equal(refusalOf(openMarket({ ...DRAFT, closesAt: NOW }, NOW)), 'deadline');
    const soon = plus(NOW, seconds(599));
    assert.equal(opened({ closesAt: soon }).state, 'open');
    const real = { kind: 'real' as const, network: 'base' as const };
    assert.equal(refusalOf(openMarket({ ...DRAFT, ...real, closesAt: soon }, NOW)), 'deadline');
    assert.equal(opened({ ...real, closesAt: plus(NOW, seconds(600)) }).state, 'open');
    const check = { metric: 'time.head', op: 'gt', value: 1n } as const;
    const checked = { ...DRAFT, ...real, check, closesAt: plus(NOW, seconds(86_399)) };
    assert.equal(refusalOf(openMarket(checked, NOW)), 'deadline');
    const late = { ...DRAFT, ...real, closesAt: plus(NOW, seconds(90 * 86_400 + 1)) };
    assert.equal(refusalOf(openMarket(late, NOW)), 'deadline');
  });

  it('refuses small, late, own and unguarded bets', () => {
    const market = opened();
    const small = { ...bet, amount: atomic(9_999n) };
    assert.equal(refusalOf(placeBet(market, undefined, small)), 'below-minimum');
    const closed = closedBy(market, market.closesAt);
    assert.equal(refusalOf(placeBet(closed, undefined, bet)), 'market-closed');
    const own = { ...bet, account: MAKER };
    assert.equal(refusalOf(placeBet(market, undefined, own)), 'creator-may-not');
    const moved = { ...bet, ifVersion: 2 };
    assert.equal(refusalOf(placeBet(market, undefined, moved)), 'market-moved');
    const greedy = { ...bet, minPayout: atomic(10_001n) };
    assert.equal(refusalOf(placeBet(market, undefined, greedy)), 'market-moved');
    const full = { ...market, bettors: { ...market.bettors, all: 2000 } };
    assert.equal(refusalOf(placeBet(full, undefined, bet)), 'ceiling-reached');
    const known = position('a', 'no', 10_000, 1);
    assert.equal(refusalOf(placeBet(full, known, bet)), undefined);
  });

  it('counts bettors by side once, and versions every bet', () => {
    const one = placeBet(opened(), undefined, bet);
    assert.ok('market' in one);
    const two = placeBet(one.market, one.position, { ...bet, side: 'no' });
    assert.ok('market' in two);
    const three = placeBet(two.market, two.position, bet);
    assert.ok('market' in three);
    assert.deepEqual(three.market.bettors, { yes: 1, no: 1, all: 1 });
    assert.deepEqual(three.market.pots, { yes: 20_000n, no: 10_000n });
    assert.equal(three.market.version, 4);
  });

  it('closes at the moment, and ends by number, by judge or by time', () => {
    const market = opened();
    assert.equal(closedBy(market, instant(market.closesAt - 1)).state, 'open');
    const closed = closedBy(market, market.closesAt);
    assert.equal(refusalOf(resolve(market, [], 'yes')), 'market-open');
    assert.equal(endedByClock(closed, [], undefined, instant(market.resolveBy - 1)), undefined);
    const late = endedByClock(closed, [], undefined, market.resolveBy);
    assert.equal(late?.voidReason, 'unresolved');
    const stakes = [position('a', 'yes', 10_000, 1), position('b', 'no', 10_000, 2)];
    const void_ = resolve(closed, stakes, 'void');
    assert.equal('voidReason' in void_ && void_.voidReason, 'unanswerable');
    const empty = resolve(closed, stakes.slice(0, 1), 'no');
    assert.equal('voidReason' in empty && empty.voidReason, 'empty-side');

    const check = { metric: 'time.head', op: 'gte', value: 5n } as const;
    const checked = closedBy(opened({ check }), market.closesAt);
    assert.equal(refusalOf(resolve(checked, stakes, 'yes')), 'bad-check');
    const sample = { value: 5n, at: NOW, pulseSeq: 1 };
    const byNumber = endedByClock(checked, stakes, sample, market.closesAt);
    assert.equal(byNumber?.settlement.outcome, 'yes');
    const never = endedByClock(checked, stakes, undefined, checked.resolveBy);
    assert.equal(never?.voidReason, 'no-sample');
  });

  it('compares as the op says', () => {
    const table = { gt: [false, false, true], gte: [false, true, true], eq: [false, true, false] };
    for (const [op, wanted] of Object.entries(table)) {
      assert.deepEqual(
        [4n, 5n, 6n].map((each) => holds(each, op as 'gt', 5n)),
        wanted,
      );
    }
    assert.deepEqual(
      [holds(4n, 'lt', 5n), holds(5n, 'lte', 5n), holds(5n, 'lt', 5n)],
      [true, true, false],
    );
  });
});

describe('market: rehearsal', () => {
  const good = {
    question: 'Will example.org show 100 or more at 2027-01-01 12:00 UTC?',
    source: 'https://example.org/count, the first number',
    closesAt: NOW,
    isChecked: false,
  };
  const concerns = (over: object, open: Parameters<typeof rehearse>[1] = []): readonly string[] =>
    rehearse({ ...good, ...over }, open).map(({ concern }) => concern);

  it('finds a missing source, an open moment, and wording with two answers', () => {
    const plain = { question: 'Will example.org show at least 100 at 2027-01-01 12:00 UTC?' };
    assert.deepEqual(concerns(plain), []);
    assert.deepEqual(concerns({ ...plain, source: 'the news' }), ['source']);
    assert.deepEqual(concerns({ question: 'Will example.org show 100?' }), ['moment']);
    assert.deepEqual(concerns({}), ['two-answers'], 'or');
    const vague = 'Will it soon be popular at 2027-01-01 12:00 UTC?';
    assert.deepEqual(concerns({ question: vague }), ['two-answers']);
    assert.deepEqual(concerns({ isChecked: true, source: 'x', question: 'soon or late' }), []);
  });

  it('finds markets that are open already', () => {
    const open = [
      { id: 'other', question: 'will Example.org show 100 or more at 2027-01-01, 12:00 UTC' },
    ];
    assert.ok(concerns({}, open).includes('look-alike'));
    assert.equal(similarity('a b c d', 'e f'), 0);
  });
});
