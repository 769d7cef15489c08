import assert from 'node:assert/strict';
import { legalMoves } from './betting.ts';
import { decidePots, potsInPlay, potsOf } from './pots.ts';
import { Played } from './fixture.ts';
import type { Written } from './fixture.ts';

function stacksAfter(played: Played): Readonly<Record<string, number>> {
  const { stacks } = decidePots(played.hand, played.deal);
  return Object.fromEntries(stacks);
}

function legal(played: Played): readonly string[] {
  return legalMoves(played.hand).map(
    ({ move, minimum, maximum }) => move + (minimum === undefined ? '' : ` ${minimum}-${maximum}`),
  );
}

const six = (stacks: readonly number[], more: Partial<Written> = {}): Written => ({
  blinds: [50, 100],
  stacks,
  button: 1,
  small: 2,
  big: 3,
  ...more,
});

describe('betting: who acts', () => {
  it('begins left of the big blind and gives the big blind its option', () => {
    const played = new Played(six([1000, 1000, 1000, 1000]));
    assert.equal(played.hand.toAct, 4);
    played.play('4:call', '1:call', '2:call');
    assert.equal(played.hand.toAct, 3);
    assert.deepEqual(legal(played), ['fold', 'check', 'raise 200-1000', 'allin']);
    played.play('3:check');
    assert.equal(played.hand.street, 'flop');
    assert.equal(played.hand.toAct, 2, 'left of the button after the flop');
  });

  it('TDA 34-B heads-up: the button posts the small blind, acts first, and last after the flop', () => {
    const played = new Played({
      blinds: [50, 100],
      stacks: [1000, 1000],
      button: 1,
      small: 1,
      big: 2,
    });
    assert.equal(played.hand.toAct, 1);
    played.play('1:call', '2:check');
    assert.equal(played.hand.toAct, 2);
  });

  it('ends at once when all but one fold, and shows nothing', () => {
    const played = new Played(six([1000, 1000, 1000])).play('1:fold', '2:fold');
    assert.equal(played.hand.toAct, undefined);
    assert.deepEqual(played.hand.shown, []);
    assert.deepEqual(stacksAfter(played), { 1: 1000, 2: 950, 3: 1050 });
  });

  it('refuses who is not on turn and moves that are not there', () => {
    const played = new Played(six([1000, 1000, 1000, 1000]));
    const notLegal = (move: string): string =>
      `${move} is not legal here; legal: fold, call, raise, allin`;
    const cases = [
      ['1:fold', notLegal('fold')],
      ['4:check', notLegal('check')],
      ['4:bet 200', notLegal('bet')],
      ['4:raise 199', 'raise is to a total of 200 to 1000, not 199'],
      ['4:raise 1001', 'raise is to a total of 200 to 1000, not 1001'],
      ['4:raise', 'raise needs the amount of the total bet'],
      ['4:call 100', 'call takes no amount'],
      ['4:fold 0', 'fold takes no amount'],
    ] as const;
    for (const [text, why] of cases) assert.equal(played.attempt(text), why, text);
    assert.equal(played.hand.toAct, 4);
  });
});

