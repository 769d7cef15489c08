import assert from 'node:assert/strict';
import { dealsNow, dueAt } from './clock.ts';
import { CASH, MINUTE, OPENED_AT, player, Room, SNG } from './fixture.ts';

const nthOf = (room: Room): number => Number(room.onTurn?.account.slice(-1));
const three = (): Room => new Room(CASH).seat(5_000n, 5_000n, 5_000n).pass(1_000);

describe('the clock of a table', () => {
  it('is due at the deal, the end of a turn, and then no more', () => {
    const room = new Room({ ...CASH, actSeconds: 5 });
    assert.equal(dueAt(room.table), OPENED_AT + 30 * MINUTE);
    room.seat(5_000n);
    assert.equal(dueAt(room.table), undefined, 'one player waits for another');
    room.sit(2, { buyIn: 5_000n });
    assert.equal(dueAt(room.table), OPENED_AT + 1_000);
    room.pass(999);
    assert.equal(room.table.dealt, undefined);
    room.pass(1);
    assert.equal(dueAt(room.table), room.now + 5_000);
    for (const nth of [1, 2]) room.leave(nth);
    room.pass(5_000);
    assert.equal(dueAt(room.table), room.now - 5_000 + 30 * MINUTE);
    room.pass(30 * MINUTE);
    assert.equal(dueAt(room.table), undefined, 'it is finished');
  });

  it('deals when no hand is under way and the time has come', () => {
    const room = new Room(CASH).seat(5_000n, 5_000n);
    const dealAt = OPENED_AT + 1_000;
    assert.deepEqual(
      [dealAt - 1, dealAt].map((at) => dealsNow(room.table, at as typeof room.now)),
      [false, true],
    );
    room.pass(1_000);
    assert.equal(dealsNow(room.table, room.now), false);
    assert.equal(dealsNow(new Room(CASH).table, room.now), false);
  });

  it('checks for a late player where that is free, and folds elsewhere', () => {
    const room = new Room(CASH).seat(5_000n, 5_000n, 5_000n, 5_000n).pass(1_000);
    const first = nthOf(room);
    room.takeEvents();
    room.pass(29_999);
    assert.deepEqual(room.takeEvents(), []);
    room.pass(1);
    assert.deepEqual(room.takeEvents(), [`fold ${first} 0`]);
    const { timeouts, clockMove } = room.of(first);
    assert.deepEqual([timeouts, clockMove], [1, { hand: 1, move: 'fold', at: OPENED_AT + 31_000 }]);
    assert.equal(room.table.dealt?.actions.at(-1)?.byClock, true);
    room.play('call', 'call');
    const big = nthOf(room);
    room.pass(30_000);
    assert.deepEqual(room.of(big).clockMove?.move, 'check');
    assert.equal(room.table.dealt?.hand.street, 'flop');
  });

  it('marks the move of the clock in the events, and nothing else of that step', () => {
    const room = new Room(CASH).seat(5_000n, 5_000n).pass(1_000);
    room.play('call');
    room.events.length = 0;
    room.pass(30_000);
    const { bigBlindSeat } = room.table.dealt?.hand ?? {};
    assert.deepEqual(
      room.events.map(({ kind, seat, byClock }) => [kind, seat, byClock]),
      [
        ['check', bigBlindSeat, true],
        ['street', undefined, undefined],
      ],
    );
  });

  it('gives a full clock to a seat that ran out more than 15 seconds ago', () => {
    const room = three();
    const { seq, privateSeq, dealt } = room.table;
    room.pass(30_000 + 15_001);
    const turn = room.table.dealt?.turn;
    assert.deepEqual([turn?.seat, turn?.deadline], [dealt?.turn?.seat, room.now + 30_000]);
    assert.notEqual(turn?.token, dealt?.turn?.token);
    assert.deepEqual([room.table.seq, room.table.privateSeq], [seq, privateSeq + 1]);
    assert.equal(room.of(nthOf(room)).timeouts, 0);
    const nth = nthOf(room);
    room.pass(30_000 + 15_000);
    assert.equal(room.of(nth).timeouts, 1);
  });

  it('gives none to a player who leaves', () => {
    const room = three();
    const nth = nthOf(room);
    const other = [1, 2, 3].find((each) => each !== nth) ?? 0;
    room.leave(other);
    room.play('call');
    if (nthOf(room) !== other) room.play('call');
    room.pass(15_001);
    assert.equal(room.table.dealt?.hand.seats[other - 1]?.folded, true);
  });
});

