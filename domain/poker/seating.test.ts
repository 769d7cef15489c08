import assert from 'node:assert/strict';
import { CASH, MINUTE, OPENED_AT, player, Room, SNG } from './fixture.ts';
import type { Refused, SatDown, SeatRefusal } from './seating.ts';

const SEAT = 'body.seat';
const BUY_IN = 'body.buyIn';

const mustFail = (
  outcome: SatDown | Refused | object,
  refused: SeatRefusal,
  why: string,
  field?: string,
): void => assert.deepEqual(outcome, { refused, why, ...(field !== undefined && { field }) });

describe('sitting down', () => {
  it('takes the first free seat and the buy-in', () => {
    const room = new Room(CASH);
    assert.deepEqual(room.sit(1, { buyIn: 4_000n, name: ' Ann\u202e ' }), {
      did: 'sat',
      player: {
        seat: 1,
        account: player(1),
        name: 'Ann',
        state: 'ready',
        stack: 4_000n,
        topUp: 0n,
        timeouts: 0,
        joinedAt: OPENED_AT,
        boughtIn: 4_000n,
        cashedOut: 0n,
      },
      paid: 4_000n,
    });
    room.sit(2, { buyIn: 10_000n, seat: 3 });
    const third = room.sit(3, { buyIn: 5_000n, name: '\u200b' }) as SatDown;
    assert.deepEqual([third.player.seat, 'name' in third.player], [2, false]);
    assert.deepEqual(room.takeEvents(), ['sit 1 4000', 'sit 3 10000', 'sit 2 5000']);
    assert.equal(room.table.everSat, true);
  });

  it('gives a tournament player 1,500 chips for the buy-in of the table', () => {
    const room = new Room(SNG);
    const { player: sat, paid } = room.sit(1) as SatDown;
    assert.deepEqual(
      [sat.stack, sat.boughtIn, paid, sat.state],
      [1_500n, 10_000n, 10_000n, 'ready'],
    );
    assert.equal((room.sit(2, { buyIn: 10_000n }) as SatDown).paid, 10_000n);
    const why = 'A seat of this tournament costs 10000.';
    mustFail(room.sit(3, { buyIn: 9_999n }), 'buyin-range', why, BUY_IN);
  });

  it('is refused outside of the range of buy-ins', () => {
    const room = new Room(CASH);
    for (const buyIn of [undefined, 3_999n, 10_001n]) {
      const why = 'The buy-in is from 4000 to 10000.';
      mustFail(room.sit(1, buyIn === undefined ? {} : { buyIn }), 'buyin-range', why, BUY_IN);
    }
    assert.deepEqual(room.takeEvents(), []);
  });

  it('takes at least what a player left with in the last 30 minutes', () => {
    const half = 30 * MINUTE;
    const sit = (stack: bigint, agoMs: number, buyIn: bigint): SatDown | Refused => {
      const room = new Room(CASH).pass(0);
      const at = (room.now - agoMs) as typeof room.now;
      return room.sit(1, { buyIn, left: { stack, at } });
    };
    const south = 'You left with that much within the last 30 minutes.';
    const least = (units: number): string => `The buy-in is from ${units} to 10000. ${south}`;
    mustFail(sit(4_001n, half - 1, 4_000n), 'buyin-range', least(4_001), BUY_IN);
    mustFail(sit(50_000n, 0, 9_999n), 'buyin-range', least(10_000), BUY_IN);
    mustFail(sit(4_000n, 0, 3_999n), 'buyin-range', 'The buy-in is from 4000 to 10000.', BUY_IN);
    assert.ok('did' in sit(4_001n, half - 1, 4_001n));
    assert.ok('did' in sit(50_000n, 0, 10_000n));
    assert.ok('did' in sit(50_000n, half, 4_000n));
  });

  it('is refused at a seat that is taken or not there, and at a full table', () => {
    const room = new Room({ ...CASH, seats: 3 }).seat(5_000n);
    for (const seat of [0, 1, 4]) {
      const why = `Seat ${seat} is taken or does not exist; free: 2, 3.`;
      mustFail(room.sit(2, { buyIn: 5_000n, seat }), 'seat-taken', why, SEAT);
    }
    room.sit(2, { buyIn: 5_000n });
    room.sit(3, { buyIn: 5_000n });
    mustFail(room.sit(4, { buyIn: 5_000n }), 'table-full', 'All 3 seats are taken.');
    room.leave(2);
    assert.equal((room.sit(4, { buyIn: 5_000n }) as SatDown).player.seat, 2);
  });

  it('is refused beside a linked account, until that one has left', () => {
    const room = new Room(CASH).seat(5_000n);
    const wanted = { buyIn: 5_000n, party: [player(9), player(1)] };
    const why = 'An account linked to yours sits at this table.';
    mustFail(room.sit(2, wanted), 'linked-account', why);
    room.leave(1);
    assert.ok('did' in room.sit(2, wanted));
  });

  it('is refused at a finished table and in a running tournament', () => {
    const idle = new Room(CASH).pass(30 * MINUTE);
    mustFail(idle.sit(1, { buyIn: 5_000n }), 'wrong-state', 'This table is finished.');
    const running = new Room(SNG).seat(10_000n, 10_000n, 10_000n).pass(1_000);
    mustFail(running.sit(4), 'started', 'The tournament has started.');
  });

  it('waits for the big blind while a hand is played', () => {
    const room = new Room(CASH).seat(5_000n, 5_000n).pass(1_000);
    assert.equal((room.sit(3, { buyIn: 5_000n }) as SatDown).player.state, 'waiting');
  });

  it('replaces the seat that the same account left before', () => {
    const room = new Room(CASH).seat(5_000n);
    room.leave(1);
    assert.equal(room.table.emptySince, OPENED_AT);
    room.pass(MINUTE).sit(1, { buyIn: 6_000n, seat: 4 });
    assert.deepEqual(
      room.table.players.map(({ seat, boughtIn, cashedOut }) => [seat, boughtIn, cashedOut]),
      [[4, 6_000n, 0n]],
    );
    assert.equal(room.table.emptySince, undefined);
  });
});

