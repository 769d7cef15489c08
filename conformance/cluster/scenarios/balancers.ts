import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../../../clients/examples/freePort.ts';
import { BALANCERS, passes, type Balancer } from '../balancers.ts';
import { subfolder } from '../daemons.ts';
import { audit, openHub } from '../hubs.ts';
import { rowsOf } from '../patroni.ts';
import { startLoad } from '../payers.ts';
import type { Parts, Scenario } from '../scenario.ts';
import { verify } from '../verify.ts';

const PAYERS = 32;
const RATE = 150;
const REQUESTS_MIN = 3_000;
/** A balancer takes so long to send requests to a hub that came back. */
const RETURN_MS = 3_000;
const STEP_MS = 200;
const ROUNDS_OF_A_LONG_RUN = 4;

/** Both hubs restart one after the other behind each balancer, and no request fails. */
export const balancers: Scenario = async (parts) => {
  for (const balancer of BALANCERS) await behind(balancer, parts);
};

async function behind(balancer: Balancer, { cluster, folder, isLong, say }: Parts): Promise<void> {
  const own = await subfolder(folder, balancer.name.toLowerCase());
  const database = await cluster.freshDatabase();
  const databaseUrl = cluster.url(database);
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const env = { HUB_BASE_URL: url, HUB_TRUSTED_PROXIES: '127.0.0.1' };
  const place = { folder: own, databaseUrl, env };
  const first = await openHub({ ...place, name: 'hub-a' });
  const second = await openHub({ ...place, name: 'hub-b' });
  await first.start();
  await second.start();
  const daemon = await balancer.start(own, port, [first.port, second.port]);
  try {
    await passes(url);
    const load = await startLoad({ urls: [url], payers: PAYERS, rate: RATE });
    try {
      for (let round = 0; round < (isLong ? ROUNDS_OF_A_LONG_RUN : 1); round += 1) {
        for (const hub of [first, second]) {
          await sleep(RETURN_MS);
          await hub.end();
          await hub.start();
        }
      }
      while (load.sent.length < REQUESTS_MIN) await sleep(STEP_MS);
    } finally {
      await load.stop();
    }
    say(`requests through ${balancer.name} while both hubs restarted`, load.sent.length);
    say(`of these failed`, load.failures());
    assert.deepEqual([load.failures(), load.faults], [0, []]);
    const leader = await cluster.leader();
    await verify(load.sent, [url], (sql) => rowsOf(leader, sql, database));
    say('audit', await audit(databaseUrl, own));
  } finally {
    await daemon.end();
    for (const hub of [first, second]) await hub.end();
  }
}
