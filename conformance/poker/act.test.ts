import assert from 'node:assert/strict';
import { mustOk, mustRefuse } from '../harness/must.ts';
import { act, at, balanceOf, dealt, handsOf, onEachDatabase, onTurn, playOut } from './_table.ts';
import { table, view, type Body } from './_table.ts';

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

  it('of moves that race with one token one is taken', async () => {
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