describe('betting: how much', () => {
  it('TDA 43-A: a raise is at least the last full raise', () => {
    const played = new Played(six([10_000, 10_000, 10_000, 10_000])).play('4:raise 500');
    assert.deepEqual(legal(played), ['fold', 'call', 'raise 900-10000', 'allin']);
    played.play('1:raise 900');
    assert.deepEqual(legal(played), ['fold', 'call', 'raise 1300-10000', 'allin']);
  });

  it('TDA 47-A: short all-ins add up; who faces a full raise may raise, who does not may not', () => {
    // Button 1; on the flop 2 (A) bets 100, 3 (B) all-in 125, 4 (C) calls, 5 (D) all-in 200, 6 (E) calls.
    const played = new Played(six([5000, 5000, 225, 5000, 300, 5000]));
    played.play('4:call', '5:call', '6:call', '1:call', '2:call', '3:check');
    played.play('2:bet 100', '3:allin', '4:call', '5:allin', '6:call', '1:fold');
    assert.equal(played.hand.toAct, 2);
    assert.deepEqual(legal(played), ['fold', 'call', 'raise 300-4900', 'allin']);
    played.play('2:call');
    assert.equal(played.hand.toAct, 4);
    assert.deepEqual(legal(played), ['fold', 'call'], 'C faces 75 only');
  });

  it('TDA 47-A: one short all-in reopens nothing for who raised', () => {
    const played = new Played(six([5000, 650, 5000, 5000])).play('4:raise 500', '1:call');
    played.play('2:allin', '3:fold');
    assert.equal(played.hand.toAct, 4);
    assert.deepEqual(legal(played), ['fold', 'call']);
  });

  it('lets no seat raise when every other live seat is all in', () => {
    const played = new Played(six([300, 0, 5000, 5000], { small: 1, big: 3, button: 4 }));
    played.play('4:fold', '1:allin');
    assert.equal(played.hand.toAct, 3);
    assert.deepEqual(legal(played), ['fold', 'call']);
  });

  it('offers no bet or raise that no other seat can pay a part of', () => {
    const table = { blinds: [2, 4], button: 3, small: 1, big: 2 } as const;
    const offered = (stacks: readonly number[], ...moves: readonly string[]) => {
      const { hand } = new Played({ ...table, stacks }).play(...moves);
      return [hand.toAct, ...legalMoves(hand).map(({ move }) => move)];
    };
    const both = [2, 'fold', 'call'];
    assert.deepEqual(offered([100, 1_000, 40], '3:call', '1:allin'), both);
    assert.deepEqual(offered([100, 1_000, 100], '3:call', '1:allin'), both);
    const raised = [2, 'fold', 'call', 'raise', 'allin'];
    assert.deepEqual(offered([100, 1_000, 101], '3:call', '1:allin'), raised);
    assert.deepEqual(offered([100, 1_000, 40], '3:fold', '1:call'), [
      2,
      'fold',
      'check',
      'raise',
      'allin',
    ]);
    assert.deepEqual(offered([100, 1_000, 40], '3:call', '1:raise 60'), raised);
    assert.deepEqual(offered([60, 1_000, 40], '3:allin', '1:call'), [
      2,
      'fold',
      'call',
      'raise',
      'allin',
    ]);
    assert.deepEqual(offered([40, 1_000, 40], '3:call', '1:call', '2:raise 60'), [
      3,
      'fold',
      'call',
      'allin',
    ]);
    const hand = new Played({ ...table, stacks: [100, 1_000, 40] }).play('3:call', '1:allin');
    assert.match(hand.attempt('2:raise 200') ?? '', /legal: fold, call$/);
    assert.match(hand.attempt('2:allin') ?? '', /legal: fold, call$/);
    assert.equal(hand.attempt('2:call'), undefined);
  });

  it('WSOP short big blind: to call is the whole blind, and the least raise is twice that', () => {
    const played = new Played(six([5000, 5000, 60, 5000]));
    assert.deepEqual(
      legalMoves(played.hand).find(({ move }) => move === 'call'),
      { move: 'call', costs: 100 },
    );
    assert.deepEqual(legal(played), ['fold', 'call', 'raise 200-5000', 'allin']);
    played.play('4:fold', '1:fold', '2:call');
    assert.equal(played.hand.toAct, undefined, 'no opponent is left to bet against');
    assert.ok(played.events.some((e) => e.kind === 'refund' && e.seat === 2 && e.amount === 40));
  });

  it('runs the board out when the blinds alone put everybody all in', () => {
    const played = new Played({ blinds: [50, 100], stacks: [50, 60], button: 1, small: 1, big: 2 });
    assert.equal(played.hand.toAct, undefined);
    assert.equal(played.hand.boardCount, 5);
    assert.deepEqual([...played.hand.shown].sort(), [1, 2]);
  });

  it('opens with less than the big blind only all in, and that reopens nothing', () => {
    const played = new Played(six([1000, 150, 1000])).play('1:call', '2:call', '3:check');
    assert.deepEqual(legal(played), ['fold', 'check', 'allin']);
    played.play('2:allin');
    assert.equal(played.hand.currentBet, 50);
    assert.deepEqual(legal(played), ['fold', 'call', 'raise 150-900', 'allin']);
  });
});

