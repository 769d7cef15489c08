import assert from 'node:assert/strict';
import { CASH, player, Room, SNG } from './fixture.ts';

const nthOf = (room: Room): number => Number(room.onTurn?.account.slice(-1));

describe('standing up', () => {
  it('pays the stack at once between hands', () => {
    const room = new Room(CASH).seat(4_000n, 5_000n);
    room.takeEvents();
    const gone = room.of(1);
    assert.deepEqual(room.leave(1), { state: 'left', player: gone });
    assert.deepEqual(room.payouts, [
      { account: player(1), amount: 4_000n, reason: 'poker.cashout' },
    ]);
    assert.deepEqual(room.takeEvents(), ['leave 1 4000']);
    const [left] = room.table.players;
    assert.deepEqual(
      [left?.state, left?.stack, left?.cashedOut, left?.boughtIn],
      ['left', 0n, 4_000n, 4_000n],
    );
    assert.deepEqual([room.table.dealAt, room.table.emptySince], [undefined, undefined]);
    room.leave(2);
    assert.deepEqual([room.table.state, room.table.emptySince], ['open', room.now]);
  });

  it('is refused where one has no seat', () => {
    const room = new Room(CASH).seat(4_000n);
    const refused = { refused: 'not-seated', why: 'You do not sit at this table.' };
    assert.deepEqual(room.leave(2), refused);
    room.leave(1);
    assert.deepEqual(room.leave(1), refused);
    assert.equal(room.payouts.length, 1);
  });

  it('folds at once on turn, by the signature of the request', () => {
    const room = new Room(CASH).seat(5_000n, 5_000n).pass(1_000);
    const nth = nthOf(room);
    assert.equal((room.leave(nth) as { state: string }).state, 'left');
    const [record] = room.records;
    const { seat, move, byClock, signatureDigest } = record?.actions.at(-1) ?? {};
    assert.deepEqual([seat, move, byClock, signatureDigest], [nth, 'fold', undefined, 'leave']);
    assert.deepEqual(room.payouts, [
      { account: player(nth), amount: 4_950n, reason: 'poker.cashout' },
    ]);
    assert.equal(room.table.state, 'open');
  });

  it('waits for the end of a hand, and folds without delay when action comes', () => {
    const room = new Room(CASH).seat(5_000n, 5_000n, 5_000n).pass(1_000);
    const { button, smallBlindSeat = 0, bigBlindSeat } = room.table.dealt?.hand ?? {};
    assert.equal(room.onTurn?.seat, button);
    assert.equal((room.leave(smallBlindSeat) as { state: string }).state, 'leaving');
    assert.equal((room.leave(smallBlindSeat) as { state: string }).state, 'leaving');
    assert.deepEqual([room.of(smallBlindSeat).state, room.payouts], ['leaving', []]);
    room.play('call');
    const turn = room.table.dealt?.turn;
    assert.deepEqual([turn?.seat, turn?.deadline], [smallBlindSeat, room.now]);
    room.takeEvents();
    room.pass(0);
    assert.deepEqual(room.takeEvents(), [`fold ${smallBlindSeat} 50`]);
    assert.equal(room.onTurn?.seat, bigBlindSeat);
    room.play('check', 'check', 'check', 'check', 'check', 'check', 'check');
    assert.deepEqual(room.payouts, [
      { account: player(smallBlindSeat), amount: 4_950n, reason: 'poker.cashout' },
    ]);
    assert.equal(room.of(bigBlindSeat ?? 0).state, 'ready');
  });

  it('folds a leaving player although a check would be free', () => {
    const room = new Room(CASH).seat(5_000n, 5_000n, 5_000n).pass(1_000);
    const { bigBlindSeat = 0 } = room.table.dealt?.hand ?? {};
    room.leave(bigBlindSeat);
    room.play('call', 'call').pass(0);
    const fold = room.table.dealt?.actions.at(-1);
    assert.deepEqual([fold?.seat, fold?.move, fold?.byClock], [bigBlindSeat, 'fold', true]);
    const leaving = room.of(bigBlindSeat);
    assert.deepEqual([leaving.timeouts, leaving.clockMove], [0, undefined]);
  });

  it('pays the top-up of a hand with the stack', () => {
    const room = new Room(CASH).seat(5_000n, 5_000n, 5_000n).pass(1_000);
    const nth = nthOf(room);
    room.sit(nth, { buyIn: 700n });
    room.leave(nth);
    room.play('fold');
    assert.deepEqual(room.payouts, [
      { account: player(nth), amount: 5_700n, reason: 'poker.cashout' },
    ]);
  });

  it('returns the buy-in of a tournament before its start, and is refused afterwards', () => {
    const room = new Room(SNG).seat(10_000n, 10_000n, 10_000n);
    assert.notEqual(room.table.dealAt, undefined);
    const gone = room.of(2);
    assert.deepEqual(room.leave(2), { state: 'left', player: gone });
    assert.deepEqual(room.payouts, [
      { account: player(2), amount: 10_000n, reason: 'poker.cashout' },
    ]);
    assert.equal(room.table.dealAt, undefined);
    room.sit(2);
    room.pass(1_000);
    assert.deepEqual(room.leave(2), { refused: 'started', why: 'The tournament has started.' });
    assert.equal(room.of(2).state, 'inHand');
  });
});
