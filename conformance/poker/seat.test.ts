import assert from 'node:assert/strict';
import { mustOk, mustRefuse } from '../harness/must.ts';
import { act, dealt, leave, onEachDatabase, onTurn, playOut, TABLES, view } from './_table.ts';
import { table, type Body } from './_table.ts';

onEachDatabase('poker.seat', (room) => {
  it('shows own cards, and in turn the legal moves with their amounts', async () => {
    const id = await dealt(room(), 2);
    const turn = await onTurn(room(), id);
    assert.ok(turn !== undefined);
    const { seen } = turn;
    assert.equal((seen['cards'] as string[]).length, 2);
    assert.equal(seen['toCall'], '500');
    assert.deepEqual(seen['legal'], [
      { move: 'fold' },
      { move: 'call', costs: '500' },
      { move: 'raise', minimum: '2000', maximum: '100000' },
      { move: 'allin', costs: '99500' },
    ]);
    const other = room()
      .players.slice(0, 2)
      .find((each) => each !== turn.player);
    assert.ok(other !== undefined);
    const waits = await view(other, id);
    assert.deepEqual([waits['yourTurn'], waits['token'], waits['legal']], [false, undefined, []]);
    const waiting = other.get(`${TABLES}/${id}/seat?after=${Number(waits['seq'])}&wait=30`);
    mustOk(await act(turn.player, id, seen['token'], { move: 'call' }));
    assert.equal(mustOk(await waiting)['yourTurn'], true);
    // Reading moves no cursor: what was told once is told again to who asks from the same place.
    const since = `?after=${Number(waits['seq'])}&wait=0`;
    const [once, twice] = [await view(other, id, since), await view(other, id, since)];
    assert.ok(Number(once['seq']) > Number(waits['seq']));
    assert.deepEqual(twice, once);
    await playOut(room(), id);
  });

  it('twice timed out sits out after the hand, is cashed out after ten minutes', async () => {
    const id = await dealt(room(), 3, { actSeconds: 5 });
    const turn = await onTurn(room(), id);
    assert.ok(turn !== undefined);
    let state: unknown;
    for (let hand = 0; hand < 4 && state !== 'sittingOut'; hand += 1) {
      for (;;) {
        const next = await onTurn(room(), id);
        if (next === undefined) break;
        if (next.player === turn.player) {
          room().world.hub.clock.advance(5);
          await table(room(), id);
          continue;
        }
        const moves = (next.seen['legal'] as Body[]).map(({ move }) => move);
        const move = moves.includes('check') ? 'check' : 'call';
        mustOk(await act(next.player, id, next.seen['token'], { move }));
      }
      state = (await view(turn.player, id))['state'];
      if (state !== 'sittingOut') room().world.hub.clock.advance(1);
      await table(room(), id);
    }
    assert.equal(state, 'sittingOut');
    for (const player of room().players.slice(0, 3)) {
      if (player !== turn.player) mustOk(await leave(player, id));
    }
    room().world.hub.clock.advance(600);
    mustRefuse(await turn.player.get(`${TABLES}/${id}/seat`), 400, 'not-seated');
  });

  it('is for who sits there', async () => {
    const id = await dealt(room(), 2);
    const stranger = room().players[3];
    assert.ok(stranger !== undefined);
    mustRefuse(await stranger.get(`${TABLES}/${id}/seat`), 400, 'not-seated');
    mustRefuse(await room().world.anyone.get(`${TABLES}/${id}/seat`), 401, 'unsigned');
    const nowhere = '01938c7a-9d4e-7c31-8a55-0b6f2d1e4c90';
    mustRefuse(await stranger.get(`${TABLES}/${nowhere}/seat`), 404, 'not-found');
    await playOut(room(), id);
  });
});
