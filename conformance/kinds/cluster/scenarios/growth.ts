import { setTimeout as sleep } from 'node:timers/promises';
import { startHubs } from '../hubs.ts';
import { liveAcross } from '../lives.ts';
import { rowsOf } from '../patroni.ts';
import { startLoad } from '../payers.ts';
import type { Parts, Scenario } from '../scenario.ts';

const PAYERS = 64;
/** More than any machine of a test reaches: the payers wait for answers alone. */
const RATE = 20_000;
const LOAD_MS = 10_000;
const LONG_LOAD_MS = 60_000;
const LANES = 16;
const LIVES = 12;
const LONG_LIVES = 100;
/** Seals and tasks that were paid are written a moment later. */
const SETTLE_MS = 3_000;

/** Measures the pace of two hubs, and the bytes and WAL of a payment and of a life of a task. */
export const growth: Scenario = async (parts) => {
  const { cluster, folder, isLong } = parts;
  const database = await cluster.freshDatabase();
  const hubs = await startHubs({ folder, databaseUrl: cluster.url(database) });
  const urls = hubs.map(({ url }) => url);
  const [first = '', second = ''] = urls;
  try {
    await measured(parts, database, 'payment', async () => {
      const load = await startLoad({ urls, payers: PAYERS, rate: RATE });
      await sleep(isLong ? LONG_LOAD_MS : LOAD_MS);
      await load.stop();
      return load.sent.length - load.failures();
    });
    await measured(parts, database, 'life of a task', async () => {
      const count = isLong ? LONG_LIVES : LIVES;
      const lanes = Array.from({ length: LANES }, () => liveAcross([first, second], count));
      return (await Promise.all(lanes)).flat().length;
    });
  } finally {
    for (const hub of hubs) await hub.end();
  }
};

async function measured(
  { cluster, say }: Parts,
  database: string,
  what: string,
  work: () => Promise<number>,
): Promise<void> {
  const leader = await cluster.leader();
  const before = await sizes(leader, database);
  const beganAt = performance.now();
  const count = await work();
  const seconds = (performance.now() - beganAt) / 1_000;
  await sleep(SETTLE_MS);
  const after = await sizes(leader, database);
  say(`of one ${what}, a second`, Math.round(count / seconds));
  say(`of one ${what}, bytes stored`, Math.round((after.stored - before.stored) / count));
  say(`of one ${what}, bytes of WAL`, Math.round((after.wal - before.wal) / count));
}

async function sizes(
  node: { readonly port: number },
  database: string,
): Promise<{ readonly stored: number; readonly wal: number }> {
  const [row] = await rowsOf(
    node,
    "SELECT pg_database_size(current_database()) AS stored, pg_current_wal_lsn() - '0/0' AS wal",
    database,
  );
  return { stored: Number(row?.['stored']), wal: Number(row?.['wal']) };
}
