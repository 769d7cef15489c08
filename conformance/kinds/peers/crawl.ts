// The crawler against local origins, one look each: how many looks a second one process makes.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../../../clients/examples/freePort.ts';
import { submitTarget } from '../../../db/registry/targets.ts';
import { readSettings } from '../../../server/boot/config.ts';
import { openHub } from '../../../server/boot/open.ts';

const SITES = Number(process.env['BENCH_ORIGINS'] ?? 500);
const ROUNDS = 3;

const line = (text: string): void => void process.stdout.write(`${text}\n`);
const sites = fork(new URL('crawlSites.ts', import.meta.url), [String(SITES)], {
  execArgv: ['--import=tsx'],
});
const folder = mkdtempSync(join(tmpdir(), 'hub-bench-'));
try {
  const [reported] = (await once(sites, 'message')) as [{ ports: number[] }];
  for (let round = 1; round <= ROUNDS; round += 1) await crawlOnce(reported.ports, round);
} finally {
  sites.disconnect();
  rmSync(folder, { recursive: true, force: true });
}

async function crawlOnce(ports: readonly number[], round: number): Promise<void> {
  const pairs = ports.map((port) => `127.0.0.1:${port}`);
  const settings = readSettings({
    HUB_PORT: String(await freePort()),
    HUB_DATABASE_URL: `sqlite:${join(folder, `round-${round}.sqlite`)}`,
    HUB_DATA_DIR: folder,
    HUB_LOG: 'fatal',
  });
  const running = await openHub({
    settings: { ...settings, allowPrivateHosts: new Set(pairs) },
    runJobs: false,
  });
  const { store, clock } = running.hub;
  const now = clock.now();
  for (const host of pairs) {
    const origin = `http://${host}`;
    const hint = { url: `${origin}/mcp`, kind: 'mcp' } as const;
    await store.write((tx) => submitTarget(tx, { origin, host, foundBy: 'submission', hint, now }));
  }
  const before = await requestsSoFar();
  const started = performance.now();
  while ((await looked(running)) < pairs.length) await running.driver.runOnce('crawl');
  const seconds = (performance.now() - started) / 1000;
  const requests = (await requestsSoFar()) - before;
  line(
    `crawl: ${pairs.length} origins in ${seconds.toFixed(1)} s, ${(pairs.length / seconds).toFixed(0)} looks/s, ${(requests / pairs.length).toFixed(1)} requests a look, ${(process.memoryUsage().rss / 1_048_576).toFixed(0)} MB`,
  );
  await running.close();
}

async function looked(running: Awaited<ReturnType<typeof openHub>>): Promise<number> {
  const rows: unknown = await running.hub.store.read((db) =>
    db.knex('listings').where({ availability: 'live' }).count({ n: '*' }),
  );
  return Array.isArray(rows) ? Number((rows[0] as { n: unknown }).n) : 0;
}

async function requestsSoFar(): Promise<number> {
  sites.send('how many');
  const [{ requests }] = (await once(sites, 'message')) as [{ requests: number }];
  return requests;
}