describe('pots', () => {
  it('side pots of four all-ins come out as PokerKit has them (choices poker.references)', () => {
    const played = new Played({
      blinds: [5, 10],
      stacks: [150, 1000, 400, 2500],
      button: 1,
      small: 2,
      big: 3,
      holes: { 1: 'As Ah', 2: 'Qs Qh', 3: 'Ks Kh', 4: 'Js Jh' },
      board: '2c 7d 9h 3s 4c',
    }).play('4:allin', '1:allin', '2:allin', '3:allin');
    assert.deepEqual(stacksAfter(played), { 1: 600, 2: 1200, 3: 750, 4: 1500 });
  });

  it('TDA 20: odd chips go one at a time, left of the button first, in each pot by itself', () => {
    const played = new Played({
      blinds: [10, 20],
      stacks: [1000, 1000, 1000, 23],
      button: 1,
      small: 2,
      big: 3,
      holes: { 1: 'As Kh', 2: 'Ad Kc', 3: 'Ac Kd', 4: '2c 2d' },
      board: 'Ah Qs Js 9d 3h',
    });
    played.play('4:allin', '1:call', '2:call', '3:call');
    played.play('2:bet 20', '3:call', '1:call', '2:check', '3:check', '1:check');
    played.play('2:check', '3:check', '1:check');
    const { pots } = decidePots(played.hand, played.deal);
    assert.deepEqual(pots, [
      {
        amount: 92,
        eligible: [1, 2, 3, 4],
        winners: [
          { seat: 2, amount: 31 },
          { seat: 3, amount: 31 },
          { seat: 1, amount: 30 },
        ],
      },
      {
        amount: 60,
        eligible: [1, 2, 3],
        winners: [
          { seat: 2, amount: 20 },
          { seat: 3, amount: 20 },
          { seat: 1, amount: 20 },
        ],
      },
    ]);
  });

  it('143 three ways is 48, 48 and 47', () => {
    const played = new Played({
      blinds: [1, 2],
      stacks: [47, 48, 48],
      button: 1,
      small: 2,
      big: 3,
      holes: { 1: 'As Kh', 2: 'Ad Kc', 3: 'Ac Kd' },
      board: 'Ah Qs Js 9d 3h',
    }).play('1:allin', '2:allin', '3:call');
    assert.deepEqual(stacksAfter(played), { 1: 47, 2: 48, 3: 48 });
  });

  it('counts folded chips and lets folded seats win nothing', () => {
    assert.deepEqual(
      potsOf([
        { seat: 1, total: 100, folded: true },
        { seat: 2, total: 50, folded: false },
        { seat: 3, total: 100, folded: false },
        { seat: 4, total: 100, folded: false },
      ]),
      [
        { amount: 200, eligible: [2, 3, 4] },
        { amount: 150, eligible: [3, 4] },
      ],
    );
  });

  it('make a side pot for a seat that is all-in, and none for unequal blinds', () => {
    const seat = (nth: number, stack: number, total: number, folded = false) => {
      return { seat: nth, stack, total, folded };
    };
    const blinds = [seat(1, 950, 50), seat(2, 900, 100), seat(3, 1_000, 0)];
    assert.deepEqual(potsInPlay(blinds), [{ amount: 150, eligible: [1, 2, 3] }]);
    const short = [seat(1, 950, 50), seat(2, 0, 60), seat(3, 900, 100)];
    assert.deepEqual(potsInPlay(short), [
      { amount: 170, eligible: [1, 2, 3] },
      { amount: 40, eligible: [1, 3] },
    ]);
    const folded = [seat(1, 900, 100, true), seat(2, 0, 60), seat(3, 940, 60, true)];
    assert.deepEqual(potsInPlay(folded), [{ amount: 220, eligible: [2] }]);
  });

  it('shows the last aggressor of the river first, else the first seat left of the button', () => {
    const checked = ['1:call', '2:call', '3:check', '2:check', '3:check', '1:check'];
    const turn = ['2:check', '3:check', '1:check'];
    const aggressed = new Played(six([1000, 1000, 1000])).play(...checked, ...turn);
    aggressed.play('2:check', '3:bet 100', '1:call', '2:call');
    assert.deepEqual(aggressed.hand.shown, [3, 1, 2]);
    const quiet = new Played(six([1000, 1000, 1000])).play(...checked, ...turn, ...turn);
    assert.deepEqual(quiet.hand.shown, [2, 3, 1]);
  });
});

describe('a hundred thousand random moves', () => {
  it('end every hand, make or lose no chip, and leave none negative', () => {
    let state = 20_261;
    const random = (below: number): number => {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
      return Math.floor((state / 2 ** 32) * below);
    };
    let moves = 0;
    while (moves < 100_000) {
      const count = 2 + random(8);
      const stacks = Array.from({ length: count }, () => 1 + random(random(2) === 0 ? 50 : 3000));
      const button = 1 + random(count);
      const small = count === 2 ? button : (button % count) + 1;
      const played = new Played({
        blinds: [5, 10],
        stacks,
        button,
        small,
        big: (small % count) + 1,
      });
      while (played.hand.toAct !== undefined) {
        const options = legalMoves(played.hand);
        const { move, minimum, maximum } = options[random(options.length)] ?? { move: 'fold' };
        const span = (maximum ?? 0) - (minimum ?? 0);
        const sized = minimum === undefined ? '' : ` ${minimum + random(span + 1)}`;
        played.play(`${played.hand.toAct}:${move}${sized}`);
        moves += 1;
        assert.ok(played.hand.seats.every(({ stack }) => stack >= 0));
      }
      const { stacks: after, pots } = decidePots(played.hand, played.deal);
      const sum = (chips: Iterable<number>): number => [...chips].reduce((a, b) => a + b, 0);
      assert.equal(sum(after.values()), sum(stacks));
      for (const { amount, winners } of pots) {
        assert.equal(sum(winners.map((winner) => winner.amount)), amount);
      }
    }
  });
});