describe('a cash player who comes too late twice in a row', () => {
  /** Heads-up: the small blind acts last after the flop, and is late on the flop and the turn. */
  const late = (room: Room): number => {
    const nth = nthOf(room);
    room.play('call', 'check', 'check').pass(30_000).play('check').pass(30_000);
    assert.equal(room.of(nth).timeouts, 2);
    return nth;
  };
  const sittingOut = (): { readonly room: Room; readonly nth: number; readonly other: number } => {
    const room = new Room(CASH).seat(5_000n, 5_000n).pass(1_000);
    const nth = late(room);
    room.takeEvents();
    room.play('bet 100').pass(30_000);
    return { room, nth, other: 3 - nth };
  };

  it('sits out after the hand, and the table waits', () => {
    const { room, nth, other } = sittingOut();
    assert.deepEqual(room.takeEvents('fold', 'sitOut'), [`fold ${nth} 0`, `sitOut ${nth}`]);
    const { state, since, stack } = room.of(nth);
    assert.deepEqual([state, since, stack], ['sittingOut', room.now, 4_900n]);
    assert.deepEqual([room.of(other).state, room.table.state], ['ready', 'open']);
    assert.equal(room.table.dealAt, undefined);
  });

  it('stays when it moved by itself in between', () => {
    const room = new Room(CASH).seat(5_000n, 5_000n).pass(1_000);
    const nth = nthOf(room);
    room.play('call', 'check', 'check').pass(30_000).play('check', 'check');
    assert.equal(room.of(nth).timeouts, 0);
    room.play('bet 100').pass(30_000);
    const { state, timeouts, clockMove } = room.of(nth);
    assert.deepEqual([state, timeouts, clockMove?.move], ['ready', 1, 'fold']);
    assert.equal(room.table.dealAt, room.now + 1_000);
  });

  it('returns to an open table ready for the next hand', () => {
    const { room, nth } = sittingOut();
    room.takeEvents();
    const back = room.sit(nth);
    assert.ok('did' in back);
    assert.deepEqual(
      [back.did, back.paid, back.player.state, back.player.timeouts, back.player.since],
      ['returned', 0n, 'ready', 0, undefined],
    );
    assert.deepEqual([room.of(nth), room.takeEvents()], [back.player, [`return ${nth}`]]);
    assert.equal(room.table.dealAt, room.now + 1_000);
  });

  it('returns by a top-up as well', () => {
    const { room, nth } = sittingOut();
    room.takeEvents();
    const back = room.sit(nth, { buyIn: 100n });
    assert.ok('did' in back);
    assert.deepEqual(
      [back.did, back.paid, back.player.state, back.player.stack],
      ['toppedUp', 100n, 'ready', 5_000n],
    );
    assert.deepEqual(room.takeEvents(), [`topUp ${nth} 100`, `return ${nth}`]);
  });

  it('waits for the big blind when it returns to a hand of others', () => {
    const { room, nth } = sittingOut();
    room.sit(3, { buyIn: 5_000n });
    room.pass(1_000);
    assert.equal(room.table.state, 'running');
    room.sit(nth);
    assert.equal(room.of(nth).state, 'waiting');
  });

  it('is paid out after ten minutes', () => {
    const { room, nth } = sittingOut();
    assert.equal(dueAt(room.table), room.now + 10 * MINUTE);
    room.pass(10 * MINUTE - 1);
    assert.equal(room.of(nth).state, 'sittingOut');
    room.takeEvents();
    room.pass(1);
    assert.deepEqual(room.takeEvents(), [`leave ${nth} 4900`]);
    assert.deepEqual(room.payouts, [
      { account: player(nth), amount: 4_900n, reason: 'poker.cashout' },
    ]);
  });
});

