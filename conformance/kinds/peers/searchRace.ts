// A search index made of all documents, or of a snapshot, against PostgreSQL's own text search.
import { execFileSync } from 'node:child_process';
import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { startPostgres } from '../../harness/postgres.ts';
import { openJudge } from '../../../domain/search/fixture.ts';
import { aQuery, drawnQuery, synthetic } from '../../search/_synthetic.ts';
import { openStore } from '../../../db/store.ts';
import { listingDocuments, type Document } from '../../../domain/search/documents.ts';
import type { FindRequest, Found } from '../../../domain/search/found.ts';
import { KINDS } from '../../../domain/search/plan.ts';
import { parseQuery } from '../../../domain/search/query.ts';
import { termsText } from '../../../domain/search/terms.ts';
import { openFolder } from '../../../workflows/kernel/files/folder.ts';
import { openSearch } from '../../../workflows/kernel/search/search.ts';
import { openSnapshots } from '../../../workflows/kernel/search/snapshots.ts';
import { systemClock } from '../../../workflows/kernel/systemClock.ts';
import { inLanes } from '../bench/lanes.ts';
import { indexWords, letterOf, openCandidates, vectorOf, type Finder } from './searchWords.ts';

const LISTINGS = Number(process.env['BENCH_LISTINGS'] ?? 60_000);
const TOOLS_EACH = Number(process.env['BENCH_TOOLS'] ?? 5);
const SAVED_AT_ONCE = 250;
const CALLERS = 16;
const COMPARED = 200;
const JUDGED = 30;
const JUDGED_LISTINGS_MAX = 60_000;
const MB = 1_000_000;

interface Run {
  readonly readySeconds: number;
  /** Measured of our own designs alone. */
  readonly process?: { readonly cpuSeconds: number; readonly megabytes: number };
  readonly times: readonly number[];
  readonly found: readonly (readonly Found[])[];
}

const line = (text: string): void => void process.stdout.write(`${text}\n`);

const [, script = '', design, url = '', filesFolder = ''] = process.argv;
if (design === undefined || design === 'beside') await race(url);
else process.stdout.write(JSON.stringify(await runOf(design, url, filesFolder)));

/** @param python Runs Tantivy; it is not measured when empty. */
async function race(python: string): Promise<void> {
  const postgres = await startPostgres(false, {
    settings: ['shared_buffers=2GB', 'maintenance_work_mem=1GB', 'max_wal_size=8GB'],
  });
  const files = mkdtempSync(join(tmpdir(), 'hub-bench-'));
  try {
    const database = await postgres.freshDatabase();
    await (await openStore(database)).close();
    const filling = performance.now();
    const documents = await fill(database);
    const filled = Math.round((performance.now() - filling) / 1000);
    line(`${LISTINGS} listings, ${documents} documents, stored in ${filled} s`);
    const built = printed('index of all documents', run('built', database, files));
    const index = printed('index from a snapshot', run('snapshot', database, files));
    line(`  the snapshot has ${(await snapshotBytes(database)) / MB} MB`);
    const { seconds, bytes } = await indexWords(database);
    line(`  tsvector and GIN: ${bytes / MB} MB, indexed in ${seconds} s`);
    const words = printed('candidates of tsvector', run('words', database, files));
    const tantivy = python === '' ? undefined : printed('Tantivy', tantivyRun(python, files));
    const truth = LISTINGS > JUDGED_LISTINGS_MAX ? built.found : judged();
    line(`of the first 20 of ${truth.length} queries:`);
    line(`  index from a snapshot: ${recall(truth, index.found)} %`);
    line(`  candidates of tsvector: ${recall(truth, words.found)} %`);
    if (tantivy !== undefined) line(`  Tantivy: ${recall(truth, tantivy.found)} %`);
  } finally {
    rmSync(files, { recursive: true, force: true });
    await postgres.stop();
  }
}

