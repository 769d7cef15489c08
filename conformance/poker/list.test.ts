import assert from 'node:assert/strict';
import { mustOk, mustRefuse } from '../harness/must.ts';
import { dealt, newSng, onEachDatabase, playOut, TABLES, type Body } from './_table.ts';

async function stakesOf(
  list: (query: string) => Promise<Body>,
  id: string,
): Promise<{ readonly stake: bigint }> {
  const table = ((await list(''))['tables'] as Body[]).find((each) => each['id'] === id);
  return { stake: BigInt(String(table?.['buyIn'])) };
}

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
    const { stake } = await stakesOf(list, open);
    for (const [query, found] of [
      ['?seats=3', [open]],
      ['?seats=9', []],
      [`?minStake=${stake}&format=sng`, [open]],
      [`?minStake=${stake + 1n}&format=sng`, []],
      [`?maxStake=${stake}&format=sng`, [open]],
      [`?maxStake=${stake - 1n}&format=sng`, []],
      ['?free=true&format=sng', [open]],
      ['?free=false&format=sng', []],
    ] as const) {
      assert.deepEqual(ids(await list(query)), found, query);
    }
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
