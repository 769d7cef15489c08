import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { closeSites } from '../../clients/examples/agents/site.ts';
import { FEED_LIMITS } from '../../domain/registry/crawlFeed.ts';
import { HOLD_MS_MAX, holdOf } from '../pipeline/loopDelay.ts';
import { openFeeds, type FeedWorld } from './_feeds.ts';

const SUITE_MS_MAX = 120_000;
const DAY = 86_400;
const AGENTS = 500;
/** Bytes around the agents of a page, at most. */
const FRAME_BYTES = 1_024;

/** Sent piece by piece, so that the server of the test holds nothing itself. */
function* pieces(page: Buffer): Generator<Buffer> {
  for (let from = 0; from < page.length; from += 65_536) yield page.subarray(from, from + 65_536);
}

const line = (value: object): string => `${JSON.stringify(value)}\n`;

/** A page of a hub that fills its limit: 500 listings with a schema of 32 kB each. */
function hubPage(run: number): string {
  const properties = Object.fromEntries(
    Array.from({ length: 900 }, (_, n) => [`member${n}`, { type: 'string', maxLength: n }]),
  );
  const agents = Array.from({ length: AGENTS }, (_, n) => ({
    line: 'agent',
    agent: {
      kind: 'mcp',
      name: `Agent ${n}`,
      endpoint: `https://r${run}a${n}.example.org/mcp`,
      skills: [{ name: 'tool', inputSchema: { type: 'object', properties } }],
    },
  }));
  const body = agents.map(line);
  const room = FEED_LIMITS.hubPageBytes - FRAME_BYTES;
  const kept = body.slice(0, Math.floor(room / (body[0]?.length ?? 1)));
  const text = line({ line: 'hub' }) + kept.join('') + line({ line: 'cursor', complete: true });
  return text + '\n'.repeat(Math.max(0, room - text.length));
}

/** A registry page of 4 MiB, in one line. */
function registryPage(run: number): string {
  const servers = Array.from({ length: 5_000 }, (_, n) => ({
    server: {
      name: `org.example/r${run}s${n}`,
      description: 'x'.repeat(600),
      remotes: [{ type: 'streamable-http', url: `https://r${run}s${n}.example.org/mcp` }],
    },
  }));
  return JSON.stringify({ servers, metadata: {} });
}

const addressPage = (run: number): string =>
  Array.from({ length: FEED_LIMITS.entriesAPage }, (_, n) => `https://r${run}t${n}.example.org/`)
    .map((url) => `${url}\n`)
    .join('');

const FEEDS = [
  ['16 MB of a hub', '/agents.ndjson', hubPage],
  ['4 MB of an MCP registry', '/v0.1/servers', registryPage],
  ['5,000 addresses', '/list.txt', addressPage],
] as const;

describe('a feed never holds the event loop', function suite() {
  this.timeout(SUITE_MS_MAX);
  let world: FeedWorld;
  afterEach(async () => {
    await world.close();
    await closeSites();
  });

  for (const [title, path, pageOf] of FEEDS) {
    it(`other work goes on while ${title} are read and proposed`, async () => {
      let page = Buffer.alloc(0);
      world = await openFeeds((_, response) => {
        Readable.from(pieces(page)).pipe(response);
      });
      await world.add(path);
      let run = 0;
      const hold = await holdOf(() => {
        run += 1;
        page = Buffer.from(pageOf(run));
        world.hub.clock.advance(DAY);
        return Promise.resolve(() => world.hub.runJob('crawlFeeds'));
      });
      const { fault, pass } = await world.feed();
      assert.equal(fault, undefined);
      assert.ok(pass.proposed >= 400, `${pass.proposed} addresses were proposed`);
      assert.ok(hold <= HOLD_MS_MAX, `the loop was held for ${hold.toFixed(1)} ms`);
    });
  }
});