function run(name: string, database: string, files: string): Run {
  const args = ['--import=tsx', '--max-old-space-size=8192', script, name, database, files];
  const text = execFileSync(process.execPath, args, { encoding: 'utf8', maxBuffer: 2 ** 28 });
  return JSON.parse(text) as Run;
}

/** The same documents and queries, as terms of the hub's own analysis with their weights. */
function tantivyRun(python: string, folder: string): Run {
  const [documents, queries] = [join(folder, 'documents'), join(folder, 'queries')];
  writeFileSync(documents, '');
  for (let n = 0; n < LISTINGS; n += 1)
    appendFileSync(documents, documentsOf(n).map(termsByWeight).join(''));
  const asked = Array.from({ length: 2 * COMPARED }, (_, n) => conceptsOf(requestOf(n).text));
  writeFileSync(queries, asked.map((each) => `${JSON.stringify(each)}\n`).join(''));
  const program = script.replace(/Race\.ts$/, '/race.py');
  const text = execFileSync(python, [program, documents, queries, String(CALLERS)], {
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
  });
  const run = JSON.parse(text) as Pick<Run, 'readySeconds' | 'times'> & { found: string[][] };
  const found = run.found.map((names) => names.map((name) => JSON.parse(name) as Found));
  return { ...run, found };
}

function termsByWeight({ kind, ref, part, weights }: Document): string {
  const texts = 'ABCD'
    .split('')
    .map((letter) =>
      [...weights]
        .flatMap(([term, weight]) => (letterOf(weight) === letter ? [term] : []))
        .join(' '),
    );
  return `${JSON.stringify([JSON.stringify({ kind, ref, part }), ...texts])}\n`;
}

function conceptsOf(text: string): readonly (readonly string[])[] {
  const { queryTerms } = parseQuery(text);
  return queryTerms.map(({ term, others }) => [term, ...others]);
}

function printed(title: string, of: Run): Run {
  const sorted = [...of.times].sort((a, b) => a - b);
  const at = (share: number): string => (sorted[Math.floor(share * sorted.length)] ?? 0).toFixed(1);
  const own =
    of.process &&
    ` with ${of.process.cpuSeconds.toFixed(1)} s of processor, ${of.process.megabytes.toFixed(0)} MB`;
  line(
    `${title}: ready in ${of.readySeconds.toFixed(1)} s${own ?? ''}, ` +
      `${CALLERS} callers p50 ${at(0.5)} ms, p99 ${at(0.99)} ms`,
  );
  return of;
}

/** The share of what should be first that was found, in a hundred. */
function recall(truth: readonly (readonly Found[])[], found: Run['found']): string {
  const name = ({ kind, ref, part }: Found): string => `${kind} ${ref} ${part}`;
  let [wanted, had] = [0, 0];
  truth.forEach((first, n) => {
    const names = new Set(found[n]?.map(name));
    wanted += first.length;
    had += first.filter((each) => names.has(name(each))).length;
  });
  return ((100 * had) / wanted).toFixed(1);
}

function requestOf(n: number): FindRequest {
  const text = n % 5 === 4 ? aQuery(n) : drawnQuery(n, LISTINGS);
  return { text, kinds: KINDS, order: 'score', count: 20 };
}

function documentsOf(n: number): readonly Document[] {
  const { listing, skills } = synthetic(n, TOOLS_EACH);
  const { id, name, description, host } = listing;
  const standing = { answers: n % 7 !== 0, karma: n % 11 === 0 ? n % 5 : 0, reach: n % 97 };
  const tools = skills.map((skill, place) => ({ ...skill, place }));
  return listingDocuments({
    id,
    name,
    host,
    standing,
    description: description ?? '',
    skills: tools,
  });
}

function judged(): readonly (readonly Found[])[] {
  const judge = openJudge(Array.from({ length: LISTINGS }, (_, n) => documentsOf(n)).flat());
  return Array.from({ length: JUDGED }, (_, n) =>
    judge.search({ ...requestOf(n), answeringOnly: false }),
  ) as readonly (readonly Found[])[];
}

