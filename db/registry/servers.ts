import type { Instant } from '../../domain/instant.ts';
import type {
  AccessClass,
  Availability,
  ListingProof,
  Price,
  ProbedListing,
} from '../../domain/registry/listing.ts';
import { answers } from '../../domain/registry/listing.ts';
import { serverJson } from '../../domain/registry/serverJson.ts';
import * as column from '../columns.ts';
import {
  linkOf,
  statement,
  type Reader,
  type Row,
  type Value,
  type Writer,
} from '../connection.ts';
import { IN_LIST } from '../inList.ts';
import { jsonRows, jsonRowsStatement, type JsonRowsStatement } from '../jsonPage.ts';
import { bulkInsert, bulkJson, type BulkRow } from './bulk.ts';
import { priceOf } from './listingRow.ts';

/**
 * MCP servers as the registry API lists them, one row a version. `server` is the text of its
 * `server.json`, made when a probe saves the listing, so a page copies it and makes nothing.
 */
const SAVE = bulkInsert({
  table: 'mcp_servers',
  columns: {
    name: 'text',
    version: 'text',
    listing_id: 'text',
    server: 'text',
    is_latest: 'int',
    listed: 'int',
    live: 'int',
    access: 'text',
    published_at: 'int',
    updated_at: 'int',
  },
  key: ['name', 'version'],
  update: ['listing_id', 'server', 'is_latest', 'listed', 'live', 'access', 'updated_at'].map(
    (name) => `${name} = excluded.${name}`,
  ),
});

const SUPERSEDE = statement(
  `UPDATE mcp_servers SET is_latest = 0, listed = 0, live = 0, updated_at = ?
    WHERE is_latest = 1 AND listing_id ${IN_LIST.sqlite}
      AND name || ' ' || version NOT ${IN_LIST.sqlite} RETURNING listing_id`,
  `UPDATE mcp_servers SET is_latest = 0, listed = 0, live = 0, updated_at = ?
    WHERE is_latest = 1 AND listing_id ${IN_LIST.postgres}
      AND name || ' ' || version <> ALL(?::text[]) RETURNING listing_id`,
);
/** A server that reports another version at each probe stores no more than these. */
const EARLIER_MAX = 20;
const prune = (given: string): string => `
  DELETE FROM mcp_servers WHERE is_latest = 0 AND listing_id ${given} AND ${EARLIER_MAX} <= (
    SELECT count(*) FROM mcp_servers AS later
      WHERE later.listing_id = mcp_servers.listing_id AND later.is_latest = 0
        AND (later.updated_at, later.version) > (mcp_servers.updated_at, mcp_servers.version))`;
const PRUNE = statement(prune(IN_LIST.sqlite), prune(IN_LIST.postgres));

export interface ServedListing {
  readonly listing: ProbedListing;
  readonly changedAt: Instant;
}

/** Stores what probes found of MCP servers; versions that they no longer report are superseded. */
export async function saveServers(
  tx: Writer,
  found: readonly ServedListing[],
  now: Instant,
): Promise<void> {
  const rows = new Map<string, BulkRow>();
  for (const { listing, changedAt } of found) {
    const made = listing.kind === 'mcp' ? serverJson(listing) : undefined;
    if (made === undefined) continue;
    rows.set(`${made.name} ${made.version}`, {
      name: made.name,
      version: made.version,
      listing_id: listing.id,
      server: made.text,
      is_latest: 1,
      listed: answers(listing.availability) ? 1 : 0,
      live: listing.availability === 'live' ? 1 : 0,
      access: listing.access,
      published_at: changedAt,
      updated_at: changedAt,
    });
  }
  if (rows.size === 0) return;
  const link = linkOf(tx);
  await link.rows(SAVE, [bulkJson([...rows.values()])]);
  const ids = [...rows.values()].map((row) => String(row['listing_id']));
  const superseded = await link.rows(SUPERSEDE, [now, ids, [...rows.keys()]]);
  const names = superseded.map((row) => column.text(row, 'listing_id'));
  if (names.length > 0) await link.rows(PRUNE, [names]);
}

