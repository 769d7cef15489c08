import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { saveListings, type Probed } from '../../db/registry/listings.ts';
import { saveProbes } from '../../db/registry/probes.ts';
import { removeListing } from '../../db/registry/remove.ts';
import { saveTexts, stampsOf } from '../../db/registry/texts.ts';
import { instant } from '../../domain/instant.ts';
import { LISTING_FORM } from '../../workflows/kernel/listingTexts.ts';
import { DATABASES } from '../harness/databases.ts';
import { openFixture, type Fixture } from '../harness/fixture.ts';
import { mustOk, mustRefuse } from '../harness/must.ts';
import { listing, set, skill } from './_index.ts';

const SUITE_MS_MAX = 120_000;
const AT = instant(Date.parse('2026-11-20T10:00:00Z'));
const DAY = 86_400;

for (const [database, url] of DATABASES) {
  describe(`stored texts of listings (${database})`, function suite() {
    this.timeout(SUITE_MS_MAX);
    let folder: string;
    let world: Fixture;
    let other: Fixture;
    const tools = [
      skill('read_page', { access: 'open', accessCheckedAt: AT }),
      skill('read_file', { inputSchema: { type: 'object', properties: { a: {} } } }),
    ];
    const agent = listing('agent.example', { description: 'Café 🚀 "quoted"' }, tools);
    const sibling = listing('b.agent.example', { name: 'Sibling' });
    const stranger = listing('elsewhere.example');
    const { id } = agent.listing;
    before(async () => {
      folder = await mkdtemp(join(tmpdir(), 'hub-test-'));
      const databaseUrl = await url(folder);
      world = await openFixture({ databaseUrl });
      other = await openFixture({ databaseUrl, clock: world.hub.clock });
    });
    after(async () => {
      await other.close();
      await world.close();
      await rm(folder, { recursive: true, force: true });
    });
    beforeEach(async () => {
      await save(agent, sibling, stranger);
      await world.hub.runJob('listingTexts');
      assert.ok(await isStored(world), 'the text is stored');
    });

    const save = (...found: readonly Probed[]): Promise<void> =>
      world.hub.running.hub.store.write((tx) => saveListings(tx, found));
    const isStored = async (of: Fixture, code = id): Promise<boolean> =>
      (await of.hub.running.hub.listingTexts.record(code)) !== undefined;
    const read = async (of: Fixture, code = id): Promise<Record<string, unknown>> =>
      mustOk(await of.anyone.get(`/api/v1/agents/${code}`));

    /** Reads the record of both processes from the rows, and again from the text. */
    const shownBy = async (...members: readonly string[]): Promise<readonly unknown[]> => {
      assert.deepEqual([await isStored(world), await isStored(other)], [false, false]);
      const fromRows = await read(other);
      assert.deepEqual(await read(world), fromRows);
      await other.hub.runJob('listingTexts');
      assert.deepEqual([await isStored(world), await isStored(other)], [true, true]);
      assert.deepEqual(await read(world), fromRows);
      assert.deepEqual(await read(other), fromRows);
      return members.map((name) => fromRows[name]);
    };

    it('answers the same record and tag from the text as from the rows', async () => {
      const stored = await world.anyone.get(`/api/v1/agents/${id}`);
      await set(world, id, { karma: 0 });
      assert.equal(await isStored(world), false);
      const made = await world.anyone.get(`/api/v1/agents/${id}`);
      assert.deepEqual(stored.body, made.body);
      assert.equal(stored.headers.get('etag'), made.headers.get('etag'));
      assert.equal(stored.body['description'], agent.listing.description);
    });

    it('answers 304 to a client that has the text', async () => {
      const path = `${world.hub.url}/api/v1/agents/${id}`;
      const tag = (await fetch(path)).headers.get('etag') ?? '';
      assert.match(tag, /^W\/"[0-9a-f]{32}"$/);
      assert.equal((await fetch(path, { headers: { 'if-none-match': tag } })).status, 304);
      await set(world, id, { karma: 3 });
      const changed = await fetch(path, { headers: { 'if-none-match': tag } });
      assert.equal(changed.status, 200);
      assert.notEqual(changed.headers.get('etag'), tag);
    });

    it('shows what a passport, karma, use or a report wrote, in every process at once', async () => {
      await set(world, id, { karma: 7, verification: 'dns', passport_key_id: 'k'.repeat(43) });
      assert.deepEqual(await shownBy('karma', 'verification'), [7, 'dns']);
      await set(other, id, { open_reports: 2, calls_30d: 9, callers_30d: 3 });
      assert.deepEqual(await shownBy('openReports', 'use'), [2, { calls30d: 9, callers30d: 3 }]);
    });

    it('shows what a probe found, its tools and its looks', async () => {
      const renamed = { ...agent.listing, name: 'Renamed', latencyMs: 77 };
      const looks = [{ at: AT, verdict: 'live', latencyMs: 5 }] as const;
      await other.hub.running.hub.store.write(async (tx) => {
        await saveListings(tx, [{ listing: renamed, skills: [skill('only_one')] }]);
        await saveProbes(tx, [{ id, looks }]);
      });
      const [name, skills, looks30d] = await shownBy('name', 'skills', 'looks30d');
      assert.equal(name, 'Renamed');
      assert.deepEqual((skills as { name: string }[])[0]?.name, 'only_one');
      assert.equal((looks30d as { live: number }).live, 1);
    });

    it('shows a sibling that was renamed, came or went, and a new door', async () => {
      await set(world, sibling.listing.id, { name: 'Other name' });
      const [siblings] = await shownBy('siblings');
      assert.deepEqual((siblings as { name: string }[])[0]?.name, 'Other name');
      await save(listing('c.agent.example', { name: 'Third' }));
      assert.equal(((await shownBy('siblings'))[0] as unknown[]).length, 2);
      await world.hub.running.hub.store.write((tx) => removeListing(tx, sibling.listing.id, AT));
      assert.equal(((await shownBy('siblings'))[0] as unknown[]).length, 1);
      await save(listing('agent.example', { kind: 'a2a', transport: 'JSONRPC' }));
      assert.equal(((await shownBy('doors'))[0] as unknown[]).length, 2);
    });

    it('shows the same in lists from texts, from rows and from both', async () => {
      const page = async (of: Fixture): Promise<unknown> =>
        mustOk(await of.anyone.get('/api/v1/agents?limit=30'))['agents'];
      await set(world, id, { karma: 40 });
      await world.hub.runJob('listingTexts');
      const fromTexts = (await page(world)) as { id: string; karma: number }[];
      assert.deepEqual([fromTexts[0]?.id, fromTexts[0]?.karma], [id, 40]);
      await set(other, id, { karma: 50 });
      const mixed = (await page(other)) as typeof fromTexts;
      assert.deepEqual([mixed[0]?.id, mixed[0]?.karma], [id, 50]);
      await set(other, id, { karma: 40 });
      const { store } = world.hub.running.hub;
      await store.write(async (tx) => void (await tx.knex('listing_texts').delete()));
      assert.deepEqual(await page(world), fromTexts);
      await store.write(async (tx) => void (await tx.knex('listing_stamps').update({ made: 0 })));
      await world.hub.runJob('listingTexts');
    });

    it('stays valid when a listing of another operator or the figures of a sibling change', async () => {
      await set(world, stranger.listing.id, { name: 'Somewhere', karma: 4 });
      await set(world, sibling.listing.id, { karma: 4 });
      assert.ok(await isStored(world));
      assert.equal(await isStored(world, sibling.listing.id), false);
    });

    it('is made again when the clock changes what it says', async () => {
      assert.deepEqual(
        ((await read(world))['skills'] as { accessStale: boolean }[])[0]?.accessStale,
        false,
      );
      world.hub.clock.advance(3 * DAY);
      assert.ok(await isStored(world), 'three days are still fresh');
      world.hub.clock.advance(1);
      const [skills] = await shownBy('skills');
      assert.equal((skills as { accessStale: boolean }[])[0]?.accessStale, true);
    });

    it('is made again when it has another form', async () => {
      const { store } = world.hub.running.hub;
      await store.write(async (tx) => {
        await tx.knex('listing_texts').update({ form: '0', record: '{"old":true}' });
      });
      assert.equal((await shownBy('id'))[0], id);
      const forms = await store.read((db) =>
        db.knex('listing_texts').distinct<{ form: string }[]>('form'),
      );
      assert.deepEqual(forms, [{ form: LISTING_FORM }]);
    });

    it('is not replaced by a text that a slow process made from an earlier state', async () => {
      const { store } = world.hub.running.hub;
      const stamps = (await store.read((db) => stampsOf(db, [id]))).get(id);
      assert.ok(stamps);
      await set(world, id, { karma: 11 });
      await world.hub.runJob('listingTexts');
      const late = { id, form: LISTING_FORM, stamps, until: instant(AT + 9e9), tag: 'late' };
      const made = [{ part: 'group', name: stamps.group, stamp: stamps.groupStamp }] as const;
      await store.write((tx) => saveTexts(tx, [{ ...late, record: '{}' }], made));
      assert.ok(await isStored(world));
      assert.equal((await read(other))['karma'], 11);
    });

    it('goes with its listing', async () => {
      await world.hub.running.hub.store.write((tx) => removeListing(tx, id, AT));
      assert.equal(await isStored(other), false);
      mustRefuse(await other.anyone.get(`/api/v1/agents/${id}`), 404, 'not-found');
      await world.hub.runJob('listingTexts');
    });

    it('is made for each request where it is too long to be stored', async () => {
      const description = 'x'.repeat(4_000);
      const many = Array.from({ length: 90 }, (_, n) => skill(`tool_${n}`, { description }));
      const long = listing('long.example', {}, many);
      await save(long);
      await world.hub.runJob('listingTexts');
      assert.equal(await isStored(world, long.listing.id), false);
      assert.equal(((await read(world, long.listing.id))['skills'] as unknown[]).length, 90);
    });

    it('is made in steps for many listings, and none is left out', async () => {
      const many = Array.from({ length: 70 }, (_, n) =>
        listing(`n${n}.many.example`, {}, [skill('a'), skill('b'), skill('c'), skill('d')]),
      );
      await save(...many);
      await world.hub.runJob('listingTexts');
      for (const { listing } of many) assert.ok(await isStored(other, listing.id));
      const rows: unknown = await world.hub.running.hub.store.read((db) =>
        db.knex('listing_stamps').whereRaw('stamp <> made'),
      );
      assert.deepEqual(rows, []);
    });
  });
}
