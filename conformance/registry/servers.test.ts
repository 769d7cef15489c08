import assert from 'node:assert/strict';
import { saveListings } from '../../db/registry/listings.ts';
import { removeListing } from '../../db/registry/remove.ts';
import { instant, iso } from '../../domain/instant.ts';
import { DATABASES } from '../harness/databases.ts';
import { openFixture, type Fixture } from '../harness/fixture.ts';
import { mustOk, mustRefuse } from '../harness/must.ts';
import { fill, listing, set } from './_index.ts';

const SUITE_MS_MAX = 60_000;
const KEY = 'local.hub/measured';
const AT = Date.parse('2026-11-20T10:00:00Z');

interface Listed {
  readonly server: Record<string, unknown>;
  readonly _meta: Record<string, Record<string, unknown>>;
}
interface Page {
  readonly servers: readonly Listed[];
  readonly metadata: { readonly count: number; readonly nextCursor?: string };
}

for (const [database, url] of DATABASES) {
  describe(`registry.servers (${database})`, function suite() {
    this.timeout(SUITE_MS_MAX);
    let world: Fixture;
    const many = Array.from({ length: 12 }, (_, n) =>
      listing(`s${n}.many.example`, { version: `1.${n}.0`, access: n % 2 === 0 ? 'open' : 'paid' }),
    );
    const gone = listing('gone.example', { availability: 'unreachable', version: '2.0.0' });
    const unsteady = listing('unsteady.example', { availability: 'unstable' });
    const card = listing('card.example', { kind: 'a2a', transport: 'JSONRPC' });
    before(async () => {
      world = await openFixture({ databaseUrl: await url() });
      await fill(world, [...many, gone, unsteady, card]);
    });
    after(() => world.close());

    const read = async (query = ''): Promise<Page> =>
      mustOk(await world.anyone.get(`/v0.1/servers${query}`)) as unknown as Page;
    const names = async (query = ''): Promise<readonly unknown[]> =>
      (await read(query)).servers.map(({ server }) => server['name']);

    it('answers at /v0/servers as well, in gzip, and leaves unknown parameters out', async () => {
      for (const path of [
        '/servers?limit=100',
        `/servers/${encodeURIComponent('example.many.s3/mcp')}/versions/latest`,
      ]) {
        const [old, now] = [
          await world.anyone.get(`/v0${path}`),
          await world.anyone.get(`/v0.1${path}`),
        ];
        assert.deepEqual(mustOk(old), mustOk(now));
      }
      const all = await names('?limit=100&sort=name&category=weather');
      assert.equal(all.length, 13, 'as the original does');
      const packed = await fetch(`${world.hub.url}/v0/servers?limit=100`, {
        headers: { 'accept-encoding': 'gzip' },
      });
      assert.equal(packed.headers.get('content-encoding'), 'gzip');
      assert.equal(((await packed.json()) as Page).servers.length, 13);
    });

    it('searches in name, title and description', async () => {
      const named = listing('described.example', {
        name: 'Harbour Pilot',
        description: 'Reads the TIDE tables.',
      });
      await fill(world, [named]);
      for (const words of ['harbour pil', 'tide tables', 'example.described']) {
        assert.deepEqual(await names(`?search=${encodeURIComponent(words)}`), [
          'example.described/mcp',
        ]);
      }
      await world.hub.running.hub.store.write((tx) =>
        removeListing(tx, named.listing.id, world.hub.clock.now()),
      );
    });

    it('lists MCP servers that answer, by name', async () => {
      const found = await names('?limit=100');
      assert.equal(found.length, 13);
      assert.deepEqual(found, [...found].sort());
      assert.ok(!found.includes('example.card/mcp'), 'an A2A agent is no MCP server');
      assert.ok(!found.includes('example.gone/mcp'));
    });

    it('separates claims from measurements, under the name of this hub', async () => {
      const [first] = (await read('?search=UNSTEADY')).servers;
      assert.deepEqual(Object.keys(first?._meta ?? {}), [KEY]);
      assert.deepEqual(first?.server['remotes'], [
        { type: 'streamable-http', url: 'https://unsteady.example/mcp' },
      ]);
      const measured = first?._meta[KEY];
      assert.equal(measured?.['status'], 'active');
      assert.equal(measured?.['availability'], 'unstable');
      assert.equal(measured?.['agentId'], unsteady.listing.id);
      assert.equal(measured?.['latencyMs'], 120);
    });

    it('shows what the passport wrote since the probe', async () => {
      await set(world, unsteady.listing.id, {
        karma: 7,
        verification: 'dns',
        passport_key_id: 'k'.repeat(43),
      });
      const [first] = (await read('?search=unsteady')).servers;
      assert.equal(first?._meta[KEY]?.['karma'], 7);
      assert.equal(first?._meta[KEY]?.['verification'], 'dns');
    });

    it('gives every record once over all pages, whatever the page size', async () => {
      const all = await names('?limit=100');
      for (const limit of [1, 5, 13]) {
        const seen: unknown[] = [];
        for (let cursor: string | undefined = ''; cursor !== undefined;) {
          const page: Page = await read(`?limit=${limit}&cursor=${cursor}`);
          assert.equal(page.metadata.count, page.servers.length);
          seen.push(...page.servers.map(({ server }) => server['name']));
          cursor = page.metadata.nextCursor;
        }
        assert.deepEqual(seen, all);
      }
    });

    it('filters by text of the name, version, liveness and access', async () => {
      assert.deepEqual(await names('?search=S3.Many-x'), []);
      assert.deepEqual(await names('?search=AT+S3.Many'), ['example.many.s3/mcp'], 'the title');
      assert.deepEqual(await names('?search=many.s3'), ['example.many.s3/mcp']);
      assert.deepEqual(await names('?version=1.4.0'), ['example.many.s4/mcp']);
      assert.equal((await names('?version=latest&limit=100')).length, 13);
      assert.equal((await names('?live=true&limit=100')).length, 12);
      assert.equal((await names('?access=paid&limit=100')).length, 6);
    });

    it('shows servers that do not answer as deleted, with the reason, when asked', async () => {
      const found = (await read('?search=gone&include_deleted=true')).servers;
      assert.equal(found[0]?._meta[KEY]?.['status'], 'deleted');
      assert.equal(typeof found[0]?._meta[KEY]?.['statusMessage'], 'string');
      assert.deepEqual(await names('?search=gone'), []);
    });

    it('gives changes since a moment in the order of changes, deleted ones included', async () => {
      const later = instant(AT + 60_000);
      const changed = [
        listing('s9.many.example', { version: '9.0.0', lastCheckedAt: later }),
        listing('gone.example', { availability: 'not-speaking', lastCheckedAt: later }),
      ];
      const { store } = world.hub.running.hub;
      await store.write((tx) => saveListings(tx, changed));
      const since = `?updated_since=${encodeURIComponent(iso(later))}`;
      const first = await read(`${since}&limit=2`);
      const { nextCursor } = first.metadata;
      const second = await read(`${since}&limit=100&cursor=${nextCursor ?? ''}`);
      const found = [...first.servers, ...second.servers].map(
        ({ server, _meta }) =>
          `${String(server['name'])} ${String(server['version'])} ${String(_meta[KEY]?.['status'])}`,
      );
      assert.deepEqual([...found].sort(), [
        'example.gone/mcp 0.0.0 deleted',
        'example.gone/mcp 2.0.0 deleted',
        'example.many.s9/mcp 1.9.0 deleted',
        'example.many.s9/mcp 9.0.0 active',
      ]);
    });

    it('refuses a cursor that it did not give, or gave for other filters', async () => {
      const { metadata } = await read('?limit=1');
      const given = metadata.nextCursor ?? '';
      const made = Buffer.from('["a"]').toString('base64url');
      for (const query of [
        'cursor=%00',
        `cursor=${made}`,
        `cursor=${given}&updated_since=2026-01-01T00:00:00Z`,
      ]) {
        mustRefuse(await world.anyone.get(`/v0.1/servers?${query}`), 400, 'bad-request');
      }
    });

    it('answers 304 to a client that has the page', async () => {
      const first = await world.anyone.get('/v0.1/servers?limit=3');
      const etag = first.headers.get('etag') ?? '';
      assert.match(etag, /^W\/"[0-9a-f]{32}"$/);
      const address = new URL('/v0.1/servers?limit=3', world.hub.url);
      const again = await fetch(address, { headers: { 'if-none-match': etag } });
      assert.equal(again.status, 304);
    });

    it('shows a removed listing to readers of changes', async () => {
      const { store } = world.hub.running.hub;
      const at = instant(AT + 120_000);
      await store.write((tx) => removeListing(tx, unsteady.listing.id, at));
      assert.deepEqual(await names('?search=unsteady'), []);
      const since = `?updated_since=${encodeURIComponent(iso(at))}`;
      const [removed] = (await read(since)).servers;
      assert.equal(removed?.server['name'], 'example.unsteady/mcp');
      assert.equal(removed?._meta[KEY]?.['status'], 'deleted');
    });
  });
}
