import assert from 'node:assert/strict';
import { mustOk, mustRefuse } from '../harness/must.ts';
import { bet, HOUR, MARKETS, newMarket, onEachDatabase, resolve, type Body } from './_markets.ts';

onEachDatabase('predictions.list', (world, agents) => {
  const list = async (query: string): Promise<Body> =>
    mustOk(await world().anyone.get(`${MARKETS}${query}`));
  const ids = (body: Body): readonly unknown[] => (body['markets'] as Body[]).map(({ id }) => id);

  it('lists the newest first, by state and network, page by page', async () => {
    const first = await newMarket(world());
    const second = await newMarket(world(), { network: 'sandbox' });
    assert.deepEqual(ids(await list('')), [second, first]);
    const page = await list('?limit=1&state=open');
    assert.deepEqual([ids(page), page['next']], [[second], second]);
    assert.deepEqual(ids(await list(`?limit=1&state=open&after=${second}`)), [first]);
    assert.deepEqual(ids(await list('?network=base')), []);
    world().hub.clock.advance(HOUR);
    assert.deepEqual(ids(await list('?state=open')), []);
    assert.deepEqual(ids(await list('?state=closed')), [second, first]);
    mustOk(await bet(agents().yes, await newMarket(world()), 'yes', 10_000));
    mustOk(await resolve(agents().judge, first, 'void'));
    mustOk(await resolve(agents().judge, second, 'yes'));
    assert.deepEqual(ids(await list('?state=voided')), [first]);
    assert.deepEqual(ids(await list('?state=resolved')), [second]);
    assert.deepEqual(ids(await list('?state=closed')), []);
  });

  it('refuses an unknown state with the list that works, and an unknown network', async () => {
    const body = mustRefuse(
      await world().anyone.get(`${MARKETS}?state=done`),
      400,
      'unknown-filter',
    );
    assert.deepEqual(body['allowed'], ['open', 'closed', 'resolved', 'voided']);
    mustRefuse(await world().anyone.get(`${MARKETS}?network=moon`), 400, 'network-unknown');
  });
});
