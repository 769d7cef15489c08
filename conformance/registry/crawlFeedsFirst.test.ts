import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { closeSites, sendJson, startSite } from '../../clients/examples/agents/site.ts';
import { freshSqlite } from '../harness/sqlite.ts';
import { firstRun } from './_firstRun.ts';

const SUITE_MS_MAX = 120_000;
const NAMES = 3_000;
const PAGE = 100;
const GROWN_MB_MAX = 200;

describe('the first run over a large feed', function suite() {
  this.timeout(SUITE_MS_MAX);
  let folder: string;
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'hub-first-'));
  });
  after(async () => {
    await closeSites();
    rmSync(folder, { recursive: true, force: true });
  });

  it('goes on after a restart, asks for each page once and proposes no name twice', async () => {
    const site = await startSite(({ path }, response) => {
      const from = Number(new URL(path, 'http://x').searchParams.get('cursor') ?? 0);
      const servers = Array.from({ length: PAGE }, (_, n) => ({
        server: {
          name: `org.example/s${from + n}`,
          remotes: [{ type: 'streamable-http', url: `https://s${from + n}.example.org/mcp` }],
        },
      }));
      const nextCursor = from + PAGE < NAMES ? `${from + PAGE}` : undefined;
      sendJson(response, 200, { servers, metadata: { nextCursor } });
    });
    const file = join(folder, 'hub.sqlite');
    await freshSqlite(file);
    const run = await firstRun({
      url: `${site.url}/v0.1/servers`,
      pair: site.pair,
      databaseUrl: `sqlite:${file}`,
      restartAfterPages: NAMES / PAGE / 2,
    });
    assert.deepEqual([run.feed.names, run.proposals, run.origins], [NAMES, NAMES, NAMES]);
    assert.equal(new Set(site.requests).size, NAMES / PAGE);
    assert.equal(site.requests.length, NAMES / PAGE);
    assert.ok(run.grownMb < GROWN_MB_MAX, `the process grew by ${run.grownMb.toFixed(0)} MB`);
  });
});
