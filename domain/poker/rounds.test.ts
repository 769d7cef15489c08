import assert from 'node:assert/strict';
import { CASH, player, Room } from './fixture.ts';

const SEATS = [2, 4, 5, 6];
/** Players 2, 4, 5 and 6 at the seats of their numbers, in their first hand. */
const four = (): Room => {
  const room = new Room(CASH);
  for (const seat of SEATS) room.sit(seat, { buyIn: 5_000n, seat });
  return room.pass(1_000);
};
const foldOut = (room: Room): Room => {
  while (room.onTurn !== undefined) room.play('fold');
  return room;
};
const after = (seat: number, of: readonly number[] = SEATS): number =>
  of.find((each) => each > seat) ?? of[0] ?? 0;
const blinds = (room: Room) => {
  const { button, smallBlindSeat, bigBlindSeat = 0 } = room.table.dealt?.hand ?? {};
  return { button, smallBlindSeat, bigBlindSeat };
};

describe('hand after hand at a cash table', () => {
  it('moves button and blinds by one seat, and leaves the players in their seats', () => {
    const room = four();
    let { bigBlindSeat: big } = blinds(room);
    for (let hand = 2; hand <= 6; hand += 1) {
      foldOut(room).pass(1_000);
      const last = big;
      big = after(big);
      assert.deepEqual(blinds(room), {
        button: SEATS[(SEATS.indexOf(last) + 3) % 4],
        smallBlindSeat: last,
        bigBlindSeat: big,
      });
      assert.equal(room.table.hands, hand);
    }
    for (const seat of SEATS) assert.equal(room.of(seat).seat, seat);
    assert.deepEqual(room.takeEvents('level'), []);
  });

  it('has a dead small blind when its player has left', () => {
    const room = foldOut(four());
    const gone = room.records[0]?.actions[1]?.seat ?? 0;
    room.leave(gone);
    room.takeEvents();
    room.pass(1_000);
    const big = after(gone);
    assert.deepEqual([blinds(room).smallBlindSeat, blinds(room).bigBlindSeat], [undefined, big]);
    assert.deepEqual(room.takeEvents('blind'), [`blind ${big} 100`]);
    foldOut(room);
    const moves = room.records[1]?.actions.map(({ seat, move }) => `${move} ${seat}`) ?? [];
    assert.equal(moves[0], `bigBlind ${big}`);
    assert.match(moves[1] ?? '', /^fold /);
  });

  it('deals no player in who has left, though another one took the seat', () => {
    const room = four();
    const gone = room.onTurn?.seat ?? 0;
    room.leave(gone);
    foldOut(room);
    room.sit(9, { buyIn: 5_000n, seat: gone });
    assert.equal(room.of(9).state, 'waiting');
    for (let hand = 0; hand < 4; hand += 1) {
      room.pass(1_000);
      foldOut(room);
    }
    const left = room.table.players.find(({ account }) => account === player(gone));
    assert.deepEqual([left?.state, left?.stack], ['left', 0n]);
    assert.equal(room.of(9).state, 'ready');
  });

  it('lets a newcomer wait until the big blind comes to the seat', () => {
    const room = four();
    room.sit(3, { buyIn: 5_000n, seat: 3 });
    const all = [2, 3, 4, 5, 6];
    const states: string[] = [];
    let { bigBlindSeat: big } = blinds(room);
    while (after(big, all) !== 3) {
      foldOut(room).pass(1_000);
      big = after(big, all);
      assert.equal(blinds(room).bigBlindSeat, big);
      states.push(room.of(3).state);
    }
    assert.ok(states.every((state) => state === 'waiting'));
    foldOut(room).pass(1_000);
    assert.deepEqual([blinds(room).bigBlindSeat, room.of(3).state], [3, 'inHand']);
  });

  it('makes a newcomer ready when fewer than two are, and none who sits out', () => {
    const room = new Room(CASH).seat(5_000n, 5_000n).pass(1_000);
    const late = room.onTurn?.seat ?? 0;
    room.play('call', 'check', 'check').pass(30_000).play('check').pass(30_000).play('bet 100');
    room.sit(3, { buyIn: 5_000n, seat: 3 });
    assert.equal(room.of(3).state, 'waiting');
    room.pass(30_000);
    assert.deepEqual([room.of(3).state, room.of(late).state], ['ready', 'sittingOut']);
    assert.equal(room.table.dealAt, room.now + 1_000);
  });

  it('answers the move that ends a hand with what it put in', () => {
    const room = new Room(CASH).seat(5_000n, 5_000n).pass(1_000);
    room.play('allin');
    const seat = room.onTurn?.seat;
    const street = 'preflop';
    assert.deepEqual(room.move('call'), {
      hand: 1,
      seat,
      bet: 5_000,
      paid: 4_900,
      stack: 0,
      street,
    });
    assert.equal(room.table.dealt, undefined);
  });

  it('keeps the refusal of a seat whose time ran out, beside that of the next', () => {
    const room = four();
    const first = room.onTurn?.seat;
    room.move('check');
    room.pass(30_000);
    const second = room.onTurn?.seat;
    room.move('check');
    const seats = (): readonly number[] => room.table.refusals.map(({ seat }) => seat);
    assert.deepEqual(seats(), [first, second]);
    room.play('call');
    assert.deepEqual(seats(), [first]);
    foldOut(room);
    assert.deepEqual(seats(), []);
  });
});
