import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { cardText } from './cards.ts';
import { CASH, player, Room, SNG } from './fixture.ts';
import { entropyAfter, type HandRecord } from './record.ts';
import { commitTo, deckKey, entropyOf, shuffledDeck } from './shuffle.ts';

const seedOf = (name: string): Buffer => createHash('sha256').update(name).digest();
const cardsOf = ({ cards }: HandRecord, seat: number): readonly string[] => [
  ...(cards.holes.find((each) => each.seat === seat)?.cards ?? []),
  ...cards.board,
];
const START = '2026-11-28T12:00:01.000Z';

describe('the record of a hand', () => {
  it('shows all cards, and the seed to which the table was committed', () => {
    const room = new Room(CASH).seat(5_000n, 5_000n).pass(1_000);
    const { commit, entropy = '' } = room.table.dealt ?? {};
    room.play('fold');
    const [record] = room.records;
    const seed = seedOf('seed 1');
    assert.deepEqual([record?.seed, record?.commit], [seed.toString('hex'), commit]);
    assert.equal(record?.commit, commitTo(seed));
    const key = deckKey({ seed, tableId: 'table', n: 1, entropy });
    const [first, second, third, fourth] = shuffledDeck(key).map(cardText);
    const { button } = record;
    const holes = [
      { seat: button, cards: [second, fourth], shown: false },
      { seat: 3 - button, cards: [first, third], shown: false },
    ];
    assert.deepEqual(record.cards, { board: [], holes: holes.sort((a, b) => a.seat - b.seat) });
  });

  it('has every move and blind, and the chips before and after', () => {
    const room = new Room(CASH).seat(5_000n, 6_000n).pass(1_000);
    const { button = 0, bigBlindSeat = 0 } = room.table.dealt?.hand ?? {};
    room.now = (room.now + 2_500) as typeof room.now;
    room.play('call', 'check', 'bet 200').pass(30_000);
    const [record] = room.records;
    const own = { signatureDigest: 'signed', at: '2026-11-28T12:00:03.500Z' };
    assert.deepEqual(record?.actions, [
      { seat: button, street: 'preflop', move: 'smallBlind', bet: '50', at: START },
      { seat: bigBlindSeat, street: 'preflop', move: 'bigBlind', bet: '100', at: START },
      { seat: button, street: 'preflop', move: 'call', bet: '100', ...own },
      { seat: bigBlindSeat, street: 'preflop', move: 'check', bet: '100', ...own },
      { seat: bigBlindSeat, street: 'flop', move: 'bet', bet: '200', ...own },
      {
        seat: button,
        street: 'flop',
        move: 'fold',
        bet: '0',
        byClock: true,
        at: '2026-11-28T12:00:33.500Z',
      },
    ]);
    const before = (seat: number): number => (seat === 1 ? 5_000 : 6_000);
    const gain = (seat: number): number => (seat === bigBlindSeat ? 100 : -100);
    assert.deepEqual(
      record.players,
      [1, 2].map((seat) => ({
        seat,
        account: player(seat),
        startStack: `${before(seat)}`,
        endStack: `${before(seat) + gain(seat)}`,
      })),
    );
    assert.deepEqual(
      record.results,
      [1, 2].map((seat) =>
        seat === bigBlindSeat ? { seat, won: '100', lost: '0' } : { seat, won: '0', lost: '100' },
      ),
    );
    assert.deepEqual(record.pots, [
      { amount: '200', eligible: [bigBlindSeat], winners: [{ seat: bigBlindSeat, amount: '200' }] },
    ]);
    assert.equal(record.cards.board.length, 3);
    const { n, deckVersion, voided, smallBlind, bigBlind, startedAt, endedAt } = record;
    assert.deepEqual(
      [n, deckVersion, voided, smallBlind, bigBlind, startedAt, endedAt],
      [1, 1, false, '50', '100', START, '2026-11-28T12:00:33.500Z'],
    );
    assert.deepEqual(
      [record.level, record.sat],
      [undefined, [1, 2].map((seat) => ({ seat, account: player(seat) }))],
    );
  });

  it('names the hands of a showdown with the five cards that count', () => {
    const room = new Room(CASH).seat(5_000n, 5_000n).pass(1_000).play('allin', 'call');
    const [record] = room.records;
    assert.ok(record !== undefined);
    const { board } = record.cards;
    assert.equal(board.length, 5);
    assert.deepEqual(
      record.cards.holes.map(({ shown }) => shown),
      [true, true],
    );
    for (const { seat, hand, best = [] } of record.results) {
      const seven = cardsOf(record, seat);
      assert.notEqual(hand, undefined);
      assert.equal(best.length, 5);
      assert.equal(best.join(' '), seven.filter((card) => best.includes(card)).join(' '));
    }
    const events = room.events.filter(({ kind }) => kind === 'show' || kind === 'street');
    assert.deepEqual(
      events.map(({ kind, street, cards }) => [kind, street, cards?.length]),
      [
        ['show', undefined, 2],
        ['show', undefined, 2],
        ['street', 'flop', 3],
        ['street', 'turn', 1],
        ['street', 'river', 1],
      ],
    );
    assert.deepEqual(
      events.flatMap(({ kind, cards = [] }) => (kind === 'street' ? cards : [])),
      board,
    );
  });

  it('gives the entropy of the next hand, whose commitment stood before', () => {
    const room = new Room(CASH).seat(5_000n, 5_000n).pass(1_000);
    const { entropy, sat } = room.table.dealt ?? {};
    assert.equal(entropy, entropyOf(sat));
    const { nextCommit } = room.table;
    assert.equal(nextCommit, commitTo(seedOf('seed 2')));
    room.play('fold').pass(1_000);
    const [record] = room.records;
    assert.ok(record !== undefined);
    const { actions, players, results } = record;
    assert.equal(entropyAfter(record), entropyOf({ actions, players, results }));
    const { dealt } = room.table;
    assert.deepEqual(
      [dealt?.entropy, dealt?.commit, dealt?.sat, dealt?.hand.n],
      [entropyAfter(record), nextCommit, undefined, 2],
    );
    room.play('fold');
    assert.equal(room.records[1]?.sat, undefined);
  });

  it('has the level of a tournament', () => {
    const room = new Room(SNG).seat(10_000n, 10_000n, 10_000n).pass(1_000);
    room.play('fold', 'fold');
    const [record] = room.records;
    assert.deepEqual([record?.level, record?.bigBlind], [1, '20']);
  });
});

