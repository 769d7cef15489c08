import assert from 'node:assert/strict';
import { mustOk, mustRefuse } from '../harness/must.ts';
import { dealt, newSng, onEachDatabase, playOut, TABLES, type Body } from './_table.ts';

onEachDatabase('poker.list', (room) => {
  it('lists the newest first, by state, format and network, page by page', async () => {
    const running = await dealt(room(), 2);
    const open = await newSng(room(), 3);
    const list = async (query: string): Promise<Body> =>
      mustOk(await room().world.anyone.get(`${TABLES}${query}`));
    const ids = (body: Body): readonly unknown[] => (body['tables'] as Body[]).map(({ id }) => id);
    assert.deepEqual(ids(await list('')), [open, running]);
    assert.deepEqual(ids(await list('?state=running')), [running]);
    assert.deepEqual(ids(await list('?format=sng')), [open]);
    assert.deepEqual(ids(await list('?network=base')), []);
    const page = await list('?limit=1');
    assert.deepEqual(ids(await list(`?limit=1&after=${String(page['next'])}`)), [running]);
    for (const [query, allowed] of [
      ['state=shut', ['open', 'running', 'finished']],
      ['format=omaha', ['cash', 'sng']],
    ] as const) {
      const refused = await room().world.anyone.get(`${TABLES}?${query}`);
      assert.deepEqual(mustRefuse(refused, 400, 'unknown-filter')['allowed'], allowed);
    }
    mustRefuse(await room().world.anyone.get(`${TABLES}?network=moon`), 400, 'network-unknown');
    await playOut(room(), running);
  });
});