const RETIRE = statement(`
  UPDATE mcp_servers SET is_latest = 0, listed = 0, live = 0, updated_at = ?
    WHERE is_latest = 1 AND listing_id = ?`);
const PASS_ON = statement('UPDATE mcp_servers SET listing_id = ? WHERE listing_id = ?');

/** The servers of a listing that is gone; copies of the registry learn of it. */
export async function retireServers(tx: Writer, listingId: string, at: Instant): Promise<void> {
  await linkOf(tx).rows(RETIRE, [at, listingId]);
}

/** A listing that moved to another host is served there, under the name of that host. */
export async function moveServers(
  tx: Writer,
  { former, found }: { readonly former: string; readonly found: string },
  at: Instant,
): Promise<void> {
  await retireServers(tx, former, at);
  await linkOf(tx).rows(PASS_ON, [former, found]);
}

/** The measurements of the server; absent for versions that are no longer served. */
interface ServerMeasures {
  readonly agentId: string;
  readonly availability: Availability;
  readonly availabilityNote: string;
  readonly uptimeBps: number;
  readonly latencyMs: number;
  readonly lastCheckedAt: Instant;
  readonly protocolVersion?: string;
  readonly access: AccessClass;
  readonly verifiedOpen: boolean;
  readonly price?: Price;
  readonly tools: number;
  readonly injectionSignals: number;
  readonly verification?: ListingProof;
  readonly karma: number;
}

export interface StoredServer {
  readonly name: string;
  readonly version: string;
  /** JSON. */
  readonly server: string;
  readonly isLatest: boolean;
  readonly isListed: boolean;
  readonly publishedAt: Instant;
  readonly updatedAt: Instant;
  readonly measures?: ServerMeasures;
}

const OWN = ['name', 'version', 'server', 'is_latest', 'listed', 'published_at', 'updated_at'];
const MEASURED = [
  'id',
  'availability',
  'availability_note',
  'uptime_bps',
  'latency_ms',
  'last_checked_at',
  'protocol_version',
  'access',
  'verified_open',
  'price_amount',
  'price_asset',
  'price_network',
  'price_pay_to',
  'skill_count',
  'injection_signals',
  'verification',
  'karma',
];
const SELECT = `SELECT ${[...OWN.map((name) => `s.${name}`), ...MEASURED.map((name) => `l.${name}`)].join(', ')}
  FROM mcp_servers AS s LEFT JOIN listings AS l ON s.is_latest = 1 AND l.id = s.listing_id`;
const reading = (rest: string, postgres = rest): JsonRowsStatement =>
  jsonRowsStatement([...OWN, ...MEASURED], `${SELECT} ${rest}`, `${SELECT} ${postgres}`);

/** Behind which record a page begins; with a moment in the order of changes. */
export interface ServerPlace {
  readonly updatedAt?: Instant;
  readonly name: string;
  readonly version: string;
}

export interface ServerFilter {
  readonly after?: ServerPlace;
  readonly search?: string;
  readonly updatedSince?: Instant;
  readonly version?: string;
  readonly includeDeleted: boolean;
  readonly live: boolean;
  readonly access?: AccessClass;
  readonly limit: number;
}

const PAGES = new Map<string, JsonRowsStatement>();

