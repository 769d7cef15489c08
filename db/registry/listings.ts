import { sha256Hex } from '../../domain/digest.ts';
import type { Instant } from '../../domain/instant.ts';
import type {
  ListedSkill,
  Listing,
  ListingSummary,
  ProbedListing,
} from '../../domain/registry/listing.ts';
import * as column from '../columns.ts';
import { linkOf, statement, type Reader, type Row, type Writer } from '../connection.ts';
import { inListStatement } from '../inList.ts';
import { jsonRowsStatement, jsonRows, type JsonRowsStatement } from '../jsonPage.ts';
import { bulkInsert, bulkJson, namesOf, replaced } from './bulk.ts';
import { counted, less, noteCounts } from './counts.ts';
import { listingOf, skillOf, summaryOf } from './listingRow.ts';
import { saveServers } from './servers.ts';
import { LISTING_SKILLS, LISTINGS, listingValues, skillValues } from './listingValues.ts';

/** The one writer of listings and their skills, and the reads that every list starts from. */
export interface Probed {
  readonly listing: ProbedListing;
  readonly skills: readonly ListedSkill[];
}

export interface FullListing {
  readonly listing: Listing;
  readonly skills: readonly ListedSkill[];
  /** The listings of its group, itself included; the one that stands for the group first. */
  readonly doors: readonly Listing[];
  readonly siblings: readonly Pick<ListingSummary, 'id' | 'kind' | 'name' | 'endpoint'>[];
}

/** A text at an endpoint says nothing of another one, to which the code may pass. */
const TEXT_LEFT = `listings.verification = 'endpoint' AND listings.endpoint <> excluded.endpoint`;
const letGo = (name: string, to: string): string =>
  `${name} = CASE WHEN ${TEXT_LEFT} THEN ${to} ELSE listings.${name} END`;
const KEPT = ['id', 'first_seen_at', 'reach', 'changed_at'];
const SAVE = bulkInsert(LISTINGS, {
  key: ['id'],
  update: [
    ...replaced(namesOf(LISTINGS).filter((name) => !KEPT.includes(name))),
    'reach = excluded.reach + CASE WHEN listings.calls_30d > 0 THEN 1 ELSE 0 END',
    'changed_at = excluded.changed_at',
    letGo('passport_key_id', 'NULL'),
    letGo('verification', 'NULL'),
    letGo('claimed_at', 'NULL'),
    letGo('karma', '0'),
  ],
});
const SAVE_SKILLS = bulkInsert(LISTING_SKILLS);
const DROP_SKILLS = statement(
  'DELETE FROM listing_skills WHERE listing_id IN (SELECT value FROM json_each(?))',
  'DELETE FROM listing_skills WHERE listing_id = ANY(?::text[])',
);
const KNOWN = statement(
  `SELECT id, skills_digest, changed_at, name, description, version, endpoint, access, availability,
      quotes_x402, price_amount
    FROM listings WHERE id IN (SELECT value FROM json_each(?))`,
  `SELECT id, skills_digest, changed_at, name, description, version, endpoint, access, availability,
      quotes_x402, price_amount
    FROM listings WHERE id = ANY(?::text[])`,
);
/** Measurements alone move a listing in the feed once a day. */
const QUIET_MS_MAX = 86_400_000;

/** Saves what a look found; skills that are as they were are not written again. */
export async function saveListing(tx: Writer, found: Probed): Promise<void> {
  await saveListings(tx, [found]);
}

/** Saves listings, each id once. */
export async function saveListings(
  tx: Writer,
  found: readonly Probed[],
  now: Instant | undefined = found[0]?.listing.lastCheckedAt,
): Promise<void> {
  if (now === undefined) return;
  const ids = found.map(({ listing }) => listing.id);
  const known = new Map(
    (await linkOf(tx).rows(KNOWN, [ids])).map((row) => [column.text(row, 'id'), row]),
  );
  const stamped = found.map(({ listing, skills }) => {
    const rows = skills.map((skill, place) => skillValues(listing.id, skill, place));
    const skillsDigest = sha256Hex(JSON.stringify(rows));
    const before = known.get(listing.id);
    const changedAt = changeTime(before, { listing, skills }, skillsDigest);
    const values = listingValues(listing, skills, { skillsDigest, changedAt, calls30d: 0 });
    return { listing, changedAt, values, rows, isSame: before?.['skills_digest'] === skillsDigest };
  });
  await linkOf(tx).rows(SAVE, [bulkJson(stamped.map(({ values }) => values))]);
  await saveServers(tx, stamped, now);
  const change = less(counted(found.map(standing)), counted([...known.values()].map(stood)));
  await noteCounts(tx, change, now);
  const fresh = stamped.filter(({ isSame }) => !isSame);
  if (fresh.length === 0) return;
  await linkOf(tx).rows(DROP_SKILLS, [fresh.map(({ values }) => String(values['id']))]);
  await linkOf(tx).rows(SAVE_SKILLS, [bulkJson(fresh.flatMap(({ rows }) => rows))]);
}

