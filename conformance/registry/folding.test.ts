import assert from 'node:assert/strict';
import { listedSkill } from '../../db/registry/fixture.ts';
import { listingCode } from '../../domain/registry/code.ts';
import { instant } from '../../domain/instant.ts';
import { hubsOnBothDatabases } from '../harness/hubsOnBothDatabases.ts';
import type { Fixture } from '../harness/fixture.ts';
import { mustOk, mustRefuse } from '../harness/must.ts';
import { fill, index, listing, set } from './_index.ts';

type Body = Record<string, unknown>;

const NAME = 'Harbour tides';
const TEXT =
  'Tides, currents and water levels of two thousand harbours, by the minute, from the gauges of ' +
  'the hydrographic services, with warnings of storm surges and a history of thirty years.';
const TOOLS = ['tide-now', 'tide-forecast', 'surge-warning', 'harbour-search'].map((name) =>
  listedSkill(name, { description: `Returns ${name} of a harbour with the gauge it comes from.` }),
);
const SEEN = Date.parse('2026-11-20T10:00:00Z');
const seenAt = (minute: number) => instant(SEEN + minute * 60_000);

/** An attacker's listing: better reached than the original, and seen later. */
const clone = (nth: number, name: string, description: string, tools = TOOLS) =>
  listing(
    `mirror${nth}.example${nth}.org`,
    { name, description, firstSeenAt: seenAt(60 + nth), uptimeBps: 10_000, cardQualityBps: 10_000 },
    tools,
  );

