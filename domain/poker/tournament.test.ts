import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { player, Room, SNG } from './fixture.ts';
import { deckKey, drawnSeats, entropyOf, firstButton } from './shuffle.ts';
import { blindsOf, isAbsent, levelNow, levelUpAt, moneyAt, withPlayer } from './table.ts';

const started = (seats: number): Room => {
  const room = new Room({ ...SNG, seats });
  for (let nth = 1; nth <= seats; nth += 1) room.sit(nth);
  return room.pass(1_000);
};
/** The first player of each hand goes all in, and one other calls, until one has all chips. */
const playOut = (room: Room): Room => {
  for (let hand = 0; hand < 200 && room.table.state !== 'finished'; hand += 1) {
    room.play('allin');
    while (room.onTurn !== undefined) {
      const inHand = room.table.dealt?.hand.seats.filter(({ folded }) => !folded) ?? [];
      const isLast = inHand.length === 2;
      const moves = isLast ? (['allin', 'call'] as const) : (['fold'] as const);
      if (moves.every((move) => 'refused' in room.move(move))) throw new Error('no move is legal');
    }
    room.pass(1_000);
  }
  return room;
};

describe('a tournament', () => {
  it('is dealt a second after its last seat is taken', () => {
    const room = new Room(SNG).seat(10_000n, 10_000n);
    assert.equal(room.table.dealAt, undefined);
    room.sit(3);
    assert.equal(room.table.dealAt, room.now + 1_000);
    room.takeEvents();
    room.pass(1_000);
    assert.deepEqual(room.takeEvents().slice(0, 2), ['start', 'deal']);
    const { state, startedAt, hands, dealAt } = room.table;
    assert.deepEqual([state, startedAt, hands, dealAt], ['running', room.now, 1, undefined]);
  });

  it('draws seats and button from the key of the first hand', () => {
    const room = new Room({ ...SNG, seats: 5 });
    for (const [seat, nth] of [3, 1, 5, 2, 4].entries()) room.sit(nth, { seat: seat + 1 });
    const sat = room.table.players.map(({ seat, account }) => ({ seat, account }));
    const { nextSeed } = room.table;
    room.pass(1_000);
    const seed = createHash('sha256').update(nextSeed).digest();
    const key = deckKey({ seed, tableId: 'table', n: 1, entropy: entropyOf(sat) });
    assert.deepEqual(
      room.table.players.map(({ seat, account }) => [seat, account]),
      drawnSeats(key, sat).map(({ account }, nth) => [nth + 1, account]),
    );
    assert.equal(room.table.dealt?.hand.button, firstButton(key, 5) + 1);
    assert.deepEqual(room.table.dealt?.sat, sat);
    assert.equal(room.table.dealt?.entropy, entropyOf(sat));
  });

  it('raises the blinds with the eleventh hand', () => {
    const room = started(3);
    assert.deepEqual([levelNow(room.table), levelUpAt(room.table)], [1, 11]);
    const levels: string[] = [];
    for (let hand = 1; hand <= 11; hand += 1) {
      levels.push(...room.takeEvents('level'));
      if (hand < 11) {
        room.play('fold', 'fold');
        assert.equal(levelNow(room.table), hand < 10 ? 1 : 2, 'of the next hand');
        room.pass(1_000);
      }
    }
    assert.deepEqual(levels, ['level 30']);
    assert.deepEqual(blindsOf(room.table), { smallBlind: 15n, bigBlind: 30n });
    assert.equal(room.table.dealt?.hand.bigBlind, 30);
    assert.equal(room.records[9]?.level, 1);
    assert.deepEqual([levelNow(room.table), levelUpAt(room.table)], [2, 21]);
  });

  it('pays the buy-ins to its first places, and is finished', () => {
    const room = started(4);
    assert.equal(moneyAt(room.table), 40_000n);
    playOut(room);
    assert.deepEqual([room.table.state, room.table.finishedBecause], ['finished', 'won']);
    assert.equal(moneyAt(room.table), 0n);
    const places = room.table.players.map(({ place = 0 }) => place).sort();
    assert.deepEqual(places, [1, 2, 3, 4]);
    const at = (place: number) => room.table.players.find((each) => each.place === place);
    assert.deepEqual(
      [...room.payouts].sort((a, b) => Number(b.amount - a.amount)),
      [
        { account: at(1)?.account, amount: 26_000n, reason: 'poker.prize' },
        { account: at(2)?.account, amount: 14_000n, reason: 'poker.prize' },
      ],
    );
    assert.deepEqual(
      [1, 2, 3].map((place) => at(place)?.cashedOut),
      [26_000n, 14_000n, 0n],
    );
    assert.deepEqual([at(1)?.state, at(1)?.stack, at(2)?.state], ['ready', 6_000n, 'busted']);
    const last = room.takeEvents().slice(-3);
    const prizes = [`prize ${at(1)?.seat} 26000`, `prize ${at(2)?.seat} 14000`];
    assert.deepEqual([last.slice(0, 2).sort(), last[2]], [prizes.sort(), 'finish']);
    const outcome = room.leave(Number(at(1)?.account.slice(-1)));
    assert.deepEqual(outcome, { refused: 'not-seated', why: 'You do not sit at this table.' });
  });

  it('lets players with equal stacks who lose in one hand share the prizes of their places', () => {
    const room = started(9);
    room.play(...Array<string>(8).fill('allin'));
    if (room.onTurn !== undefined) room.play('call');
    assert.equal(room.table.finishedBecause, 'won');
    const winner = room.table.players.find(({ place }) => place === 1);
    assert.deepEqual(
      room.payouts.map(({ account, amount }) => [account === winner?.account, amount]),
      room.table.players.map(({ place }) => (place === 1 ? [true, 45_000n] : [false, 5_625n])),
    );
    const seats = room.events.flatMap(({ kind, seat }) => (kind === 'prize' ? [seat] : []));
    assert.deepEqual(seats, [1, 2, 3, 4, 5, 6, 7, 8, 9]);
  });

  it('does not wait for a player who was late twice, until the player is back', () => {
    const room = started(3);
    const late = Number(room.onTurn?.account.slice(-1));
    const isLate = (): boolean => room.onTurn?.account === player(late);
    for (let times = 0; times < 2; times += 1) {
      while (!isLate()) {
        if (room.onTurn === undefined) room.pass(1_000);
        else if ('refused' in room.move('check')) room.play('call');
      }
      assert.equal(isAbsent(room.table, room.of(late)), false);
      assert.equal(room.table.dealt?.turn?.deadline, room.now + 30_000);
      room.pass(30_000);
    }
    assert.deepEqual([room.of(late).timeouts, isAbsent(room.table, room.of(late))], [2, true]);
    while (!isLate()) {
      if (room.onTurn === undefined) room.pass(1_000);
      else if ('refused' in room.move('check')) room.play('call');
    }
    assert.equal(room.table.dealt?.turn?.deadline, room.now + 1_000);
    room.pass(1_000 + 15_001);
    assert.equal(room.of(late).timeouts, 3, 'an absent player gets no second clock');
  });

  it('gives the whole time to a player who returns on turn', () => {
    const room = started(3);
    const late = Number(room.onTurn?.account.slice(-1));
    const seat = room.of(late).seat;
    room.table = withPlayer(room.table, { ...room.of(late), timeouts: 2 });
    room.pass(500);
    const token = room.table.dealt?.turn?.token;
    assert.ok('did' in room.sit(late));
    const turn = room.table.dealt?.turn;
    assert.deepEqual([turn?.seat, turn?.deadline], [seat, room.now + 30_000]);
    assert.notEqual(turn?.token, token);
  });

  it('takes no player back who is out of it', () => {
    const room = started(3);
    const nth = Number(room.onTurn?.account.slice(-1));
    const { seat } = room.of(nth);
    room.table = withPlayer(room.table, { ...room.of(nth), timeouts: 2, place: 3 });
    const why = `You sit at seat ${seat}.`;
    assert.deepEqual(room.sit(nth), { refused: 'already-seated', why });
  });
});
