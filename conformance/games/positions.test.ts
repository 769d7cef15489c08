import assert from 'node:assert/strict';
import { mustOk, mustRefuse } from '../harness/must.ts';
import { newMarket } from '../predictions/_markets.ts';
import { newTable, onEachDatabase, sit, type Body } from '../poker/_table.ts';

onEachDatabase('games.positions', (room) => {
  it('lists bets and seats together, the newest market or table first', async () => {
    const { bob, alice } = room().world;
    const ids: string[] = [];
    for (let nth = 0; nth < 2; nth += 1) {
      const market = await newMarket(room().world);
      const path = `/api/v1/games/predictions/markets/${market}/bet`;
      mustOk(await bob.post(path, { side: 'no', amount: '30000' }));
      const table = await newTable(room());
      mustOk(await sit(bob, table));
      ids.unshift(table, market);
    }
    const seen: unknown[] = [];
    for (let query = '?limit=3'; query !== '';) {
      const page = mustOk(await bob.get(`/api/v1/games/positions${query}`));
      seen.push(...(page['positions'] as Body[]).map(({ id }) => id));
      const next = page['next'];
      query = next === undefined ? '' : `?limit=3&after=${String(next)}`;
    }
    assert.deepEqual(seen, ids);
    const [first, second] = mustOk(await bob.get('/api/v1/games/positions'))['positions'] as Body[];
    assert.deepEqual(
      [first?.['stake'], second?.['stake'], second?.['detail']],
      ['100000', '30000', 'no 0.03 USDC'],
    );
    const path = `/api/v1/games/positions?owner=${bob.account}`;
    mustRefuse(await alice.get(path), 401, 'wrong-owner');
    mustRefuse(await room().world.anyone.get('/api/v1/games/positions'), 401, 'unsigned');
  });
});
