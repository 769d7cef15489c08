import assert from 'node:assert/strict';
import type { Hand } from './handWords.ts';
import { statisticsOf } from './statistics.ts';

type Move = Hand['actions'][number];
const move = (seat: number, name: string, bet: string, street = 'preflop') =>
  ({ seat, street, move: name, bet, at: '2026-01-01T00:00:00.000Z' }) as Move;

interface Played {
  readonly actions: readonly Move[];
  readonly winner: number;
  readonly voided?: boolean;
  readonly shown?: boolean;
  readonly second?: string;
}

/** A hand of two seats for 100 chips, as far as the numbers read it. */
function handOf({ actions, winner, voided = false, shown = false, second = 'key:b' }: Played) {
  const players = [
    { seat: 1, account: 'key:a' },
    { seat: 2, account: second },
  ];
  return {
    voided,
    actions,
    players,
    cards: { board: [], holes: players.map(({ seat }) => ({ seat, cards: [], shown })) },
    pots: [{ amount: '200', eligible: [1, 2], winners: [{ seat: winner, amount: '200' }] }],
    results: players.map(({ seat }) =>
      seat === winner ? { seat, won: '100', lost: '0' } : { seat, won: '0', lost: '100' },
    ),
  } as unknown as Hand;
}
const BLINDS = [move(1, 'smallBlind', '50'), move(2, 'bigBlind', '100')];

describe('the statistics of a table', () => {
  it('count who entered and raised before the flop, who won, and the chips', () => {
    const hands = [
      handOf({ actions: [...BLINDS, move(1, 'raise', '300'), move(2, 'call', '300')], winner: 1 }),
      handOf({ actions: [...BLINDS, move(1, 'fold', '50')], winner: 2 }),
      handOf({ actions: [...BLINDS, move(1, 'call', '100')], winner: 1, shown: true }),
    ];
    assert.deepEqual(statisticsOf(hands), [
      {
        seat: 1,
        account: 'key:a',
        hands: 3,
        won: 2,
        entered: 2,
        raised: 1,
        shown: 1,
        net: '100',
      },
      {
        seat: 2,
        account: 'key:b',
        hands: 3,
        won: 1,
        entered: 1,
        raised: 0,
        shown: 1,
        net: '-100',
      },
    ]);
  });

  it('take an all-in as a raise only if it is above the bets before it', () => {
    const call = [...BLINDS, move(1, 'raise', '300'), move(2, 'allin', '250')];
    const raise = [...BLINDS, move(1, 'raise', '300'), move(2, 'allin', '900')];
    const raisedBy = (actions: readonly Move[]) =>
      statisticsOf([handOf({ actions, winner: 1 })]).map(({ raised }) => raised);
    assert.deepEqual(raisedBy(call), [1, 0]);
    assert.deepEqual(raisedBy(raise), [1, 1]);
  });

  it('do not count later streets, checks or cancelled hands', () => {
    const late = [...BLINDS, move(1, 'check', '0', 'flop'), move(1, 'bet', '500', 'turn')];
    const [first] = statisticsOf([handOf({ actions: late, winner: 1 })]);
    assert.deepEqual([first?.entered, first?.raised], [0, 0]);
    assert.deepEqual(statisticsOf([handOf({ actions: late, winner: 1, voided: true })]), []);
    assert.deepEqual(statisticsOf([]), []);
  });

  it('keep two players apart that sat on one seat', () => {
    const hands = [
      handOf({ actions: BLINDS, winner: 1 }),
      handOf({ actions: BLINDS, winner: 2, second: 'key:c' }),
    ];
    assert.deepEqual(
      statisticsOf(hands).map(({ account, hands: n, net }) => [account, n, net]),
      [
        ['key:a', 2, '0'],
        ['key:b', 1, '-100'],
        ['key:c', 1, '100'],
      ],
    );
  });
});