/** A page by name and version; of changes since a moment by that of the change. */
export async function serverPage(
  db: Reader,
  filter: ServerFilter,
): Promise<readonly StoredServer[]> {
  const { after, search, updatedSince, version, includeDeleted, live, access, limit } = filter;
  const parts: [sqlite: string, value?: Value, postgres?: string][] = [];
  if (!includeDeleted && updatedSince === undefined) parts.push(['s.listed = 1']);
  if (live) parts.push(['s.live = 1']);
  if (version === 'latest') parts.push(['s.is_latest = 1']);
  else if (version !== undefined) parts.push(['s.version = ?', version]);
  if (access !== undefined) parts.push(['s.access = ?', access]);
  if (search !== undefined) {
    const text = search.toLowerCase();
    parts.push(['instr(lower(s.name), ?) > 0', text, 'strpos(lower(s.name), ?) > 0']);
  }
  const values = parts.flatMap(([, value]) => (value === undefined ? [] : [value]));
  const order =
    updatedSince === undefined ? 's.name, s.version' : 's.updated_at, s.name, s.version';
  const behind = updatedSince === undefined ? '(?, ?)' : '(?, ?, ?)';
  if (updatedSince !== undefined) values.push(after?.updatedAt ?? updatedSince);
  values.push(after?.name ?? '', after?.version ?? '', limit);
  parts.push([`(${order}) > ${behind}`]);
  const where = (texts: readonly string[]): string =>
    `WHERE ${texts.join(' AND ')} ORDER BY ${order} LIMIT ?`;
  const text = where(parts.map(([sqlite]) => sqlite));
  const page =
    PAGES.get(text) ??
    reading(text, where(parts.map(([sqlite, , postgres]) => postgres ?? sqlite)));
  PAGES.set(text, page);
  return (await jsonRows(db, page, values)).map(serverOf);
}

const OF_NAME = reading(
  'WHERE s.name = ? ORDER BY s.is_latest DESC, s.published_at DESC, s.version DESC LIMIT 100',
);
const LATEST = reading('WHERE s.name = ? AND s.is_latest = 1 LIMIT 1');
const OF_VERSION = reading('WHERE s.name = ? AND s.version = ?');

/** The versions of a server, the one that is served now first, then the newest. */
export async function serverVersions(db: Reader, name: string): Promise<readonly StoredServer[]> {
  return (await jsonRows(db, OF_NAME, [name])).map(serverOf);
}

/** One version, or with `latest` the one that is served now. */
export async function readServer(
  db: Reader,
  name: string,
  version: string,
): Promise<StoredServer | undefined> {
  const rows =
    version === 'latest'
      ? await jsonRows(db, LATEST, [name])
      : await jsonRows(db, OF_VERSION, [name, version]);
  return rows.map(serverOf)[0];
}

function serverOf(row: Row): StoredServer {
  return {
    name: column.text(row, 'name'),
    version: column.text(row, 'version'),
    server: column.text(row, 'server'),
    isLatest: column.flag(row, 'is_latest'),
    isListed: column.flag(row, 'listed'),
    publishedAt: column.time(row, 'published_at'),
    updatedAt: column.time(row, 'updated_at'),
    ...(row['id'] !== null && { measures: measuresOf(row) }),
  };
}

function measuresOf(row: Row): ServerMeasures {
  const price = priceOf(row);
  const protocolVersion = column.textOrNull(row, 'protocol_version');
  const verification = column.textOrNull(row, 'verification') as ListingProof | null;
  const signals = column.json(row, 'injection_signals') as readonly unknown[];
  return {
    agentId: column.text(row, 'id'),
    availability: column.text(row, 'availability') as Availability,
    availabilityNote: column.text(row, 'availability_note'),
    uptimeBps: column.whole(row, 'uptime_bps'),
    latencyMs: column.whole(row, 'latency_ms'),
    lastCheckedAt: column.time(row, 'last_checked_at'),
    access: column.text(row, 'access') as AccessClass,
    verifiedOpen: column.flag(row, 'verified_open'),
    tools: column.whole(row, 'skill_count'),
    injectionSignals: signals.length,
    karma: column.whole(row, 'karma'),
    ...(price !== undefined && { price }),
    ...(protocolVersion !== null && { protocolVersion }),
    ...(verification !== null && { verification }),
  };
}