/** Puts the documents where processes read them, and their words where PostgreSQL searches. */
async function fill(database: string): Promise<number> {
  const client = new pg.Client({ connectionString: database });
  await client.connect();
  await client.query('CREATE TABLE search_words (seq bigint PRIMARY KEY, words tsvector NOT NULL)');
  let seq = 0;
  for (let from = 0; from < LISTINGS; from += SAVED_AT_ONCE) {
    const rows: unknown[][] = [];
    for (let n = from; n < Math.min(LISTINGS, from + SAVED_AT_ONCE); n += 1) {
      for (const each of documentsOf(n)) {
        const { answers, karma, reach } = each.standing;
        const place = KINDS.indexOf(each.kind);
        const text = [termsText(each.weights), vectorOf(each.weights)];
        const known = [++seq, place, each.ref, each.part, each.digest];
        rows.push([...known, ...text, answers ? 1 : 0, karma, reach]);
      }
    }
    const columns = Array.from({ length: 10 }, (_, at) => rows.map((row) => row[at]));
    await client.query({
      name: 'fill',
      text: `WITH given AS (SELECT * FROM unnest($1::bigint[], $2::bigint[], $3::text[],
          $4::bigint[], $5::text[], $6::text[], $7::text[], $8::bigint[], $9::bigint[],
          $10::bigint[]) AS g (seq, kind, ref, part, digest, terms, words, answers, karma, reach)),
        put AS (INSERT INTO search_words SELECT seq, words::tsvector FROM given)
        INSERT INTO search_documents (seq, kind, ref, part, digest, terms, answers, karma, reach)
        SELECT seq, kind, ref, part, digest, terms, answers, karma, reach FROM given`,
      values: columns,
    });
  }
  await client.query('UPDATE search_index SET seq = $1', [seq]);
  await client.query('VACUUM ANALYZE search_documents');
  await client.end();
  return seq;
}

async function snapshotBytes(database: string): Promise<number> {
  const client = new pg.Client({ connectionString: database });
  await client.connect();
  const { rows } = await client.query<{ bytes: string }>('SELECT bytes FROM file_contents');
  await client.end();
  return Number(rows[0]?.bytes);
}

/** In a process of its own, so that its memory is that of the design. */
async function runOf(name: string, database: string, files: string): Promise<Run> {
  const before = process.memoryUsage().rss;
  const began = performance.now();
  const spent = process.cpuUsage();
  const { find, close } =
    name === 'words' ? openCandidates(database) : await openHubIndex(database, files);
  const readySeconds = (performance.now() - began) / 1000;
  const { user, system } = process.cpuUsage(spent);
  const found: (readonly Found[])[] = [];
  const times: number[] = [];
  await inLanes(CALLERS, COMPARED, async (n) => void (found[n] = await find(requestOf(n))));
  // Once more: what is measured is compiled.
  await inLanes(CALLERS, COMPARED, async (n) => {
    const started = performance.now();
    await find(requestOf(COMPARED + n));
    times.push(performance.now() - started);
  });
  const megabytes = (process.memoryUsage().rss - before) / MB;
  await close();
  const cpuSeconds = (user + system) / MB;
  return { readySeconds, process: { cpuSeconds, megabytes }, times, found };
}

async function openHubIndex(database: string, files: string): Promise<Finder> {
  const store = await openStore(database);
  const folder = openFolder(join(files, 'files'), join(files, 'uploads'));
  const search = openSearch(store, (error) => process.stderr.write(`${String(error)}\n`), {
    snapshots: openSnapshots(store, folder, systemClock),
  });
  await search.begin();
  await search.loaded();
  return {
    find: (request) => search.find(request),
    async close() {
      await search.close();
      await store.close();
    },
  };
}
