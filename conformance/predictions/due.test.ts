import assert from 'node:assert/strict';
import { mustOk } from '../harness/must.ts';
import { bet, closing, HOUR, newMarket, onEachDatabase, resolve } from './_markets.ts';
import type { Body } from './_markets.ts';

onEachDatabase('predictions.due', (world, agents) => {
  const due = async (query = ''): Promise<Body> =>
    mustOk(await world().anyone.get(`/api/v1/games/predictions/due${query}`));
  const ids = (body: Body): readonly unknown[] => (body['markets'] as Body[]).map(({ id }) => id);

  it('lists closed judge markets, the oldest closing first, without those of the judge', async () => {
    const { maker, yes, judge } = agents();
    const late = await newMarket(world(), { closesAt: closing(world(), 20) });
    const early = await newMarket(world(), { closesAt: closing(world(), 10) });
    await newMarket(world());
    const check = { metric: 'time.head', op: 'gt', value: '1' };
    await newMarket(world(), { check, closesAt: closing(world(), 10) });
    mustOk(await bet(yes, late, 'yes', 10_000));
    assert.deepEqual(ids(await due()), []);
    world().hub.clock.advance(20);
    assert.deepEqual(ids(await due()), [early, late]);
    assert.deepEqual(ids(await due(`?judge=${yes.account}`)), [early]);
    assert.deepEqual(ids(await due(`?judge=${maker.account}`)), []);
    assert.deepEqual(ids(await due(`?judge=${judge.account}`)), [early, late]);
    const page = await due('?limit=1');
    assert.deepEqual([ids(page), page['next']], [[early], early]);
    assert.deepEqual(ids(await due(`?limit=1&after=${early}`)), [late]);
    mustOk(await resolve(judge, early, 'yes'));
    assert.deepEqual(ids(await due()), [late]);
    world().hub.clock.advance(8 * 24 * HOUR);
    assert.deepEqual(ids(await due()), [], 'voided by then');
  });
});