function standing({ listing }: Probed) {
  return { live: listing.availability === 'live', x402: listing.quotesX402 };
}

function stood(row: Row) {
  return { live: row['availability'] === 'live', x402: column.flag(row, 'quotes_x402') };
}

function changeTime(before: Row | undefined, found: Probed, digest: string): Instant {
  const { listing } = found;
  const now = listing.lastCheckedAt;
  if (before === undefined) return now;
  const changedAt = column.time(before, 'changed_at');
  const price = listing.price === undefined ? null : Number(listing.price.amount);
  const isSame =
    before['skills_digest'] === digest &&
    before['name'] === listing.name &&
    before['description'] === (listing.description ?? null) &&
    before['version'] === (listing.version ?? null) &&
    before['endpoint'] === listing.endpoint &&
    before['access'] === listing.access &&
    before['availability'] === listing.availability &&
    before['price_amount'] === price;
  return isSame && now - changedAt < QUIET_MS_MAX ? changedAt : now;
}

/** All that is read of a listing: what a look writes, and what others write. */
const LISTING_READ = LISTINGS.columns.filter(
  (name) => !['skills_digest', 'claimed_at', 'name_key'].includes(name),
);

const BY_IDS = jsonRowsStatement(
  LISTING_READ,
  'SELECT * FROM listings WHERE id IN (SELECT value FROM json_each(?))',
  'SELECT * FROM listings WHERE id = ANY(?::text[])',
);

/** The rows alone, in the order of the ids; ids that are not there are left out. */
export async function listingRows(db: Reader, ids: readonly string[]): Promise<readonly Listing[]> {
  if (ids.length === 0) return [];
  const rows = (await jsonRows(db, BY_IDS, [ids])).map(listingOf);
  const byId = new Map(rows.map((listing) => [listing.id, listing]));
  return ids.flatMap((id) => byId.get(id) ?? []);
}

/** A listing by its registry code, whole; `findListing` follows older codes and passport keys. */
export async function readListing(db: Reader, id: string): Promise<FullListing | undefined> {
  const [full] = await readListings(db, [id], { skillsMax: 1000, siblingsMax: 100, schemas: true });
  return full;
}

/** Queries the code of a listing that goes by a name, which is asked for three times. */
export const RESOLVED = `
  SELECT id FROM listings WHERE id = ?
  UNION ALL SELECT listing_id FROM listing_aliases WHERE code = ?
  UNION ALL SELECT id FROM (
    SELECT id FROM listings WHERE passport_key_id = ? ORDER BY karma DESC, reach DESC, id LIMIT 1
  ) AS held
  LIMIT 1`;
const RESOLVE = statement(RESOLVED);

/** The code of the listing that a code, an older code or a passport key names. */
export async function findListing(db: Reader, name: string): Promise<string | undefined> {
  const row = column.one(await linkOf(db).rows(RESOLVE, [name, name, name]));
  return row && column.text(row, 'id');
}

export interface ReadWishes {
  readonly skillsMax: number;
  readonly siblingsMax: number;
  /** With the input schemas of the skills. */
  readonly schemas: boolean;
}
const IN_A_LIST: ReadWishes = { skillsMax: 20, siblingsMax: 10, schemas: false };

