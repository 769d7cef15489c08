import assert from 'node:assert/strict';
import { mustOk, mustRefuse } from '../harness/must.ts';
import { at, onEachDatabase } from '../poker/_table.ts';

onEachDatabase('games.get', (room) => {
  it('gives one game in full', async () => {
    const body = mustOk(await room().world.anyone.get('/api/v1/games/poker'));
    assert.deepEqual(
      [at(body, 'game', 'id'), at(body, 'game', 'terms', 'deckVersion')],
      ['poker', 1],
    );
    assert.deepEqual(at(body, 'game', 'terms', 'sngLevels', 12), {
      smallBlind: '1000',
      bigBlind: '2000',
    });
  });

  it('names the games that there are', async () => {
    const body = mustRefuse(await room().world.anyone.get('/api/v1/games/chess'), 404, 'not-found');
    assert.match(String(body['hint']), /predictions, poker/);
  });
});
