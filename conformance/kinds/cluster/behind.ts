import assert from 'node:assert/strict';
import { freePort } from '../../../clients/examples/freePort.ts';
import { passes, type Balancer } from './balancers.ts';
import { audit, startHubs, type Hub } from './hubs.ts';
import { rowsOf } from './patroni.ts';
import { startLoad, type Load } from './payers.ts';
import type { Parts } from './scenario.ts';
import { verify } from './verify.ts';

/** Payments a second that both hubs carry while one of them is away. */
const LOAD = { payers: 32, rate: 150 };

export interface Behind {
  readonly balancer: Balancer;
  readonly folder: string;
  /** A compiled program to begin with; absent, the sources as they are. */
  readonly program?: string;
}

/**
 * Runs two hubs behind a balancer under payments, and `change` meanwhile. No request may fail, and
 * each acknowledged payment is in the journal once.
 */
export async function behind(
  { cluster, say }: Parts,
  { balancer, folder, program }: Behind,
  change: (hubs: readonly Hub[], load: Load) => Promise<void>,
): Promise<void> {
  const database = await cluster.freshDatabase();
  const databaseUrl = cluster.url(database);
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const env = { HUB_BASE_URL: url, HUB_TRUSTED_PROXIES: '127.0.0.1' };
  const hubs = await startHubs({ folder, databaseUrl, env }, program);
  const [first, second] = hubs;
  const daemon = await balancer.start(folder, port, [first.port, second.port]);
  try {
    await passes(url);
    const load = await startLoad({ urls: [url], ...LOAD });
    try {
      await change(hubs, load);
    } finally {
      await load.stop();
    }
    say(`requests through ${balancer.name} meanwhile`, load.sent.length);
    say('of these failed', load.failures());
    assert.deepEqual([load.failures(), load.faults], [0, []]);
    const leader = await cluster.leader();
    await verify(load.sent, [url], (sql) => rowsOf(leader, sql, database));
    say('audit', await audit(databaseUrl, folder));
  } finally {
    await daemon.end();
    for (const hub of hubs) await hub.end();
  }
}
