import assert from 'node:assert/strict';
import { sharedPostgres } from '../../conformance/harness/databases.ts';
import { until } from '../../conformance/harness/waiting.ts';
import { openStore, type Store } from '../../db/store.ts';
import { exchangeLimits } from './limitExchange.ts';
import { POLICY_NAMES } from '../../workflows/kernel/policies.ts';
import type { Taken } from './limits.ts';

/** More than one notification of PostgreSQL holds. */
const CALLERS = 1_000;

describe('the exchange of limits between processes', function suite() {
  this.timeout(60_000);
  const stores: Store[] = [];
  after(async () => {
    for (const store of stores) await store.close();
  });

  it('reports what a thousand callers took to another process, and nothing to its own', async () => {
    const url = await (await sharedPostgres()).freshDatabase();
    for (let nth = 0; nth < 2; nth += 1) stores.push(await openStore(url));
    const [here, there] = stores;
    assert.ok(here !== undefined && there !== undefined);
    const [policy] = POLICY_NAMES;
    assert.ok(policy !== undefined);
    const taken = Array.from({ length: CALLERS }, (_, nth): Taken => [
      policy,
      `2001:db8:0:${nth.toString(16)}::/64`,
      nth,
    ]);
    const waiting = [...taken];
    const charged: Taken[] = [];
    const ends = [
      exchangeLimits({ untold: () => waiting.splice(0), charge: () => assert.fail('own') }, here),
      exchangeLimits({ untold: () => [], charge: (each) => charged.push(...each) }, there),
    ];
    await until(() => Promise.resolve(charged.length >= CALLERS));
    for (const end of ends) end();
    const inOrder = charged.sort(([, , one], [, , other]) => one - other);
    assert.deepEqual(inOrder, taken);
  });
});