describe('the events of a table', () => {
  it('are numbered, and name the hand, seat, chips and time', () => {
    const room = new Room(CASH).seat(5_000n, 5_000n).pass(1_000);
    const { button, bigBlindSeat } = room.table.dealt?.hand ?? {};
    room.play('fold');
    const at = START;
    assert.deepEqual(room.events, [
      { seq: 1, at: '2026-11-28T12:00:00.000Z', kind: 'sit', seat: 1, amount: '5000' },
      { seq: 2, at: '2026-11-28T12:00:00.000Z', kind: 'sit', seat: 2, amount: '5000' },
      { seq: 3, at, kind: 'start' },
      { seq: 4, at, kind: 'deal', hand: 1 },
      { seq: 5, at, kind: 'blind', hand: 1, seat: button, amount: '50' },
      { seq: 6, at, kind: 'blind', hand: 1, seat: bigBlindSeat, amount: '100' },
      { seq: 7, at, kind: 'fold', hand: 1, seat: button, amount: '50' },
      { seq: 8, at, kind: 'refund', hand: 1, seat: bigBlindSeat, amount: '50' },
      { seq: 9, at, kind: 'win', hand: 1, seat: bigBlindSeat, amount: '100' },
      { seq: 10, at, kind: 'handEnd', hand: 1 },
    ]);
    assert.equal(room.table.seq, 10);
  });

  it('say once that the table has started', () => {
    const room = new Room(CASH).seat(5_000n, 5_000n).pass(1_000).play('fold').pass(1_000);
    assert.deepEqual(room.takeEvents('start', 'deal'), ['start', 'deal', 'deal']);
    assert.equal(room.table.startedAt, room.now - 1_000);
  });
});
