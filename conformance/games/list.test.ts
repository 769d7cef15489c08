import assert from 'node:assert/strict';
import { mustOk } from '../harness/must.ts';
import { newMarket } from '../predictions/_markets.ts';
import { at, dealt, onEachDatabase, playOut, type Body } from '../poker/_table.ts';

onEachDatabase('games.list', (room) => {
  it('describes both games for a machine, with what is on now', async () => {
    const market = await newMarket(room().world);
    const bet = { side: 'yes', amount: '20000' };
    const path = `/api/v1/games/predictions/markets/${market}/bet`;
    mustOk(await room().world.bob.post(path, bet));
    const table = await dealt(room(), 2);
    const body = mustOk(await room().world.anyone.get('/api/v1/games'));
    const [predictions, poker] = body['games'] as Body[];
    assert.deepEqual(
      [at(predictions, 'terms', 'listingFee'), at(poker, 'terms', 'rakeBps')],
      ['100000', 0],
    );
    assert.deepEqual(
      [at(predictions, 'live', 'rows', 0, 'id'), at(poker, 'live', 'rows', 0, 'id')],
      [market, table],
    );
    assert.deepEqual(
      [at(predictions, 'live', 'atStake', 0, 'amount'), at(poker, 'live', 'atStake', 0, 'amount')],
      ['20000', '200000'],
    );
    assert.deepEqual(
      [at(poker, 'live', 'open'), at(poker, 'live', 'running'), at(poker, 'live', 'players')],
      [0, 1, 2],
    );
    await playOut(room(), table);
  });

  it('counts what the clock has closed as closed, without any job having run', async () => {
    await newMarket(room().world);
    const game = '/api/v1/games/predictions';
    const live = async (): Promise<unknown> =>
      at(mustOk(await room().world.anyone.get(game)), 'game', 'live', 'open');
    assert.equal(await live(), 2);
    room().world.hub.clock.advance(3_600);
    assert.equal(await live(), 0);
    const { games } = mustOk(await room().world.anyone.get('/api/v1/games'));
    assert.equal(at(games, 0, 'live', 'open'), 0);
  });
});
