import assert from 'node:assert/strict';
import { DATABASES } from '../harness/databases.ts';
import { at, mustOk, mustRefuse } from '../harness/must.ts';
import { openFixture, type Fixture } from '../harness/fixture.ts';
import { atomic } from '../../domain/money.ts';
import { fill, listing, set, skill } from './_index.ts';

type Body = Record<string, unknown>;

const SUITE_MS_MAX = 60_000;
const MANY = Array.from({ length: 25 }, (_, n) => skill(`tool_${n}`));

const WEATHER = listing('weather.example', { name: 'Weather desk', verifiedOpen: true }, [
  skill('get_weather', { description: 'The weather of a city.', access: 'open' }),
]);
const ISSUES = listing('issues.example', { name: 'Issue tracker', access: 'paid' }, [
  skill('create_issue', {
    description: 'Opens an issue.',
    tags: ['work_items', 'bugs'],
    price: { amount: atomic(500n), asset: 'USDC', network: 'base' },
    inputSchema: {
      type: 'object',
      properties: { body: { type: 'string' }, title: { type: 'string' } },
      required: ['title'],
    },
  }),
]);
const CARD = listing('card.example', {
  kind: 'a2a',
  name: 'Travel planner',
  transport: 'JSONRPC',
  access: 'auth-required',
  description: 'Plans trips; asks about the weather too.',
});
const GONE = listing('gone.example', {
  name: 'Weather of yesterday',
  availability: 'unreachable',
  access: 'closed',
});
const WIDE = listing('wide.example', { name: 'Everything', uptimeBps: 9_000 }, MANY);

