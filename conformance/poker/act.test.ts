import assert from 'node:assert/strict';
import { mustOk, mustRefuse } from '../harness/must.ts';
import { act, at, balanceOf, dealt, handsOf, newSng, onEachDatabase, onTurn } from './_table.ts';
import { playOut, table, TABLES, view, type Body } from './_table.ts';

onEachDatabase('poker.act', (room) => {
  it('takes a move with the token of the turn, and passes the turn on', async () => {
    const id = await dealt(room(), 3);
    const turn = await onTurn(room(), id);
    assert.ok(turn !== undefined);
    const raised = await act(turn.player, id, turn.seen['token'], {
      move: 'raise',
      amount: '3000',
    });
    const body = mustOk(raised);
    assert.deepEqual([body['bet'], body['hand'], body['street']], ['3000', 1, 'preflop']);
    const now = await table(room(), id);
    assert.equal(at(now, 'hand', 'currentBet'), '3000');
    assert.equal(at(now, 'hand', 'minRaiseTo'), '5000');
    assert.notEqual(at(now, 'hand', 'toAct', 'seat'), turn.seen['seat']);
    await playOut(room(), id);
  });

  it('spends the token when it refuses, says why in the seat view, and leaves the clock', async () => {
    const id = await dealt(room(), 2);
    const turn = await onTurn(room(), id);
    assert.ok(turn !== undefined);
    const { player, seen } = turn;
    const bad = { move: 'raise', amount: 1_500 };
    const refused = mustRefuse(await act(player, id, seen['token'], bad), 400, 'illegal-move');
    assert.match(String(refused['error']), /2000 to/);
    const after = await view(player, id);
    assert.notEqual(after['token'], seen['token']);
    assert.equal(after['deadline'], seen['deadline']);
    assert.deepEqual(
      [at(after, 'lastRefusal', 'code'), at(after, 'lastRefusal', 'amount')],
      ['illegal-move', '1500'],
    );
    mustRefuse(await act(player, id, seen['token'], { move: 'call' }), 400, 'act-token');
    mustRefuse(await act(player, id, 'short', { move: 'call' }), 400, 'act-token');
    mustOk(await act(player, id, after['token'], { move: 'call' }));
    assert.equal((await view(player, id))['lastRefusal'], undefined);
    await playOut(room(), id);
  });

  const outOfRange: readonly (readonly [string, Body])[] = [
    ['below the minimum', { move: 'raise', amount: '1999' }],
    ['above the stack', { move: 'raise', amount: '100001' }],
    ['of the largest amount there is', { move: 'raise', amount: '1000000000000000' }],
    ['without an amount', { move: 'raise' }],
    ['that this street does not have', { move: 'bet', amount: '2000' }],
    ['without a bet to check on', { move: 'check' }],
    ['with an amount that it does not take', { move: 'call', amount: '1000' }],
  ];
  it('lists the legal moves in every refusal of a move', async () => {
    const id = await dealt(room(), 2);
    for (const [name, move] of outOfRange) {
      const turn = await onTurn(room(), id);
      assert.ok(turn !== undefined);
      const answer = await act(turn.player, id, turn.seen['token'], move);
      const refused = mustRefuse(answer, 400, 'illegal-move');
      const legal = /fold, call for 500, raise to a total of 2000 to 100000, allin for 99500/;
      assert.match(String(refused['hint']), legal, name);
    }
    const turn = await onTurn(room(), id);
    assert.ok(turn !== undefined);
    const wrong = await act(turn.player, id, 'AAAAAAAAAAAAAAAAAAAAAA', { move: 'fold' });
    assert.match(String(mustRefuse(wrong, 400, 'act-token')['hint']), /legal moves: fold, call/);
    const other = room().players.find((each) => each !== turn.player);
    assert.ok(other !== undefined);
    const early = await act(other, id, turn.seen['token'], { move: 'fold' });
    assert.match(String(mustRefuse(early, 400, 'not-your-turn')['hint']), /no legal move now/);
    await playOut(room(), id);
  });

  const malformed: readonly (readonly [string, Body])[] = [
    ['a fraction of a chip', { move: 'raise', amount: '2000.5' }],
    ['a fraction as a number', { move: 'raise', amount: 2000.5 }],
    ['a negative amount', { move: 'raise', amount: '-2000' }],
    ['an amount in words', { move: 'raise', amount: 'all of it' }],
    ['an amount beyond every table', { move: 'raise', amount: '10000000000000000000' }],
    ['a move that does not exist', { move: 'straddle' }],
  ];
  it('leaves the token when the request does not have the form of a move', async () => {
    const id = await dealt(room(), 2);
    const turn = await onTurn(room(), id);
    assert.ok(turn !== undefined);
    for (const [name, move] of malformed) {
      const answer = await act(turn.player, id, turn.seen['token'], move);
      assert.equal(answer.status, 400, name);
      assert.notEqual(answer.body['code'], 'illegal-move', name);
    }
    mustOk(await act(turn.player, id, turn.seen['token'], { move: 'call' }));
    await playOut(room(), id);
  });

  it('refuses a move after the hand, and one at a table that is finished', async () => {
    const id = await dealt(room(), 2);
    const turn = await onTurn(room(), id);
    assert.ok(turn !== undefined);
    const { player, seen } = turn;
    mustOk(await act(player, id, seen['token'], { move: 'fold' }));
    const late = await act(player, id, seen['token'], { move: 'fold' });
    mustRefuse(late, 400, 'not-your-turn');
    const sng = await newSng(room(), 2);
    const [first] = room().players;
    assert.ok(first !== undefined);
    mustOk(await first.post(`${TABLES}/${sng}/sit`, {}));
    room().world.hub.clock.advance(24 * 3_600 + 1);
    assert.equal((await table(room(), sng))['state'], 'finished');
    const answer = await act(first, sng, seen['token'], { move: 'fold' });
    assert.equal(answer.status, 400);
    assert.ok(['not-seated', 'not-your-turn'].includes(String(answer.body['code'])));
  });

  it('takes one of the moves that race with one token', async () => {
    const id = await dealt(room(), 2);
    const turn = await onTurn(room(), id);
    assert.ok(turn !== undefined);
    const { player, seen } = turn;
    const racing = [1, 2, 3].map(() => act(player, id, seen['token'], { move: 'call' }));
    const statuses = (await Promise.all(racing)).map(({ status }) => status);
    assert.deepEqual(statuses.sort(), [200, 400, 400]);
    await playOut(room(), id);
  });

  it('refuses who does not sit, who is not on turn, and tables that are not there', async () => {
    const id = await dealt(room(), 2);
    const turn = await onTurn(room(), id);
    assert.ok(turn !== undefined);
    const token = turn.seen['token'];
    const other = room()
      .players.slice(0, 2)
      .find((each) => each !== turn.player);
    const stranger = room().players[3];
    assert.ok(other !== undefined && stranger !== undefined);
    mustRefuse(await act(other, id, token, { move: 'fold' }), 400, 'not-your-turn');
    mustRefuse(await act(stranger, id, token, { move: 'fold' }), 400, 'not-seated');
    const nowhere = '01938c7a-9d4e-7c31-8a55-0b6f2d1e4c90';
    mustRefuse(await act(other, nowhere, token, { move: 'fold' }), 404, 'not-found');
    await playOut(room(), id);
  });

  it('times out: checks when that is free, else folds; twice running sits out', async () => {
    const id = await dealt(room(), 3, { actSeconds: 5 });
    const turn = await onTurn(room(), id);
    assert.ok(turn !== undefined);
    room().world.hub.clock.advance(5);
    const late = await act(turn.player, id, turn.seen['token'], { move: 'call' });
    mustRefuse(late, 400, 'not-your-turn');
    const folded = ((await table(room(), id))['players'] as Body[]).filter(
      (each) => each['folded'],
    );
    assert.deepEqual(
      folded.map(({ seat }) => seat),
      [turn.seen['seat']],
    );
    await playOut(room(), id);
    const [record] = await handsOf(room(), id);
    const first = (record?.['actions'] as Body[])[2];
    assert.deepEqual(
      [first?.['move'], first?.['byClock'], first?.['signatureDigest']],
      ['fold', true, undefined],
    );
  });

  it('moves chips only: no balance changes in a hand', async () => {
    const id = await dealt(room(), 3);
    const before = await Promise.all(room().players.map(balanceOf));
    await playOut(room(), id);
    assert.deepEqual(await Promise.all(room().players.map(balanceOf)), before);
    const stacks = ((await table(room(), id))['players'] as Body[]).map((each) =>
      Number(each['stack']),
    );
    assert.equal(
      stacks.reduce((sum, stack) => sum + stack, 0),
      300_000,
    );
  });
});
