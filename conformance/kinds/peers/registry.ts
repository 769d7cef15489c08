// The registry at 60,000 listings with 300,000 tools on SQLite: loading, indexing, searching, walking.
import { fork, type ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { Agent, get } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { queries, listings, scoresOf } from '../../search/_set.ts';
import { indexQueue } from '../../../db/search/run.ts';
import { saveListings, type Probed } from '../../../db/registry/listings.ts';
import { systemClock } from '../../../workflows/kernel/systemClock.ts';
import { writeTexts } from '../../../workflows/registry/texts.ts';
import { openStore, type Store } from '../../../db/store.ts';
import { freePort } from '../../../clients/examples/freePort.ts';
import { aQuery, synthetic } from '../../search/_synthetic.ts';
import { recall } from './registryRecall.ts';
import { openSearch } from '../../../workflows/kernel/search/search.ts';

const LISTINGS = Number(process.env['BENCH_LISTINGS'] ?? 60_000);
const TOOLS_EACH = 5;
const SECONDS = Number(process.env['BENCH_SECONDS'] ?? 10);
const CONNECTIONS = 16;
const QUERIES = 2_000;
const WARM_UP = 300;
const JUDGED = 100;
const LISTS_ASKED = 500;
const SAVED_AT_ONCE = 400;
const INDEXED_AT_ONCE = 256;
const P99_AIM_MS = 10;

const line = (text: string): void => void process.stdout.write(`${text}\n`);
const secondsSince = (from: number): string => ((performance.now() - from) / 1000).toFixed(1);

const folder = mkdtempSync(join(tmpdir(), 'hub-bench-'));
try {
  await quality();
  await scale();
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/** The published query set. */
async function quality(): Promise<void> {
  const store = await openStore('sqlite::memory:');
  await store.write((tx) => saveListings(tx, listings));
  await indexAll(store);
  const hosts = new Map(listings.map(({ listing }) => [listing.id, listing.host]));
  const answers: string[][] = [];
  const search = openSearch(store, (error) => line(String(error)));
  for (const { query } of queries) {
    const asked = { text: query, kinds: ['agent'], order: 'karma', count: 10 } as const;
    const found = await search.find(asked);
    answers.push(found.map(({ ref }) => hosts.get(ref) ?? ''));
  }
  await search.close();
  await store.close();
  const { top1, top5, mrr, missed } = scoresOf(answers);
  const percent = (share: number): string => `${(share * 100).toFixed(1)}%`;
  line(`search quality: ${queries.length} queries over ${listings.length} listings`);
  line(`  top-1 ${percent(top1)}, top-5 ${percent(top5)} (aim >= 94%), MRR ${mrr.toFixed(3)}`);
  for (const each of missed) line(`  missed: ${each}`);
}

async function scale(): Promise<void> {
  const database = join(folder, 'hub.sqlite');
  await load(database);
  const port = await freePort();
  const child = await serve(port, database);
  try {
    const at = `http://127.0.0.1:${port}/api/v1`;
    const queriesFrom = (first: number): readonly string[] =>
      Array.from({ length: QUERIES }, (_, n) => encodeURIComponent(aQuery(first + n)));
    // A process that has answered others: its own code is compiled.
    const before = queriesFrom(QUERIES).slice(0, WARM_UP);
    await round(
      before.flatMap((q) => [`${at}/search?q=${q}`, `${at}/agents?q=${q}`]),
      {
        asked: 2 * WARM_UP,
      },
    );
    const asked = queriesFrom(0);
    await shoot(
      'search',
      asked.map((q) => `${at}/search?q=${q}`),
      P99_AIM_MS,
    );
    await shoot(
      'agents?q=',
      asked.slice(0, LISTS_ASKED).map((q) => `${at}/agents?q=${q}`),
    );
    const pages = Array.from({ length: 50 }, (_, n) => `${at}/agents?limit=20&offset=${n * 20}`);
    await shoot('agents, a page of 20', pages);
    await shoot('stats', [`${at}/stats`]);
    await walk(at);
  } finally {
    child.kill();
  }
  const same = await recall(database, LISTINGS, JUDGED);
  line(`  the first 20 are the judge's in ${same} of ${JUDGED} queries (aim >= 99%)`);
}

async function load(database: string): Promise<void> {
  const store = await openStore(`sqlite:${database}`);
  const started = performance.now();
  for (let from = 0; from < LISTINGS; from += SAVED_AT_ONCE) {
    const some: Probed[] = [];
    for (let n = from; n < Math.min(LISTINGS, from + SAVED_AT_ONCE); n += 1) {
      some.push(synthetic(n, TOOLS_EACH));
    }
    await store.write((tx) => saveListings(tx, some));
  }
  const size = (): number => statSync(database).size / 2 ** 20;
  const loaded = secondsSince(started);
  await checkpoint(store);
  const before = size();
  const indexing = performance.now();
  await indexAll(store);
  const indexed = secondsSince(indexing);
  while ((await writeTexts({ store, clock: systemClock })) !== undefined);
  await store.close();
  line(`${LISTINGS} listings with ${LISTINGS * TOOLS_EACH} tools on SQLite`);
  line(`  saved in ${loaded} s, ${before.toFixed(0)} MiB`);
  line(`  indexed in ${indexed} s, ${(size() - before).toFixed(0)} MiB more`);
}

async function checkpoint(store: Store): Promise<void> {
  await store.read((db) => db.knex.raw('PRAGMA wal_checkpoint(PASSIVE)'));
}

async function indexAll(store: Store): Promise<void> {
  await indexQueue(store, { atOnce: INDEXED_AT_ONCE, batchesMax: Infinity });
}

function serve(port: number, database: string): Promise<ChildProcess> {
  return new Promise((resolve, reject) => {
    const script = new URL('../bench/servers/indexHub.ts', import.meta.url);
    const child = fork(script, [String(port), database], { execArgv: ['--import=tsx'] });
    child.once('message', () => resolve(child));
    child.once('exit', (code) => reject(new Error(`the hub ended with ${String(code)}`)));
  });
}

/** Requests each address in turn on all connections: once uncached, then repeatedly. */
async function shoot(title: string, urls: readonly string[], aimMs?: number): Promise<void> {
  report(`${title}, asked first`, await round(urls, { asked: urls.length }), aimMs);
  report(`${title}, asked again`, await round(urls, { seconds: SECONDS }), aimMs);
}

interface Round {
  readonly times: readonly number[];
  readonly seconds: number;
}

function report(title: string, { times, seconds }: Round, aimMs?: number): void {
  const sorted = [...times].sort((a, b) => a - b);
  const at = (share: number): number => sorted[Math.floor(share * (sorted.length - 1))] ?? 0;
  const [p50, p99] = [at(0.5), at(0.99)];
  const matched = aimMs !== undefined && p99 <= aimMs ? 'met' : 'MISSED';
  const aim = aimMs === undefined ? '' : ` (aim p99 <= ${aimMs} ms) ${matched}`;
  line(
    `  ${title}, ${CONNECTIONS} connections: p50 ${p50.toFixed(1)} ms, ` +
      `p99 ${p99.toFixed(1)} ms, ${Math.round(times.length / seconds)}/s${aim}`,
  );
}

/** Milliseconds of each answer, until so many were asked or so long. */
async function round(
  urls: readonly string[],
  { asked = Infinity, seconds = Infinity }: { readonly asked?: number; readonly seconds?: number },
): Promise<Round> {
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });
  const begun = performance.now();
  const times: number[] = [];
  let next = 0;
  const one = async (): Promise<void> => {
    while (next < asked && performance.now() < begun + seconds * 1000) {
      const started = performance.now();
      await ask(urls[next++ % urls.length] ?? '', agent);
      times.push(performance.now() - started);
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, one));
  agent.destroy();
  return { times, seconds: (performance.now() - begun) / 1000 };
}

function ask(url: string, agent: Agent): Promise<void> {
  return new Promise((resolve, reject) => {
    get(url, { agent }, (answer) => {
      answer.resume();
      answer.once('end', () => {
        if (answer.statusCode === 200) resolve();
        else reject(new Error(`${url} answered ${answer.statusCode}`));
      });
    }).once('error', reject);
  });
}

/** The whole feed as a mirror reads it, introduced. */
async function walk(at: string): Promise<void> {
  await fetch(`${at}/handshake`, { method: 'POST' });
  const started = performance.now();
  let [url, count, bytes, passes] = [`${at}/agents.ndjson`, 0, 0, 0];
  for (let complete = false; !complete; passes += 1) {
    const text = await (await fetch(url)).text();
    const cursor = JSON.parse(text.trimEnd().split('\n').at(-1) ?? '') as {
      count: number;
      complete: boolean;
      next: string;
    };
    count += cursor.count;
    bytes += text.length;
    complete = cursor.complete;
    url = `${at}/agents.ndjson${new URL(cursor.next).search}`;
  }
  line(
    `  whole feed: ${count} listings in ${passes} passes, ${(bytes / 2 ** 20).toFixed(0)} MiB, ${secondsSince(started)} s`,
  );
}
