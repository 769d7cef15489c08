import assert from 'node:assert/strict';
import type { Account } from '../account.ts';
import { CASH, player, Room, SNG } from './fixture.ts';

const grouped = (...players: readonly number[]): ReadonlyMap<Account, string> =>
  new Map(players.map((nth) => [player(nth), 'one party']));

describe('accounts that were linked after they sat down', () => {
  const left = (room: Room): readonly number[] =>
    room.table.players.filter(({ state }) => state === 'left').map(({ seat }) => seat);

  it('stand up from a cash table before the next hand, but for the first of them', () => {
    const room = new Room(CASH).seat(4_000n);
    for (const nth of [2, 3]) {
      room.now = (room.now + 10) as typeof room.now;
      room.sit(nth, { buyIn: 5_000n });
    }
    room.table = { ...room.table, players: [...room.table.players].reverse() };
    room.takeEvents();
    room.pass(1_000, grouped(3, 1));
    assert.deepEqual(left(room), [3]);
    assert.deepEqual(room.takeEvents('leave', 'deal'), ['leave 3 5000', 'deal']);
    assert.deepEqual(room.payouts, [
      { account: player(3), amount: 5_000n, reason: 'poker.cashout' },
    ]);
    const dealtIn = room.table.dealt?.hand.seats.map(({ seat }) => seat);
    assert.deepEqual(dealtIn, [1, 2]);
  });

  it('leave a table open that has too few players without them', () => {
    const room = new Room(CASH).seat(4_000n, 4_000n).pass(1_000, grouped(1, 2));
    assert.deepEqual([left(room), room.table.state], [[2], 'open']);
    assert.equal(room.table.dealAt, undefined);
  });

  it('are of different parties when their groups differ or are not known', () => {
    const two = new Map([
      [player(1), 'one'],
      [player(2), 'two'],
    ]);
    for (const groups of [two, new Map<Account, string>(), grouped(2)]) {
      const room = new Room(CASH).seat(4_000n, 4_000n).pass(1_000, groups);
      assert.deepEqual([left(room), room.table.hands], [[], 1]);
    }
  });

  it('get their buy-ins back before a tournament starts, which waits for others', () => {
    const room = new Room(SNG).seat(10_000n, 10_000n, 10_000n).pass(1_000, grouped(2, 3));
    assert.deepEqual(left(room), [3]);
    assert.deepEqual(room.payouts, [
      { account: player(3), amount: 10_000n, reason: 'poker.cashout' },
    ]);
    const { state, dealAt, startedAt, buyIn } = room.table;
    assert.deepEqual([state, dealAt, startedAt, buyIn], ['open', undefined, undefined, 10_000n]);
    room.sit(4);
    assert.equal(room.table.dealAt, room.now + 1_000);
  });

  it('are out of a running tournament at once, with the places that they have then', () => {
    const room = new Room({ ...SNG, seats: 4 });
    for (const nth of [1, 2, 3, 4]) room.pass(10).sit(nth);
    room.pass(1_000);
    while (room.onTurn !== undefined) room.play('fold');
    room.takeEvents();
    room.pass(1_000, grouped(1, 2, 3));
    const out = room.table.players.filter(({ place }) => place !== undefined && place > 1);
    assert.deepEqual(
      out.map(({ account, state }) => [account, state]).sort(),
      [2, 3].map((nth) => [player(nth), 'busted']),
    );
    const [rich, poor] = [...out].sort((a, b) => Number(b.stack - a.stack));
    const isTie = rich?.stack === poor?.stack;
    assert.deepEqual([rich?.place, poor?.place], isTie ? [3, 3] : [3, 4]);
    assert.equal(room.takeEvents('bust').length, 2);
    assert.deepEqual([room.table.state, room.table.hands], ['running', 2]);
    const dealtIn = room.table.dealt?.hand.seats.map(({ seat }) => seat);
    assert.equal(dealtIn?.length, 2);
    room.play('fold').pass(1_000, grouped(1, 2, 3));
    assert.equal(room.takeEvents('bust').length, 0, 'who is out is not out again');
  });

  it('end a tournament that has one player without them', () => {
    const room = new Room(SNG);
    for (const nth of [1, 2, 3]) room.pass(10).sit(nth);
    room.pass(1_000);
    while (room.onTurn !== undefined) room.play('fold');
    room.pass(1_000, grouped(1, 2, 3));
    assert.deepEqual([room.table.state, room.table.finishedBecause], ['finished', 'won']);
    assert.equal(room.table.players.find(({ place }) => place === 1)?.account, player(1));
    assert.deepEqual(room.payouts, [
      { account: player(1), amount: 30_000n, reason: 'poker.prize' },
    ]);
  });
});