/** For a page: in the order of the ids, at most 20 skills each (interface, Limits). */
export async function readListings(
  db: Reader,
  ids: readonly string[],
  wishes: ReadWishes = IN_A_LIST,
): Promise<readonly FullListing[]> {
  if (ids.length === 0) return [];
  const groups = await groupsOf(db, ids);
  const rows = await listingRows(db, [...new Set([...ids, ...[...groups.values()].flat()])]);
  const byId = new Map(rows.map((listing) => [listing.id, listing]));
  const listings = ids.flatMap((id) => byId.get(id) ?? []);
  const skills = await skillsOf(db, ids, wishes);
  const kin = await siblingsOf(db, [...new Set(listings.map((each) => each.operatorId))], wishes);
  return listings.map((listing) => {
    const doors = groups.get(listing.group) ?? [listing.id];
    return {
      listing,
      skills: skills.get(listing.id) ?? [],
      doors: doors.flatMap((id) => byId.get(id) ?? []),
      siblings: (kin.get(listing.operatorId) ?? []).filter(({ id }) => !doors.includes(id)),
    };
  });
}

const SKILL_NAMES = LISTING_SKILLS.columns;
const SKILL_FACTS = SKILL_NAMES.filter((name) => !name.endsWith('_schema'));
const skillPage = (columns: readonly string[]): JsonRowsStatement => {
  const page = (given: string): string => `
    SELECT ${columns.join(', ')} FROM listing_skills WHERE listing_id ${given} AND place < ?
    ORDER BY listing_id, place`;
  return jsonRowsStatement(
    columns,
    page('IN (SELECT value FROM json_each(?))'),
    page('= ANY(?::text[])'),
  );
};
const SKILL_PAGE = skillPage(SKILL_NAMES);
const SKILL_PAGE_SHORT = skillPage(SKILL_FACTS);

async function skillsOf(
  db: Reader,
  ids: readonly string[],
  { skillsMax, schemas }: ReadWishes,
): Promise<ReadonlyMap<string, readonly ListedSkill[]>> {
  const page = schemas ? SKILL_PAGE : SKILL_PAGE_SHORT;
  const rows = await jsonRows(db, page, [ids, skillsMax]);
  return grouped(rows, (row) => column.text(row, 'listing_id'), skillOf);
}

const DOORS_MAX = 50;
const DOORS = inListStatement(
  (given) => `SELECT id, agent_group FROM listings
    WHERE agent_group IN (SELECT agent_group FROM listings WHERE id ${given})
    ORDER BY agent_group, answers DESC, karma DESC, reach DESC, id`,
);

/** The groups of some listings, and the doors of each, the best first. */
async function groupsOf(
  db: Reader,
  ids: readonly string[],
): Promise<ReadonlyMap<string, readonly string[]>> {
  const found = grouped(
    await linkOf(db).rows(DOORS, [ids]),
    (row) => column.text(row, 'agent_group'),
    (row) => column.text(row, 'id'),
  );
  return new Map([...found].map(([group, doors]) => [group, doors.slice(0, DOORS_MAX)]));
}

const KIN = jsonRowsStatement(
  ['id', 'kind', 'name', 'endpoint', 'availability', 'access', 'operator_id'],
  `SELECT l.id, l.kind, l.name, l.endpoint, l.availability, l.access, l.operator_id
    FROM json_each(?) AS o JOIN listings AS l ON l.id IN (
      SELECT id FROM listings WHERE operator_id = o.value ORDER BY id LIMIT ?)
    ORDER BY l.operator_id, l.id`,
  `SELECT l.id, l.kind, l.name, l.endpoint, l.availability, l.access, l.operator_id
    FROM unnest(?::text[]) AS o (value) CROSS JOIN LATERAL (
      SELECT * FROM listings WHERE operator_id = o.value ORDER BY id LIMIT ?) AS l
    ORDER BY l.operator_id, l.id`,
);

async function siblingsOf(
  db: Reader,
  operators: readonly string[],
  { siblingsMax }: ReadWishes,
): Promise<ReadonlyMap<string, readonly ListingSummary[]>> {
  // One more than is shown: a listing is not its own sibling.
  const rows = await jsonRows(db, KIN, [operators, siblingsMax + 1]);
  return grouped(rows, (row) => column.text(row, 'operator_id'), summaryOf);
}

function grouped<T>(
  rows: readonly Row[],
  key: (row: Row) => string,
  value: (row: Row) => T,
): ReadonlyMap<string, readonly T[]> {
  const found = new Map<string, T[]>();
  for (const row of rows) {
    const list = found.get(key(row));
    if (list === undefined) found.set(key(row), [value(row)]);
    else list.push(value(row));
  }
  return found;
}