describe('a cash player who lost all chips', () => {
  /** All in before the flop: one of the two has 10,000 afterwards. */
  const busted = (): { readonly room: Room; readonly nth: number } => {
    const room = new Room(CASH).seat(5_000n, 5_000n).pass(1_000);
    room.takeEvents();
    room.play('allin', 'call');
    return { room, nth: [1, 2].find((each) => room.of(each).state === 'busted') ?? 0 };
  };

  it('keeps the seat for a minute, and has left then with nothing', () => {
    const { room, nth } = busted();
    assert.deepEqual(room.takeEvents('bust', 'win'), [`win ${3 - nth} 10000`, `bust ${nth}`]);
    assert.deepEqual([room.of(nth).stack, room.of(nth).since], [0n, room.now]);
    assert.deepEqual([room.of(3 - nth).state, room.table.state], ['ready', 'open']);
    room.pass(MINUTE - 1);
    assert.equal(room.of(nth).state, 'busted');
    room.pass(1);
    assert.deepEqual(room.takeEvents(), [`leave ${nth} 0`]);
    assert.deepEqual(room.payouts, []);
  });

  it('returns by a top-up, which is no return from sitting out', () => {
    const { room, nth } = busted();
    room.takeEvents();
    assert.ok('did' in room.sit(nth, { buyIn: 10_000n }));
    assert.deepEqual(
      [room.of(nth).state, room.of(nth).stack, room.of(nth).since],
      ['ready', 10_000n, undefined],
    );
    assert.deepEqual(room.takeEvents(), [`topUp ${nth} 10000`]);
    assert.equal(room.table.dealAt, room.now + 1_000);
  });

  it('is not busted with a top-up that was bought in the hand', () => {
    const room = new Room(CASH).seat(5_000n, 5_000n).pass(1_000);
    for (const nth of [1, 2]) room.sit(nth, { buyIn: 700n });
    room.play('allin', 'call');
    const stacks = [room.of(1).stack, room.of(2).stack].map(Number).sort((a, b) => a - b);
    assert.deepEqual(stacks, [700, 10_700]);
    assert.deepEqual([room.of(1).state, room.of(2).state], ['ready', 'ready']);
  });
});

describe('a table that is not used', () => {
  it('is finished 30 minutes after its last player left, or after it was made', () => {
    const room = new Room(CASH).pass(30 * MINUTE - 1);
    room.seat(5_000n).pass(5 * MINUTE);
    room.leave(1);
    room.pass(30 * MINUTE - 1);
    assert.equal(room.table.state, 'open');
    room.takeEvents();
    room.pass(1);
    const { state, finishedAt, finishedBecause } = room.table;
    assert.deepEqual([state, finishedAt, finishedBecause], ['finished', room.now, 'idle']);
    assert.deepEqual(room.takeEvents(), ['finish']);
  });

  it('returns the buy-ins of a tournament that is not full after a day', () => {
    const room = new Room(SNG).seat(10_000n, 10_000n);
    const day = 24 * 60 * MINUTE;
    assert.equal(dueAt(room.table), OPENED_AT + day);
    room.pass(day - 1);
    assert.deepEqual(room.payouts, []);
    room.pass(1);
    assert.deepEqual(
      room.payouts,
      [1, 2].map((nth) => ({ account: player(nth), amount: 10_000n, reason: 'poker.cashout' })),
    );
    assert.deepEqual([room.table.state, room.table.finishedBecause], ['finished', 'not-filled']);
  });

  it('deals a full tournament that the clock reaches late', () => {
    const room = new Room(SNG).seat(10_000n, 10_000n, 10_000n).pass(25 * 60 * MINUTE);
    assert.deepEqual([room.table.state, room.payouts], ['running', []]);
  });
});

describe('a hand of an older engine', () => {
  it('is voided: stacks are as before it, and the seed is shown', () => {
    const room = three();
    room.play('raise 300', 'call');
    room.sit(1, { buyIn: 100n });
    room.table = { ...room.table, engine: 0 };
    const { commit = '', actions = [] } = room.table.dealt ?? {};
    room.takeEvents();
    room.pass(0);
    assert.deepEqual(room.takeEvents(), ['handVoid']);
    assert.deepEqual(
      [1, 2, 3].map((nth) => room.of(nth).stack),
      [5_100n, 5_000n, 5_000n],
    );
    assert.deepEqual(
      [1, 2, 3].map((nth) => room.of(nth).state),
      ['ready', 'ready', 'ready'],
    );
    assert.deepEqual([room.table.engine, room.table.dealt], [1, undefined]);
    assert.equal(room.table.dealAt, room.now + 1_000);
    const [record] = room.records;
    assert.deepEqual(
      [record?.voided, record?.commit, record?.actions.length, record?.pots],
      [true, commit, actions.length, []],
    );
    assert.deepEqual(record?.results[0], { seat: 1, won: '0', lost: '0' });
    assert.equal(record?.players[0]?.endStack, '5000');
  });

  it('is none when no hand is under way', () => {
    const room = new Room(CASH);
    room.table = { ...room.table, engine: 0 };
    room.pass(0);
    assert.deepEqual([room.table.engine, room.events, room.records], [1, [], []]);
  });
});