for (const [name, url] of DATABASES) {
  describe(`registry.list (${name})`, function suite() {
    this.timeout(SUITE_MS_MAX);
    let world: Fixture;
    before(async () => {
      world = await openFixture({ databaseUrl: await url() });
      await fill(world, [WEATHER, ISSUES, CARD, GONE, WIDE]);
      await set(world, CARD.listing.id, { karma: 7 });
      await set(world, ISSUES.listing.id, { verification: 'dns', passport_key_id: 'k'.repeat(43) });
    });
    after(() => world.close());

    const read = async (query: string): Promise<Body> =>
      mustOk(await world.anyone.get(`/api/v1/agents${query}`));
    const names = async (query: string): Promise<readonly unknown[]> =>
      ((await read(query))['agents'] as Body[]).map((agent) => agent['name']);

    it('puts karma first, then reachability, and leaves out what does not answer', async () => {
      const all = ['Travel planner', 'Issue tracker', 'Weather desk', 'Everything'];
      const found = await names('');
      assert.equal(found[0], 'Travel planner');
      assert.equal(found[3], 'Everything', 'less uptime, however many tools');
      assert.deepEqual([...found].sort(), [...all].sort());
      assert.deepEqual(
        [...(await names('?includeUnavailable=true'))].sort(),
        [...all, 'Weather of yesterday'].sort(),
      );
    });

    it('echoes the query as it was applied, and says what the fields are worth', async () => {
      const body = await read('?access=free&limit=1000&verified=false');
      assert.deepEqual(body['query'], {
        access: 'open',
        includeUnavailable: false,
        verifiedOnly: false,
        fold: true,
        limit: 100,
        offset: 0,
      });
      assert.equal(body['contentIsUntrusted'], true);
      const { assigned, claimed, observed, attributed } = body['provenance'] as Record<
        string,
        string[]
      >;
      assert.ok(assigned?.includes('siblings') && claimed?.includes('description'));
      assert.ok(observed?.includes('karma') && attributed?.includes('summary'));
    });

    it('filters by each of its filters', async () => {
      assert.deepEqual(await names('?kind=a2a'), ['Travel planner']);
      assert.deepEqual(await names('?transport=JSONRPC'), ['Travel planner']);
      assert.deepEqual(await names('?access=paid'), ['Issue tracker']);
      assert.deepEqual(await names('?access=auth-required'), ['Travel planner']);
      assert.deepEqual(await names('?access=verified-open'), ['Weather desk']);
      assert.deepEqual(await names('?verified=true'), ['Issue tracker']);
      assert.deepEqual(await names('?skill=create_issue'), ['Issue tracker']);
      assert.deepEqual(await names('?skill=create_issu'), []);
      assert.deepEqual(await names('?access=closed&includeUnavailable=true'), [
        'Weather of yesterday',
      ]);
    });

    it('filters by price, network, uptime and tag, with words and without', async () => {
      for (const q of ['', 'q=issue&']) {
        assert.deepEqual(await names(`?${q}network=base`), ['Issue tracker']);
        assert.deepEqual(await names(`?${q}network=polygon`), []);
        assert.deepEqual(await names(`?${q}tag=bugs`), ['Issue tracker']);
        assert.deepEqual(await names(`?${q}tag=work_items&maxPrice=500`), ['Issue tracker']);
        for (const tag of ['bug', 'work-items', 'workXitems', '%25', '%22']) {
          assert.deepEqual(await names(`?${q}tag=${tag}`), [], tag);
        }
      }
      assert.ok((await names('?maxPrice=500')).includes('Issue tracker'));
      const cheap = await names('?maxPrice=499');
      assert.ok(!cheap.includes('Issue tracker') && cheap.includes('Weather desk'));
      assert.ok(!(await names('?minUptimePercent=95')).includes('Everything'));
      assert.ok((await names('?minUptimePercent=90')).includes('Everything'));
      const { query } = await read('?maxPrice=499&minUptimePercent=50&network=base&tag=x');
      const { maxPrice, minUptimePercent, network, tag } = query as Body;
      assert.deepEqual([maxPrice, minUptimePercent, network, tag], ['499', 50, 'base', 'x']);
    });

    it('refuses what is no filter value, with the list that works', async () => {
      for (const [query, allowed] of [
        ['kind=rest', ['a2a', 'mcp']],
        ['access=gratis', ['open', 'paid', 'auth-required', 'closed', 'verified-open', 'free']],
        ['transport=pigeon', ['streamable-http', 'sse', 'JSONRPC', 'HTTP+JSON', 'GRPC']],
      ] as const) {
        const answer = await world.anyone.get(`/api/v1/agents?${query}`);
        assert.deepEqual(mustRefuse(answer, 400, 'unknown-filter')['allowed'], allowed);
      }
    });

    it('pages without losing or repeating an entry', async () => {
      const all = await names('?includeUnavailable=true');
      const paged: unknown[] = [];
      const followed: unknown[] = [];
      const pageAt = async (place: string, into: unknown[]): Promise<Body> => {
        const body = await read(`?includeUnavailable=true&limit=2${place}`);
        into.push(...(body['agents'] as Body[]).map((agent) => agent['name']));
        assert.equal(body['hasMore'], body['nextOffset'] !== undefined);
        assert.equal(body['next'], body['nextOffset']?.toString());
        return body;
      };
      for (let offset: unknown = 0; offset !== undefined;) {
        offset = (await pageAt(`&offset=${String(offset)}`, paged))['nextOffset'];
      }
      for (let place = '&offset=0'; place !== '';) {
        const { next } = await pageAt(place, followed);
        place = next === undefined ? '' : `&offset=1&after=${String(next)}`;
      }
      assert.deepEqual([paged, followed], [all, all]);
    });

    it('shows at most 20 tools of a listing, without schemas, and how to call them', async () => {
      const [wide] = (await read('?skill=tool_3'))['agents'] as [Body];
      assert.equal((wide['skills'] as Body[]).length, 20);
      assert.equal(wide['skillsOmitted'], 5);
      assert.ok((wide['skills'] as Body[]).every((each) => each['inputSchema'] === undefined));
      const [issues] = (await read('?skill=create_issue'))['agents'] as [Body];
      assert.equal(at(issues, 'callWith', 0, 'args'), 'title*: string, body: string');
      assert.equal(at(issues, 'skills', 0, 'access'), 'unknown', 'never presented as open');
    });

    it('finds by text: names that have all words first, then by karma', async () => {
      assert.deepEqual(await names('?q=weather'), ['Weather desk', 'Travel planner']);
      assert.deepEqual(await names('?q=weather&kind=mcp'), ['Weather desk']);
      assert.deepEqual(await names('?q=wether+desk'), ['Weather desk']);
      assert.deepEqual(await names('?q=issues.example'), ['Issue tracker']);
      assert.deepEqual(await names('?q=createIssue'), ['Issue tracker']);
      assert.deepEqual(await names('?q=nothinglikeit'), []);
      assert.deepEqual(await names('?q=%21%3F'), []);
    });

    it('finds a tool by the id that the router finds it by', async () => {
      const found = listing('ids.example', { name: 'By id' }, [
        { ...skill('Translate text'), id: 'translate-1' },
      ]);
      await fill(world, [found]);
      assert.deepEqual(await names('?skill=translate-1'), ['By id']);
      assert.deepEqual(await names(`?skill=${encodeURIComponent('Translate text')}`), ['By id']);
    });

    it('finds what is served at a host and port', async () => {
      const port = listing('ports.example:8443', { name: 'Behind a port' });
      await fill(world, [port]);
      for (const q of ['ports.example:8443', 'https://ports.example:8443/mcp']) {
        assert.deepEqual(await names(`?q=${encodeURIComponent(q)}`), ['Behind a port'], q);
      }
    });

    it('finds what a look changed, and no longer what it was', async () => {
      const changed = listing('weather.example', { ...WEATHER.listing, name: 'Tide tables' }, [
        skill('get_tides'),
      ]);
      await fill(world, [changed]);
      assert.deepEqual(await names('?q=tides'), ['Tide tables']);
      assert.deepEqual(await names('?q=desk'), []);
      await fill(world, [WEATHER]);
      assert.deepEqual(await names('?q=tides'), []);
    });
  });
}