describe('sitting where one has a seat', () => {
  it('tops up the stack between hands, to the largest buy-in', () => {
    const room = new Room(CASH).seat(4_000n);
    const why = 'You have 4000 and may top up to 10000, by at most 6000.';
    for (const buyIn of [0n, 6_001n]) {
      mustFail(room.sit(1, { buyIn }), 'buyin-range', why, BUY_IN);
    }
    const up = room.sit(1, { buyIn: 6_000n }) as SatDown;
    assert.deepEqual(
      [up.did, up.paid, up.player.stack, up.player.topUp, up.player.boughtIn],
      ['toppedUp', 6_000n, 10_000n, 0n, 10_000n],
    );
    assert.deepEqual(room.takeEvents('topUp'), ['topUp 1 6000']);
    assert.deepEqual(room.of(1), up.player);
  });

  it('tops up in a hand for the time after it, counting the chips in the hand', () => {
    const room = new Room(CASH).seat(5_000n, 5_000n).pass(1_000);
    const why = 'You have 5000 and may top up to 10000, by at most 5000.';
    mustFail(room.sit(1, { buyIn: 5_001n }), 'buyin-range', why, BUY_IN);
    room.sit(1, { buyIn: 2_000n });
    const { player: after } = room.sit(1, { buyIn: 3_000n }) as SatDown;
    assert.deepEqual([after.state, after.stack, after.topUp], ['inHand', 5_000n, 5_000n]);
    room.play('fold');
    const [first, second] = [room.of(1), room.of(2)];
    assert.deepEqual([first.topUp, second.topUp], [0n, 0n]);
    assert.deepEqual([first.stack + second.stack, first.boughtIn], [15_000n, 10_000n]);
  });

  it('cannot top up a stack that is above the largest buy-in', () => {
    const room = new Room(CASH).seat(10_000n, 10_000n).pass(1_000);
    const winner = room.onTurn?.seat === 1 ? 2 : 1;
    room.play('fold');
    const why = 'You have 10050 and may top up to 10000, by at most 0.';
    mustFail(room.sit(winner, { buyIn: 1n }), 'buyin-range', why, BUY_IN);
  });

  it('is refused without a buy-in, and while one is leaving', () => {
    const room = new Room(CASH).seat(5_000n, 5_000n, 5_000n).pass(1_000);
    mustFail(room.sit(2), 'already-seated', 'You sit at seat 2.');
    const nth = room.onTurn?.seat === 1 ? 2 : 1;
    room.leave(nth);
    for (const wanted of [{}, { buyIn: 100n }]) {
      mustFail(room.sit(nth, wanted), 'already-seated', 'You are leaving when the hand ends.');
    }
  });

  it('returns a tournament player whom the clock played for', () => {
    const room = new Room(SNG).seat(10_000n, 10_000n, 10_000n).pass(1_000);
    const seat = room.onTurn?.seat ?? 0;
    const nth = Number(room.onTurn?.account.slice(-1));
    mustFail(room.sit(nth), 'already-seated', `You sit at seat ${seat}.`);
    room.pass(30_000);
    assert.equal(room.of(nth).timeouts, 1);
    mustFail(room.sit(nth, { buyIn: 10_000n }), 'already-seated', `You sit at seat ${seat}.`);
    room.takeEvents();
    const back = room.sit(nth) as SatDown;
    assert.deepEqual([back.did, back.paid, back.player.timeouts], ['returned', 0n, 0]);
    assert.deepEqual([room.of(nth), room.takeEvents()], [back.player, [`return ${seat}`]]);
  });
});
