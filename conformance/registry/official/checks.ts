import assert from 'node:assert/strict';
import { execFile, fork, type ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { freePort } from '../../../clients/examples/freePort.ts';
import { saveListings } from '../../../db/registry/listings.ts';
import { systemClock } from '../../../workflows/kernel/systemClock.ts';
import { writeTexts } from '../../../workflows/registry/texts.ts';
import { openStore } from '../../../db/store.ts';
import { startPostgres, type RunningPostgres } from '../../harness/postgres.ts';
import { freshSqlite } from '../../harness/sqlite.ts';
import { firstRun } from '../_firstRun.ts';
import { listing } from '../_index.ts';
import { startProgram, type Program } from './program.ts';
import { compared } from './timing.ts';

/** `npm run registry:official`: the hub and the official MCP registry program read each other. */
const NAMES = Number(process.env['OFFICIAL_NAMES']);
const SUITE_MS_MAX = 3_600_000;
const SAVED_AT_ONCE = 400;
const ASKED = 1_000;

interface Record_ {
  readonly server: { readonly name: string; readonly version: string };
  readonly _meta: Readonly<Record<string, { readonly agentId?: string }>>;
}
interface Walk {
  readonly records: readonly Record_[];
  readonly cursors: readonly string[];
  readonly seconds: number;
}

const print = (text: string): void => void process.stdout.write(`      ${text}\n`);

async function walk(base: string): Promise<Walk> {
  const records: Record_[] = [];
  const cursors: string[] = [];
  const began = performance.now();
  for (let cursor: string | undefined = ''; cursor !== undefined && cursors.length <= NAMES;) {
    cursors.push(cursor);
    const answer: Response = await fetch(
      `${base}/v0.1/servers?limit=100&cursor=${encodeURIComponent(cursor)}`,
    );
    assert.equal(answer.status, 200);
    const page = (await answer.json()) as {
      readonly servers: readonly Record_[];
      readonly metadata: { readonly nextCursor?: string };
    };
    records.push(...page.servers);
    cursor = page.metadata.nextCursor === '' ? undefined : page.metadata.nextCursor;
  }
  return { records, cursors, seconds: (performance.now() - began) / 1000 };
}

function serve(port: number, database: string): Promise<ChildProcess> {
  return new Promise((resolve, reject) => {
    const script = new URL('../../kinds/bench/servers/indexHub.ts', import.meta.url);
    const child = fork(script, [String(port), database], { execArgv: ['--import=tsx'] });
    child.once('message', () => resolve(child));
    child.once('exit', (code) => reject(new Error(`the hub ended with ${String(code)}`)));
  });
}

describe(`the official MCP registry and the hub, ${NAMES} names`, function suite() {
  this.timeout(SUITE_MS_MAX);
  let folder: string;
  let hub: string;
  let child: ChildProcess | undefined;
  let postgres: RunningPostgres;
  let program: Program | undefined;
  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'hub-official-'));
    const file = join(folder, 'hub.sqlite');
    const store = await openStore(`sqlite:${file}`);
    for (let from = 0; from < NAMES; from += SAVED_AT_ONCE) {
      const count = Math.min(SAVED_AT_ONCE, NAMES - from);
      const some = Array.from({ length: count }, (_, n) =>
        listing(`s${from + n}.example.org`, {
          description: `Server ${from + n}.`,
          version: '1.0.0',
        }),
      );
      await store.write((tx) => saveListings(tx, some));
    }
    while ((await writeTexts({ store, clock: systemClock })) !== undefined);
    await store.close();
    const port = await freePort();
    child = await serve(port, file);
    hub = `http://127.0.0.1:${port}`;
    postgres = await startPostgres();
  });
  after(async () => {
    await program?.stop();
    child?.kill();
    await postgres.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  it('is read with the Go types of the official registry', async () => {
    const { stdout } = await promisify(execFile)(process.env['OFFICIAL_READER'] ?? '', [hub]);
    assert.deepEqual(JSON.parse(stdout), { servers: NAMES, pages: Math.ceil(NAMES / 100) });
  });

  it('is mirrored by the importer of the program, record by record', async () => {
    const database = await postgres.freshDatabase();
    const began = performance.now();
    program = await startProgram(database, `${hub}/v0/servers`);
    print(`imported in ${((performance.now() - began) / 1000).toFixed(1)} s`);
    const [ours, theirs] = [await walk(hub), await walk(program.url)];
    const byName = (all: Walk): ReadonlyMap<string, unknown> =>
      new Map(all.records.map(({ server }) => [server.name, server]));
    assert.equal(theirs.records.length, NAMES);
    assert.deepEqual(byName(theirs), byName(ours));
  });

  it('is a feed of the crawler, which is stopped in the middle of its first run', async () => {
    assert.ok(program !== undefined);
    const { url, pair } = program;
    const file = join(folder, 'crawler.sqlite');
    await freshSqlite(file);
    const run = await firstRun({
      url: `${url}/v0.1/servers`,
      pair,
      databaseUrl: `sqlite:${file}`,
      restartAfterPages: Math.ceil(NAMES / 200),
    });
    assert.deepEqual([run.feed.names, run.proposals, run.origins], [NAMES, NAMES, NAMES]);
    print(
      `first run: ${run.pages} pages in ${run.seconds.toFixed(1)} s, ${run.proposals} proposals, process grew by ${run.grownMb.toFixed(0)} MB`,
    );
  });

  it('is timed beside the program', async () => {
    assert.ok(program !== undefined);
    const { url } = program;
    const [ours, theirs] = [await walk(hub), await walk(url)];
    const walks = { hub: [ours.seconds], official: [theirs.seconds] };
    for (let n = 0; n < 2; n += 1) {
      walks.hub.push((await walk(hub)).seconds);
      walks.official.push((await walk(url)).seconds);
    }
    const step = Math.max(1, Math.floor(NAMES / ASKED));
    const some = ours.records.filter((_, n) => n % step === 0);
    const at = (base: string, path: string): readonly string[] =>
      some.map(
        ({ server }) => `${base}/v0.1/servers/${encodeURIComponent(server.name)}/versions${path}`,
      );
    const pagesOf = (base: string, { cursors }: Walk): readonly string[] =>
      cursors.map(
        (cursor) => `${base}/v0.1/servers?limit=100&cursor=${encodeURIComponent(cursor)}`,
      );
    const ids = some.map(
      ({ _meta }) => `${hub}/api/v1/agents/${Object.values(_meta)[0]?.agentId ?? ''}`,
    );
    const rows = [
      await compared('page of 100', { hub: pagesOf(hub, ours), official: pagesOf(url, theirs) }),
      await compared('versions of a name', { hub: at(hub, ''), official: at(url, '') }),
      await compared('latest version', { hub: at(hub, '/latest'), official: at(url, '/latest') }),
      await compared('record by id', { hub: ids, official: at(url, '/latest') }),
    ];
    for (const { what, hub: own, official, ratio } of rows) {
      print(`${what}: ${own.toFixed(0)}/s, ${official.toFixed(0)}/s, ratio ${ratio.toFixed(2)}`);
    }
    const best = (all: readonly number[]): number => Math.min(...all);
    const [own, official] = [best(walks.hub), best(walks.official)];
    print(
      `walk of all: ${own.toFixed(1)} s, ${official.toFixed(1)} s, ratio ${(official / own).toFixed(2)}`,
    );
    assert.ok(rows.every(({ ratio }) => ratio > 0));
  });
});
