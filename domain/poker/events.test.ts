import assert from 'node:assert/strict';
import { legalMoves, smallestRaise } from './betting.ts';
import { cardText, parseCards } from './cards.ts';
import { categoryOf, score } from './evaluate.ts';
import { Played, type Written } from './fixture.ts';
import { chipsIn, clockwiseFrom, dealt, seatOf } from './hand.ts';
import { decidePots, potsInPlay } from './pots.ts';

const THREE: Written = {
  blinds: [50, 100],
  stacks: [1_000, 1_000, 1_000],
  button: 1,
  small: 2,
  big: 3,
  holes: { 1: 'As Ah', 2: '7c 2d', 3: 'Ks Kh' },
  board: 'Ad 8c 4h 9s Js',
};
const cards = parseCards;

describe('the events of a hand', () => {
  it('are its moves, its streets and what no other seat matched', () => {
    const played = new Played(THREE).play('1:raise 300', '2:fold', '3:call');
    played.play('3:check', '1:bet 200', '3:raise 500', '1:fold');
    assert.deepEqual(played.events, [
      { kind: 'deal' },
      { kind: 'blind', seat: 2, amount: 50 },
      { kind: 'blind', seat: 3, amount: 100 },
      { kind: 'raise', seat: 1, amount: 300 },
      { kind: 'fold', seat: 2, amount: 50 },
      { kind: 'call', seat: 3, amount: 300 },
      { kind: 'street', street: 'flop', cards: cards('Ad 8c 4h') },
      { kind: 'check', seat: 3, amount: 0 },
      { kind: 'bet', seat: 1, amount: 200 },
      { kind: 'raise', seat: 3, amount: 500 },
      { kind: 'fold', seat: 1, amount: 200 },
      { kind: 'refund', seat: 3, amount: 300 },
    ]);
    const { pots, stacks, made, events } = decidePots(played.hand, played.deal);
    assert.deepEqual(pots, [
      { amount: 1_050, eligible: [3], winners: [{ seat: 3, amount: 1_050 }] },
    ]);
    assert.deepEqual(
      [...stacks],
      [
        [1, 500],
        [2, 950],
        [3, 1_550],
      ],
    );
    assert.deepEqual([made.size, events], [0, [{ kind: 'win', seat: 3, amount: 1_050 }]]);
  });

  it('show the cards and turn the rest when all are in', () => {
    const played = new Played(THREE).play('1:call', '2:call', '3:check', '2:check', '3:bet 100');
    played.play('1:raise 300', '2:fold', '3:allin');
    const before = played.events.length;
    played.play('1:call');
    assert.deepEqual(played.events.slice(before), [
      { kind: 'call', seat: 1, amount: 900 },
      { kind: 'show', seat: 3, cards: cards('Ks Kh') },
      { kind: 'show', seat: 1, cards: cards('As Ah') },
      { kind: 'street', street: 'turn', cards: cards('9s') },
      { kind: 'street', street: 'river', cards: cards('Js') },
    ]);
    assert.deepEqual([played.hand.street, played.hand.boardCount], ['showdown', 5]);
    const { made } = decidePots(played.hand, played.deal);
    assert.deepEqual(
      [...made].map(([seat, { category }]) => [seat, category]),
      [
        [1, 'three-of-a-kind'],
        [3, 'pair'],
      ],
    );
  });
});

describe('the cards that are shown', () => {
  it('are in the order of the seats when all are in before the river', () => {
    const played = new Played(THREE).play('1:call', '2:call', '3:check');
    played.play('2:check', '3:bet 100', '1:allin', '2:fold', '3:call');
    assert.deepEqual([played.hand.shown, played.hand.street], [[3, 1], 'showdown']);
  });
});

describe('the pots of a hand in play', () => {
  it('are one for each stack that is all in, the smallest first', () => {
    const seats = [
      { seat: 1, stack: 0, total: 100, folded: false },
      { seat: 2, stack: 0, total: 60, folded: false },
      { seat: 3, stack: 900, total: 100, folded: false },
    ];
    assert.deepEqual(potsInPlay(seats), [
      { amount: 180, eligible: [1, 2, 3] },
      { amount: 80, eligible: [1, 3] },
    ]);
    assert.deepEqual(potsInPlay([]), []);
  });
});

