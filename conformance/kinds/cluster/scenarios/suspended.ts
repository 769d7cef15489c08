import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { subfolder } from '../daemons.ts';
import { audit, openHub, type Hub } from '../hubs.ts';
import { rowsOf } from '../patroni.ts';
import { startLoad } from '../payers.ts';
import { startRelay } from '../relay.ts';
import type { Parts, Scenario } from '../scenario.ts';
import { verify } from '../verify.ts';

/** Few accounts, each paid from by one hub and to by another, so that every row is contended. */
const PAYERS = 12;
const RATE = 120;
const WARM_MS = 3_000;
const STILL_MS = 10_000;
const LONG_STILL_MS = 30_000;
/** A neighbour is never silent for so long. */
const GAP_MS_MAX = 1_000;

type Way = 'suspended' | 'without a network';

/** One of three hubs stands still under payments between shared accounts; the others go on. */
export const suspended: Scenario = async (parts) => {
  for (const way of ['suspended', 'without a network'] as const) {
    const folder = await subfolder(parts.folder, way.split(' ')[0] ?? '');
    await goesOn({ ...parts, folder }, way);
  }
};

async function goesOn({ cluster, folder, isLong, say }: Parts, way: Way): Promise<void> {
  const database = await cluster.freshDatabase();
  const leader = await cluster.leader();
  const relay = await startRelay(leader.port);
  const direct = cluster.url(database);
  const relayed = direct.replace(/@[^/]+\//, `@127.0.0.1:${relay.port}/`);
  const places = { 'hub-a': direct, 'hub-b': direct, 'hub-c': relayed };
  const hubs: Hub[] = [];
  const stop = (isStill: boolean): void => {
    if (way === 'suspended') hubs.at(-1)?.signal(isStill ? 'SIGSTOP' : 'SIGCONT');
    else if (isStill) relay.stop();
    else relay.go();
  };
  try {
    for (const [name, databaseUrl] of Object.entries(places)) {
      const hub = await openHub({ name, folder, databaseUrl });
      hubs.push(hub);
      await hub.start();
    }
    const urls = hubs.map(({ url }) => url);
    const load = await startLoad({ urls, payers: PAYERS, rate: RATE });
    await sleep(WARM_MS);
    const began = performance.now();
    stop(true);
    await sleep(isLong ? LONG_STILL_MS : STILL_MS);
    const ended = performance.now();
    stop(false);
    await sleep(WARM_MS);
    await load.stop();
    for (const url of urls.slice(0, -1)) {
      const gap = Math.round(load.longestGap(url, began, ended));
      say(`${way}: longest silence of a neighbour in milliseconds`, gap);
      assert.ok(gap < GAP_MS_MAX, `${url} was silent for ${gap} ms`);
    }
    assert.deepEqual(load.faults, []);
    const { acknowledged } = await verify(load.sent, urls, (sql) => rowsOf(leader, sql, database));
    say(`${way}: payments, each once and repeatable`, acknowledged);
    say(`${way}: audit`, await audit(direct, folder));
  } finally {
    stop(false);
    for (const hub of hubs) await hub.end();
    await relay.close();
  }
}
