import assert from 'node:assert/strict';
import { mustOk, mustRefuse } from '../harness/must.ts';
import {
  bet,
  closing,
  HOUR,
  MARKETS,
  newMarket,
  onEachDatabase,
  resolve,
  type Body,
} from './_markets.ts';

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

  it('finds by creator and text, and sorts by closing and by pot', async () => {
    const { anyone } = world();
    const ask = 'Will THE ferry sail, zebra?';
    const late = await newMarket(world(), { question: ask, closesAt: closing(world(), 3 * HOUR) });
    const soon = await newMarket(world(), {
      question: 'Will a zebra rain 100%?',
      closesAt: closing(world(), 2 * HOUR),
    });
    const { creator } = mustOk(await anyone.get(`${MARKETS}/${late}`));
    const mine = `creator=${String(creator)}`;
    assert.deepEqual(ids(await list(`?${mine}&limit=2`)), [soon, late]);
    assert.deepEqual(ids(await list(`?creator=${agents().no.account}`)), []);
    assert.deepEqual(ids(await list('?q=the%20FERRY')), [late]);
    assert.deepEqual(ids(await list('?q=100%25')), [soon]);
    assert.deepEqual(ids(await list('?q=f_rry')), []);
    mustOk(await bet(agents().yes, late, 'yes', 20_000));
    mustOk(await bet(agents().no, soon, 'no', 10_000));
    for (const [sort, first, second] of [
      ['closes', soon, late],
      ['pot', late, soon],
    ] as const) {
      const page = await list(`?state=open&sort=${sort}&limit=1&q=Zebra`);
      assert.deepEqual([ids(page), page['hasMore']], [[first], true], sort);
      const query = `?state=open&sort=${sort}&limit=1&q=Zebra&cursor=${String(page['nextCursor'])}`;
      assert.deepEqual(ids(await list(query)), [second], sort);
      const wrong = await anyone.get(`${MARKETS}?cursor=${String(page['nextCursor'])}`);
      mustRefuse(wrong, 400, 'not-together');
    }
    mustRefuse(await anyone.get(`${MARKETS}?sort=odds`), 400, 'unknown-filter');
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