describe('a street', () => {
  it('begins without bets, and with the big blind as the smallest one', () => {
    const played = new Played(THREE).play('1:raise 400', '2:call', '3:call');
    const { currentBet, lastFullRaise, aggressor, seats, toAct } = played.hand;
    assert.deepEqual([currentBet, lastFullRaise, aggressor, toAct], [0, 100, undefined, 2]);
    assert.deepEqual(
      seats.map(({ bet, total, facedAt }) => [bet, total, facedAt]),
      [400, 400, 400].map((total) => [0, total, undefined]),
    );
    assert.equal(smallestRaise(played.hand), 100);
    played.play('2:bet 150');
    assert.equal(smallestRaise(played.hand), 300);
    played.play('3:raise 300');
    assert.deepEqual([smallestRaise(played.hand), played.hand.aggressor], [450, 3]);
  });

  it('names no move once the hand is decided', () => {
    const played = new Played(THREE).play('1:fold', '2:fold');
    assert.deepEqual(legalMoves(played.hand), []);
  });

  it('names what a call and an all-in take off the stack', () => {
    const played = new Played({ ...THREE, stacks: [1_000, 1_000, 300] }).play('1:raise 500');
    played.play('2:fold');
    assert.deepEqual(legalMoves(played.hand), [
      { move: 'fold' },
      { move: 'call', costs: 200 },
      { move: 'allin', costs: 200 },
    ]);
    assert.deepEqual(legalMoves(new Played(THREE).hand), [
      { move: 'fold' },
      { move: 'call', costs: 100 },
      { move: 'raise', minimum: 200, maximum: 1_000 },
      { move: 'allin', costs: 1_000 },
    ]);
  });
});

describe('a raise', () => {
  it('may be of the whole stack, also where that is the smallest one', () => {
    const played = new Played({ ...THREE, stacks: [200, 1_000, 1_000] });
    assert.deepEqual(legalMoves(played.hand)[2], { move: 'raise', minimum: 200, maximum: 200 });
    played.play('1:raise 200', '2:raise 1000');
    assert.equal(played.hand.seats[1]?.stack, 0);
    const short = new Played({ ...THREE, stacks: [199, 1_000, 1_000] });
    assert.deepEqual(
      legalMoves(short.hand).map(({ move }) => move),
      ['fold', 'call', 'allin'],
    );
    const legal = 'raise is not legal here; legal: fold, call, allin';
    assert.equal(short.attempt('1:raise 199'), legal);
  });
});

describe('a deck', () => {
  it('gives two cards to each seat, one at a time from the left of the button', () => {
    const deck = Array.from({ length: 52 }, (_, card) => card);
    const { holes, board } = dealt(deck, [2, 5, 8], 5);
    assert.deepEqual(
      [...holes],
      [
        [8, [0, 3]],
        [2, [1, 4]],
        [5, [2, 5]],
      ],
    );
    assert.deepEqual(board, [6, 7, 8, 9, 10]);
    assert.equal(dealt(deck.slice(0, 11), [2, 5, 8], 5).board.length, 5);
    const short = (): unknown => dealt(deck.slice(0, 10), [2, 5, 8], 5);
    assert.throws(short, /^RangeError: a deck has 52 cards$/);
  });

  it('has cards with a rank and a suit', () => {
    assert.deepEqual([0, 12, 13, 51].map(cardText), ['2c', 'Ac', '2d', 'As']);
    assert.deepEqual(parseCards(' 2c\n Ac 2d  As '), [0, 12, 13, 51]);
    for (const text of ['A', 'Ax', '1s', 'Asd', 'sA']) {
      assert.throws(() => parseCards(text), new RangeError(`not a card: ${text}`));
    }
    assert.equal(cardText(-1), '??');
  });

  it('is dealt clockwise, the position itself last', () => {
    assert.deepEqual(clockwiseFrom([1, 3, 5, 7], 3), [5, 7, 1, 3]);
    assert.deepEqual(clockwiseFrom([7, 5, 3, 1], 4), [5, 7, 1, 3]);
    assert.deepEqual(clockwiseFrom([], 4), []);
  });
});

describe('what no hand has', () => {
  it('is an error', () => {
    const { hand } = new Played(THREE);
    assert.equal(seatOf(hand, 3).seat, 3);
    assert.throws(() => seatOf(hand, 4), new RangeError('seat 4 is not in the hand'));
    assert.equal(chipsIn(9_007_199_254_740_991n), 9_007_199_254_740_991);
    assert.throws(() => chipsIn(9_007_199_254_740_992n));
    assert.throws(() => categoryOf(9 << 20), new RangeError(`not a score: ${9 << 20}`));
    assert.equal(categoryOf(score(parseCards('2c 3c 4c 5c 7d'))), 'high-card');
  });
});
