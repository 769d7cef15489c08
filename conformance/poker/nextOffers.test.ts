import assert from 'node:assert/strict';
import { mustOk } from '../harness/must.ts';
import { following } from '../tasks/_following.ts';
import { at, leave, onEachDatabase, sit, TABLES, type Agent, type Body } from './_table.ts';

onEachDatabase('next of answers to players', (room) => {
  const taken: string[] = [];

  it('can be taken up by each of them, at the table and away from it', async () => {
    const [alice, bob, carol] = room().players.map((player) => following(player, taken));
    assert.ok(alice !== undefined && bob !== undefined && carol !== undefined);
    const body = { format: 'cash', seats: 2, bigBlind: '1000' };
    const id = String(mustOk(await alice.post(TABLES, body))['id']);
    mustOk(await sit(alice, id));
    mustOk(await sit(bob, id));
    room().world.hub.clock.advance(1);
    const players: readonly Agent[] = [alice, bob];
    const look = async (): Promise<void> => {
      for (const player of players) mustOk(await player.get(`${TABLES}/${id}/seat`));
      for (const player of [...players, carol]) {
        mustOk(await player.get('/api/v1/games/poker/positions'));
        mustOk(await player.get('/api/v1/games/positions'));
      }
    };
    await look();
    for (const player of players) {
      const seat = mustOk(await player.get(`${TABLES}/${id}/seat`));
      const turn = (seat['next'] as Body[]).find(({ action }) => action === 'poker.act');
      if (turn === undefined) continue;
      mustOk(await player.post(String(at(turn, 'call', 'path')), at(turn, 'call', 'body')));
      break;
    }
    await look();
    for (const player of players) mustOk(await leave(player, id));
    mustOk(await alice.get('/api/v1/games/positions'));
    const names = [...new Set(taken)].sort();
    assert.deepEqual(names, ['poker.act', 'poker.get', 'poker.leave', 'poker.seat', 'poker.sit']);
  });
});
