import assert from 'node:assert/strict';
import { endOf, namesOf, streetsOf, winnersOf, type Hand } from './handWords.ts';
import { placeOf } from './place.ts';

const at = '2026-11-20T12:00:00.000Z';
const digest = 'a'.repeat(64);
const move = (seat: number, street: string, name: string, bet: string, byClock = false) =>
  ({ seat, street, move: name, bet, at, ...(byClock && { byClock }) }) as Hand['actions'][number];

const HAND: Hand = {
  n: 3,
  seed: digest,
  commit: digest,
  entropy: digest,
  deckVersion: 1,
  voided: false,
  button: 1,
  smallBlind: '50',
  bigBlind: '100',
  players: [
    { seat: 1, account: 'key:a', startStack: '1500', endStack: '2000' },
    { seat: 2, account: 'key:b', startStack: '1500', endStack: '1000' },
  ],
  cards: {
    board: ['2c', '7d', 'Js', 'Qh', '3c'],
    holes: [
      { seat: 1, cards: ['As', 'Ad'], shown: true },
      { seat: 2, cards: ['Kh', 'Kd'], shown: false },
    ],
  },
  actions: [
    move(1, 'preflop', 'smallBlind', '50'),
    move(2, 'preflop', 'bigBlind', '100'),
    move(1, 'preflop', 'raise', '300'),
    move(2, 'preflop', 'call', '300'),
    move(2, 'flop', 'check', '0', true),
    move(1, 'flop', 'bet', '200'),
    move(2, 'flop', 'call', '200'),
  ],
  pots: [{ amount: '1000', eligible: [1, 2], winners: [{ seat: 1, amount: '1000' }] }],
  results: [
    { seat: 1, won: '500', lost: '0', hand: 'pair', best: ['As', 'Ad', 'Qh', 'Js', '7d'] },
    { seat: 2, won: '0', lost: '500' },
  ],
  startedAt: at,
  endedAt: at,
};
const players = [
  { seat: 1, account: 'key:a', name: 'Ann' },
  { seat: 2, account: 'key:b' },
];

describe('a hand in words', () => {
  it('says each move by street, a call by what it adds and a raise by its total', () => {
    const parts = streetsOf(HAND, namesOf(players, 'key:b'));
    assert.deepEqual(
      parts.map(({ title, board }) => [title, board.length]),
      [
        ['Before the flop', 0],
        ['Flop', 3],
        ['Turn', 1],
        ['River', 1],
      ],
    );
    const texts = parts.flatMap(({ lines }) => lines.map(({ text }) => text));
    assert.deepEqual(texts, [
      'Ann (seat 1) posts the small blind, 50.',
      'Seat 2 (you) posts the big blind, 100.',
      'Ann (seat 1) raises to 300.',
      'Seat 2 (you) calls 200.',
      'Seat 2 (you) checks (the time ran out).',
      'Ann (seat 1) bets 200.',
      'Seat 2 (you) calls 200.',
    ]);
  });

  it('ends with the hole cards of everybody and what each won or lost', () => {
    const nameOf = namesOf(players, undefined);
    assert.deepEqual(endOf(HAND, nameOf), [
      { text: 'Ann (seat 1) shows a pair and wins 500.', cards: ['As', 'Ad'] },
      { text: 'Seat 2 does not show and loses 500.', cards: ['Kh', 'Kd'] },
    ]);
    assert.equal(winnersOf(HAND, nameOf), 'Ann (seat 1) takes 1,000');
    assert.equal(winnersOf({ ...HAND, voided: true }, nameOf), 'cancelled');
  });
});

describe('the chairs round the table', () => {
  it('put the first seat at the bottom and the others clockwise', () => {
    assert.deepEqual(placeOf(3, 3, 4), { x: 0, y: 1 });
    assert.deepEqual(placeOf(4, 3, 4), { x: -1, y: 0 });
    assert.deepEqual(placeOf(1, 3, 4), { x: 0, y: -1 });
    assert.deepEqual(placeOf(2, 3, 4), { x: 1, y: 0 });
  });
});