hubsOnBothDatabases('a page that no one operator fills', (open) => {
  let world: Fixture;
  const original = listing(
    'tides.harbour.org',
    {
      name: NAME,
      description: TEXT,
      firstSeenAt: seenAt(0),
      uptimeBps: 9_000,
      cardQualityBps: 5_000,
    },
    TOOLS,
  );
  const { id } = original.listing;

  before(async () => {
    world = await open();
    const honest = Array.from({ length: 30 }, (_, nth) =>
      listing(`tide-station.port${nth}.org`, {
        name: `Tide station ${nth}`,
        description: `Station number ${nth} of the harbour tides network.`,
        firstSeenAt: seenAt(nth),
        cardQualityBps: 4_000,
      }),
    );
    const paths = Array.from({ length: 40 }, (_, nth) =>
      listing('flood.attacker.org', {
        id: listingCode('mcp', 'https://flood.attacker.org', `/p${nth}`),
        endpoint: `https://flood.attacker.org/p${nth}`,
        group: `https://flood.attacker.org/p${nth}`,
        name: `Harbour tides ${nth}`,
        description: `Harbour tides harbour tides number ${nth}.`,
        firstSeenAt: seenAt(100),
      }),
    );
    const clones = Array.from({ length: 310 }, (_, nth) =>
      clone(nth, NAME, `${TEXT} Mirror ${nth}.`),
    );
    const disguised = [
      clone(400, 'Hаrbоur tіdes', 'The tides of harbours, from another source.', []),
      clone(401, 'HARBOUR-TIDES', 'Water levels for people who sail at weekends.', []),
      clone(402, 'H4rbour T1des', 'Currents and buoys for fishermen of the north.', []),
    ];
    await fill(world, [original, ...honest, ...paths, ...clones, ...disguised]);
    for (let run = 0; run < 3; run += 1) await world.hub.runJob('listingCopies');
    await index(world);
  });

  const list = async (query: string): Promise<Body> =>
    mustOk(await world.anyone.get(`/api/v1/agents?${query}`));
  const rowsOf = (body: Body): Body[] => body['agents'] as Body[];
  const q = encodeURIComponent(NAME.toLowerCase());

  it('puts the original first, though 310 clones and 40 paths are reached better', async () => {
    const bare = rowsOf(await list(`q=${q}&fold=false`));
    const body = await list(`q=${q}`);
    const rows = rowsOf(body);
    const operators = new Map<unknown, number>();
    for (const { operatorId } of rows)
      operators.set(operatorId, (operators.get(operatorId) ?? 0) + 1);
    const copies = rows.filter(({ standsUnder }) => standsUnder === id).length;
    const placeOf = (some: readonly Body[]): number =>
      some.findIndex((each) => each['id'] === id) + 1;
    console.log(
      `      without folding: original at ${placeOf(bare) || 'no place'} of 20; ` +
        `with: ${placeOf(rows)} of ${rows.length}, copies ${copies}, ` +
        `most of one operator ${Math.max(...operators.values())}`,
    );
    assert.equal(placeOf(rows), 1, JSON.stringify(rows.map(({ name }) => name)));
    assert.equal(rows.length, 20, 'the page is full of others');
    assert.ok(copies <= 2, `${copies} copies beside the original`);
    assert.ok(Math.max(...operators.values()) <= 3);
  });

  it('says what it folded, and a call that shows it', async () => {
    const body = await list(`q=${q}`);
    const folded = body['folded'] as Body[];
    const copies = folded.find(({ by }) => by === 'copies');
    assert.equal(copies?.['under'], id);
    assert.ok(Number(copies?.['count']) >= 100, JSON.stringify(folded));
    const { path } = copies['call'] as { path: string };
    const all = mustOk(await world.anyone.get(path));
    assert.equal(all['folded'], undefined);
    assert.ok((all['agents'] as Body[]).length === 20);
  });

  it('goes on without repeating what a page showed', async () => {
    const seen = new Set<unknown>();
    let offset = 0;
    for (let page = 0; page < 4; page += 1) {
      const body = await list(`q=${q}&limit=10&offset=${offset}`);
      for (const each of rowsOf(body)) {
        assert.ok(!seen.has(each['id']), `${String(each['name'])} is on two pages`);
        seen.add(each['id']);
      }
      if (body['hasMore'] !== true) break;
      offset = Number(body['nextOffset']);
    }
    assert.ok(seen.size > 20);
  });

  it('keeps the search of everything from being filled as well', async () => {
    const body = mustOk(await world.anyone.get(`/api/v1/search?q=${q}&kind=agent`));
    const ids = (body['results'] as Body[]).map(({ agentId }) => agentId);
    const named = (body['results'] as Body[]).filter(({ title }) => title === NAME);
    assert.equal(ids[0], id);
    assert.ok(named.length <= 3, `${named.length} of the same name`);
    assert.ok((body['folded'] as Body[]).length > 0);
  });

  it('marks names that only look like an older one', async () => {
    const record = async (host: string): Promise<Body> =>
      mustOk(await world.anyone.get(`/api/v1/agents/${listingCode('mcp', `https://${host}`)}`));
    for (const nth of [400, 401, 402]) {
      const { standsUnder, standsBy } = await record(`mirror${nth}.example${nth}.org`);
      assert.deepEqual([standsUnder, standsBy], [id, 'look-alike'], `${nth}`);
    }
    assert.equal((await record('tides.harbour.org'))['standsUnder'], undefined);
  });

  it('lets the one with a proved domain stand for the group', async () => {
    const proved = clone(7, NAME, `${TEXT} Mirror 7.`).listing.id;
    await set(world, proved, { verification: 'dns', passport_key_id: world.alice.keyId });
    const { store } = world.hub.running.hub;
    await store.write(async (tx) => {
      await tx.knex('listings').where({ id: proved }).increment('changed_at', 1);
    });
    await world.hub.runJob('listingCopies');
    const record = async (code: string): Promise<Body> =>
      mustOk(await world.anyone.get(`/api/v1/agents/${code}`));
    assert.equal((await record(proved))['standsUnder'], undefined);
    assert.equal((await record(id))['standsUnder'], proved);
  });

  it('passes over one that was removed while it was compared', async () => {
    const gone = clone(8, NAME, `${TEXT} Mirror 8.`).listing.id;
    const { store } = world.hub.running.hub;
    const write = store.write.bind(store);
    await write(async (tx) => {
      await tx.knex('listings').where({ id: gone }).increment('changed_at', 2);
    });
    let isGone = false;
    const removing: typeof write = async (work) => {
      if (!isGone) await write((tx) => tx.knex('listings').where({ id: gone }).delete());
      isGone = true;
      return write(work);
    };
    Object.assign(store, { write: removing });
    try {
      await world.hub.runJob('listingCopies');
    } finally {
      Object.assign(store, { write });
    }
    assert.ok(isGone);
    const report = world.hub.running.driver.report().find((job) => job.name === 'listingCopies');
    assert.equal(report?.lastError, undefined);
    mustRefuse(await world.anyone.get(`/api/v1/agents/${gone}`), 404, 'not-found');
  });
});
