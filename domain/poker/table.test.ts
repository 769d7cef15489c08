import assert from 'node:assert/strict';
import { givenUpAt } from './between.ts';
import { CASH, player, Room, SNG } from './fixture.ts';
import { chipsOf, handSeatOf, moneyAt, playerAt, readySeats, waitingSeats } from './table.ts';

describe('the chips of a table', () => {
  it('are stacks, chips in the hand and top-ups together', () => {
    const room = new Room(CASH).seat(5_000n, 6_000n).pass(1_000);
    assert.equal(moneyAt(room.table), 11_000n);
    room.play('raise 300');
    room.sit(1, { buyIn: 700n });
    assert.equal(chipsOf(room.table, room.of(1)), 5_700n);
    assert.equal(moneyAt(room.table), 11_700n);
    room.sit(3, { buyIn: 4_000n });
    assert.deepEqual([moneyAt(room.table), waitingSeats(room.table)], [15_700n, [3]]);
    room.play('fold');
    assert.equal(moneyAt(room.table), 15_700n);
    room.leave(3);
    assert.equal(moneyAt(room.table), 11_700n);
  });

  it('are worth the buy-ins of a tournament, until it is finished', () => {
    const room = new Room(SNG).seat(10_000n, 10_000n);
    assert.equal(moneyAt(room.table), 20_000n);
    room.leave(1);
    assert.equal(moneyAt(room.table), 10_000n);
    room.pass(24 * 3_600_000);
    assert.equal(moneyAt(room.table), 0n);
  });

  it('are in the hand for who was dealt in, leaving or not', () => {
    const room = new Room(CASH).seat(5_000n, 5_000n, 5_000n).pass(1_000);
    room.sit(4, { buyIn: 5_000n });
    const [small = 0, big = 0] =
      room.table.dealt?.hand.seats
        .flatMap(({ seat, bet }) => (bet > 0 ? [[bet, seat]] : []))
        .sort(([a = 0], [b = 0]) => a - b)
        .map(([, seat = 0]) => seat) ?? [];
    assert.equal(handSeatOf(room.table, room.of(big))?.bet, 100);
    room.leave(small);
    assert.equal(handSeatOf(room.table, room.of(small))?.bet, 50);
    assert.equal(handSeatOf(room.table, room.of(4)), undefined);
    assert.equal(handSeatOf(room.table, { ...room.of(big), state: 'sittingOut' }), undefined);
  });
});

describe('who is dealt in', () => {
  it('is ready and has chips', () => {
    const room = new Room(CASH).seat(5_000n, 5_000n);
    assert.deepEqual(readySeats(room.table), [1, 2]);
    room.table = { ...room.table, players: [{ ...room.of(1), stack: 0n }, room.of(2)] };
    assert.deepEqual(readySeats(room.table), [2]);
    room.table = { ...room.table, players: [{ ...room.of(1), state: 'sittingOut' }, room.of(2)] };
    assert.deepEqual(readySeats(room.table), [2]);
  });

  it('waits for the big blind unless it alone would be ready', () => {
    const room = new Room(CASH).seat(5_000n, 5_000n).pass(1_000);
    room.sit(3, { buyIn: 5_000n });
    room.sit(4, { buyIn: 5_000n });
    assert.deepEqual(waitingSeats(room.table), [3, 4]);
    room.leave(room.onTurn?.seat ?? 0);
    assert.deepEqual(waitingSeats(room.table), [], 'one ready player is too few for a blind');
    assert.equal(readySeats(room.table).length, 3);
    assert.equal(room.table.dealAt, room.now + 1_000);
  });

  it('is found by seat and account, but not after leaving', () => {
    const room = new Room(CASH).seat(5_000n);
    assert.equal(playerAt(room.table, 1).account, player(1));
    room.leave(1);
    assert.throws(() => playerAt(room.table, 1), /^RangeError: no player sits at 1$/);
  });

  it('loses its seat when it is away, and in no other state', () => {
    const room = new Room(CASH).seat(5_000n);
    const since = room.now;
    const cases = [
      ['sittingOut', since + 600_000],
      ['busted', since + 60_000],
      ['ready', undefined],
      ['inHand', undefined],
    ] as const;
    for (const [state, at] of cases) {
      assert.equal(givenUpAt({ ...room.of(1), state, since }), at, state);
      assert.equal(givenUpAt({ ...room.of(1), state }), undefined);
    }
  });
});
