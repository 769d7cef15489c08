import assert from 'node:assert/strict';
import { act, type ActRefused } from './act.ts';
import { CASH, player, Room, SNG } from './fixture.ts';

/** Two players with 5,000; the one on turn has the small blind and the button. */
const headsUp = (): Room => new Room(CASH).seat(5_000n, 5_000n).pass(1_000);
const otherOf = (room: Room): number => (room.onTurn?.seat === 1 ? 2 : 1);

describe('a move at a table', () => {
  it('says what it put in and what is left', () => {
    const room = headsUp();
    const [seat = 0, other] = [room.onTurn?.seat, otherOf(room)];
    assert.deepEqual(room.move('raise', 300n), {
      hand: 1,
      seat,
      bet: 300,
      paid: 250,
      stack: 4_700,
      street: 'preflop',
    });
    assert.deepEqual(room.move('call'), {
      hand: 1,
      seat: other,
      bet: 300,
      paid: 200,
      stack: 4_700,
      street: 'preflop',
    });
    assert.deepEqual(room.move('check'), {
      hand: 1,
      seat: other,
      bet: 0,
      paid: 0,
      stack: 4_700,
      street: 'flop',
    });
    room.play('bet 100');
    assert.deepEqual(room.move('fold'), {
      hand: 1,
      seat: other,
      bet: 0,
      paid: 0,
      stack: 4_700,
      street: 'flop',
    });
  });

  it('gives the next player another token and the whole time to act', () => {
    const room = new Room({ ...CASH, actSeconds: 20 }).seat(5_000n, 5_000n).pass(1_000);
    const first = room.table.dealt?.turn;
    room.now = (room.now + 7_000) as typeof room.now;
    room.play('call');
    const turn = room.table.dealt?.turn;
    assert.notEqual(turn?.token, first?.token);
    assert.deepEqual([turn?.since, turn?.deadline], [room.now, room.now + 20_000]);
  });

  it('is recorded with its signature and its time', () => {
    const room = headsUp();
    const seat = room.onTurn?.seat;
    room.play('call');
    assert.deepEqual(room.table.dealt?.actions.at(-1), {
      seat,
      street: 'preflop',
      move: 'call',
      bet: 100,
      signatureDigest: 'signed',
      at: room.now,
    });
  });

  const mustRefuse = (outcome: object, refused: ActRefused['refused'], why: string): void =>
    assert.deepEqual(outcome, { refused, why, spent: refused === 'illegal-move' });

  it('is refused for who has no seat, is not on turn or has another token', () => {
    const room = headsUp();
    const [mine, token = ''] = [room.onTurn?.seat ?? 0, room.table.dealt?.turn?.token];
    const actAs = (nth: number, by: string) =>
      room.run((session) =>
        act(session, { account: player(nth), token: by, move: 'fold', signatureDigest: 'x' }),
      );
    const before = room.table;
    mustRefuse(actAs(3, token), 'not-seated', 'You do not sit at this table.');
    mustRefuse(actAs(otherOf(room), token), 'not-your-turn', 'It is not your turn.');
    const old = 'The token is not that of this turn; each is good for one move.';
    mustRefuse(actAs(mine, 'token 0'), 'act-token', old);
    assert.equal(room.table, before);
    room.play('fold');
    mustRefuse(actAs(mine, token), 'not-your-turn', 'It is not your turn.');
  });

  it('spends the token when it is not legal, and leaves the clock as it was', () => {
    const room = headsUp();
    const [seat = 0, first] = [room.onTurn?.seat, room.table.dealt?.turn];
    const { seq, privateSeq } = room.table;
    room.now = (room.now + 4_000) as typeof room.now;
    const check = 'check is not legal here; legal: fold, call, raise, allin';
    mustRefuse(room.move('check'), 'illegal-move', check);
    const turn = room.table.dealt?.turn;
    assert.notEqual(turn?.token, first?.token);
    assert.deepEqual([turn?.since, turn?.deadline], [first?.since, first?.deadline]);
    assert.deepEqual([room.table.seq, room.table.privateSeq], [seq, privateSeq + 1]);
    const refusal = { seat, code: 'illegal-move', at: room.now };
    assert.deepEqual(room.table.refusals, [{ ...refusal, says: check, move: 'check' }]);
    const small = 'raise is to a total of 200 to 5000, not 199';
    mustRefuse(room.move('raise', 199n), 'illegal-move', small);
    assert.deepEqual(room.table.refusals, [
      { ...refusal, says: small, move: 'raise', amount: 199n },
    ]);
  });

  it('says to who comes too late what the clock did meanwhile, until its next own move', () => {
    const room = new Room(SNG).seat(10_000n, 10_000n, 10_000n).pass(1_000);
    const late = room.onTurn?.account ?? player(0);
    const actLate = (token: string) =>
      room.run((session) =>
        act(session, { account: late, token, move: 'fold', signatureDigest: 'x' }),
      );
    room.pass(30_000);
    const reason =
      ' Your time ran out at 2026-11-28T12:00:31.000Z, in hand 1: the clock made a fold for you.';
    mustRefuse(actLate('token 1'), 'not-your-turn', `It is not your turn.${reason}`);
    room.play('fold').pass(1_000);
    while (room.onTurn?.account !== late) room.play('fold').pass(1_000);
    const old = 'The token is not that of this turn; each is good for one move.';
    mustRefuse(actLate('token 1'), 'act-token', `${old}${reason}`);
    const { clockMove } = room.onTurn;
    assert.deepEqual([clockMove?.hand, clockMove?.move], [1, 'fold']);
    room.play('call');
    const mine = room.table.players.find(({ account }) => account === late);
    assert.deepEqual([mine?.clockMove, mine?.timeouts], [undefined, 0]);
    mustRefuse(actLate('token 1'), 'not-your-turn', 'It is not your turn.');
  });
});
