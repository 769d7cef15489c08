import assert from 'node:assert/strict';
import { onBothDatabases } from '../../conformance/harness/databases.ts';
import { instant } from '../../domain/instant.ts';
import { parseAtomic } from '../../domain/money.ts';
import { listingCode } from '../../domain/registry/code.ts';
import type { Store } from '../store.ts';
import { listedSkill, probedListing } from './fixture.ts';
import { findListing, readListing, readListings, saveListing, saveListings } from './listings.ts';

const DAY = 86_400_000;
const amount = parseAtomic('12345');
assert.ok(amount !== undefined);

onBothDatabases('db: listings', (open) => {
  let store: Store;
  before(async () => {
    store = await open();
  });

  it('gives back what a look found', async () => {
    const listing = probedListing({
      origin: 'https://whole.example',
      description: 'Ünïcode 🙂 and "quotes"',
      missingSince: instant(5),
      price: { amount, asset: 'USDC', network: 'base', payTo: '0xabc' },
      cardViolations: [{ rule: 'a', path: 'b', says: 'c' }],
      injectionSignals: [{ path: 'description', kind: 'override', text: 'ignore all' }],
    });
    const skills = [
      listedSkill('convert', { price: { amount, asset: 'USDC' }, durationMs: 7 }),
      listedSkill('lookup', { tags: ['x'], accessCheckedAt: instant(9) }),
    ];
    await store.write((tx) => saveListing(tx, { listing, skills }));
    const full = await store.read((db) => readListing(db, listing.id));
    assert.ok(full !== undefined);
    const { karma, calls30d, callers30d, skillCount, skillsPriced, ...found } = full.listing;
    const { reach, changedAt, refunds, skillsPromised, ...rest } = found;
    assert.deepEqual(rest, listing);
    assert.deepEqual([refunds, skillsPromised], ['output-schema', 0]);
    assert.deepEqual([karma, calls30d, callers30d, skillCount, skillsPriced], [0, 0, 0, 2, 1]);
    assert.ok(reach > 0 && changedAt === listing.lastCheckedAt);
    const shown = skills.map((skill) => ({ ...skill, argumentLine: '' }));
    assert.deepEqual(full.skills, shown);
    assert.deepEqual(full.doors, [full.listing]);
  });

  it('keeps what others wrote, and the first sight, over the next look', async () => {
    const listing = probedListing({ origin: 'https://kept.example' });
    await store.write((tx) => saveListing(tx, { listing, skills: [] }));
    await store.write(async (tx) => {
      await tx.knex('listings').where({ id: listing.id }).update({ karma: 7, calls_30d: 3 });
    });
    const before = await store.read((db) => readListing(db, listing.id));
    const later = instant(listing.lastCheckedAt + DAY / 2);
    const again = { ...listing, name: 'New name', lastCheckedAt: later, firstSeenAt: later };
    await store.write((tx) => saveListing(tx, { listing: again, skills: [] }));
    const full = await store.read((db) => readListing(db, listing.id));
    assert.equal(full?.listing.karma, 7);
    assert.equal(full?.listing.firstSeenAt, listing.firstSeenAt);
    assert.equal(full?.listing.reach, (before?.listing.reach ?? 0) + 1, 'called counts');
    assert.equal(full?.listing.changedAt, later);
  });

  it('moves in the feed by a change at once, by measurements once a day', async () => {
    const listing = probedListing({ origin: 'https://quiet.example' });
    const look = async (ms: number, latencyMs: number) => {
      const lastCheckedAt = instant(listing.lastCheckedAt + ms);
      const found = { listing: { ...listing, lastCheckedAt, latencyMs }, skills: [] };
      await store.write((tx) => saveListing(tx, found));
      return (await store.read((db) => readListing(db, listing.id)))?.listing.changedAt;
    };
    const first = await look(0, 10);
    assert.equal(await look(1000, 99), first);
    assert.equal(await look(DAY + 1, 98), listing.lastCheckedAt + DAY + 1);
  });

  it('shows doors of one group and siblings of one operator, at most 20 skills in a list', async () => {
    const origin = 'https://shop.kin.example';
    const group = origin;
    const many = Array.from({ length: 30 }, (_, n) => listedSkill(`tool-${n}`));
    const mcp = probedListing({ origin, group });
    const a2a = probedListing({ origin, group, kind: 'a2a' });
    const other = probedListing({ origin: 'https://news.kin.example' });
    await store.write((tx) =>
      saveListings(tx, [
        { listing: mcp, skills: many },
        { listing: a2a, skills: [] },
        { listing: other, skills: [listedSkill('read')] },
      ]),
    );
    const list = await store.read((db) => readListings(db, [other.id, mcp.id, 'f'.repeat(16)]));
    assert.deepEqual(
      list.map(({ listing, skills, doors, siblings }) => [
        listing.id,
        skills.length,
        doors.map(({ id }) => id).sort(),
        siblings.map(({ id }) => id).sort(),
      ]),
      [
        [other.id, 1, [other.id], [mcp.id, a2a.id].sort()],
        [mcp.id, 20, [mcp.id, a2a.id].sort(), [other.id]],
      ],
    );
    assert.ok(list[1]?.skills.every(({ inputSchema }) => inputSchema === undefined));
    const full = await store.read((db) => readListing(db, mcp.id));
    assert.equal(full?.skills.length, 30);
    assert.deepEqual(
      full?.skills.map(({ id }) => id),
      many.map(({ id }) => id),
    );
  });

  it('is found by its code, an older code, and the passport key that holds it', async () => {
    const listing = probedListing({ origin: 'https://alias.example' });
    const old = listingCode('mcp', 'https://old.example');
    const key = '3c5j58mDabruGn1Qd2Gm37YBPVQ2V8PYYiD7Z5Er8jVt';
    await store.write(async (tx) => {
      await saveListing(tx, { listing, skills: [] });
      await tx.knex('listing_aliases').insert({ code: old, listing_id: listing.id });
      await tx
        .knex('listings')
        .where({ id: listing.id })
        .update({ passport_key_id: key, verification: 'dns' });
    });
    for (const name of [listing.id, old, key]) {
      assert.equal(await store.read((db) => findListing(db, name)), listing.id);
    }
    assert.equal(await store.read((db) => findListing(db, '0'.repeat(16))), undefined);
  });
});
