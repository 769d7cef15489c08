import assert from 'node:assert/strict';
import { mustOk, mustRefuse } from '../harness/must.ts';
import { act, at, dealt, leave, newTable, onEachDatabase, onTurn, playOut } from './_table.ts';
import { sit, table, TABLES, view, type Body } from './_table.ts';

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
    // Reading moves no cursor: an event is returned again to a reader at the same place.
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

  it('says what the clock did, until the player moves again', async () => {
    const id = await dealt(room(), 3, { actSeconds: 5 });
    const turn = await onTurn(room(), id);
    assert.ok(turn !== undefined);
    const { player, seen } = turn;
    assert.equal(seen['clockMove'], undefined);
    room().world.hub.clock.advance(5);
    const late = await act(player, id, seen['token'], { move: 'call' });
    const refused = mustRefuse(late, 400, 'not-your-turn');
    assert.match(String(refused['error']), /ran out at .+, in hand 1: the clock made a fold/);
    const after = await view(player, id);
    assert.deepEqual([at(after, 'clockMove', 'move'), at(after, 'clockMove', 'hand')], ['fold', 1]);
    await playOut(room(), id);
    room().world.hub.clock.advance(1);
    for (let next = await onTurn(room(), id); next !== undefined; next = await onTurn(room(), id)) {
      const moves = (next.seen['legal'] as Body[]).map(({ move }) => move);
      const move = moves.includes('check') ? 'check' : 'call';
      mustOk(await act(next.player, id, next.seen['token'], { move }));
      if (next.player === player) break;
    }
    assert.equal((await view(player, id))['clockMove'], undefined);
    await playOut(room(), id);
  });

  it('means the chips behind by stack, wherever it is shown, and what a call takes by toCall', async () => {
    const id = await newTable(room(), { minBuyIn: '1000' });
    const [rich, poor] = room().players;
    assert.ok(rich !== undefined && poor !== undefined);
    mustOk(await sit(rich, id));
    const sat = mustOk(await sit(poor, id, { buyIn: '1200' }));
    assert.equal(sat['stack'], '1200');
    room().world.hub.clock.advance(1);
    for (;;) {
      const turn = await onTurn(room(), id);
      assert.ok(turn !== undefined);
      const { player, seen } = turn;
      const mine = (at(seen, 'table', 'players') as Body[]).find(
        ({ account }) => account === player.account,
      );
      const held = mustOk(await player.get('/api/v1/games/poker/positions'))['positions'] as Body[];
      const position = held.find(({ tableId }) => tableId === id);
      for (const place of [mine, position]) {
        assert.deepEqual([place?.['stack'], place?.['inPot']], [seen['stack'], seen['inPot']]);
      }
      const call = (seen['legal'] as Body[]).find(({ move }) => move === 'call');
      const allin = (seen['legal'] as Body[]).find(({ move }) => move === 'allin');
      assert.equal(allin?.['costs'] ?? seen['stack'], seen['stack']);
      if (player === poor && Number(seen['toCall']) > 0 && call === undefined) {
        assert.equal(seen['toCall'], seen['stack'], 'no more than there is');
        break;
      }
      if (call !== undefined) assert.equal(seen['toCall'], call['costs']);
      const moves = player === rich ? { move: 'allin' } : { move: call ? 'call' : 'check' };
      const moved = mustOk(await act(player, id, seen['token'], moves));
      if (player === rich) assert.equal(moved['stack'], '0');
      if ((await onTurn(room(), id)) === undefined) break;
    }
    await playOut(room(), id);
  });

  it('shows names in one line, without marks that turn it round', async () => {
    const id = await newTable(room(), { name: ' Quiet\u001b[31m\ncor\u202ener ' });
    assert.equal((await table(room(), id))['name'], 'Quiet [31m cor ner');
    const blank = await newTable(room(), { name: ' \u200b\u2067 ' });
    assert.equal((await table(room(), blank))['name'], "Hold'em 500/1000");
    const [first] = room().players;
    assert.ok(first !== undefined);
    mustOk(await sit(first, id, { buyIn: '100000', name: '\u202eevil\r\n' }));
    mustOk(await sit(first, blank, { buyIn: '100000', name: '\t' }));
    assert.equal(at(await table(room(), id), 'players', 0, 'name'), 'evil');
    assert.equal(at(await table(room(), blank), 'players', 0, 'name'), undefined);
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
