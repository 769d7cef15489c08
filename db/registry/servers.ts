import type { Instant } from '../../domain/instant.ts';
import type { ProbedListing } from '../../domain/registry/listing.ts';
import { answers } from '../../domain/registry/listing.ts';
import { serverJson } from '../../domain/registry/serverJson.ts';
import * as columns from '../batch/columns.ts';
import type { RowIn } from '../batch/table.ts';
import * as column from '../columns.ts';
import { linkOf, statement, type Writer } from '../connection.ts';
import { IN_LIST, inListStatement } from '../inList.ts';
import { table } from '../batch/table.ts';
import { bulkInsert, bulkRows } from './bulk.ts';

/** MCP servers of the registry API, a row a version. `server` is the stored `server.json`. */
export const MCP_SERVERS = table(
  'mcp_servers',
  {
    name: columns.text().key(),
    version: columns.text().key(),
    listingId: columns.text(),
    server: columns.text(),
    isLatest: columns.flag(),
    listed: columns.flag(),
    live: columns.flag(),
    access: columns.text(),
    publishedAt: columns.moment().fixed(),
    updatedAt: columns.moment(),
  },
  { use: 'single', personal: { apart: 'about no account' } },
);
const SAVE = bulkInsert(MCP_SERVERS, {
  key: ['name', 'version'],
  update: [MCP_SERVERS.replacement],
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
  const rows = new Map<string, RowIn<typeof MCP_SERVERS>>();
  for (const { listing, changedAt } of found) {
    const made = listing.kind === 'mcp' ? serverJson(listing) : undefined;
    if (made === undefined) continue;
    rows.set(`${made.name} ${made.version}`, {
      name: made.name,
      version: made.version,
      listingId: listing.id,
      server: made.text,
      isLatest: true,
      listed: answers(listing.availability),
      live: listing.availability === 'live',
      access: listing.access,
      publishedAt: changedAt,
      updatedAt: changedAt,
    });
  }
  await saveServerRows(tx, [...rows.values()], now);
}

/** Each the latest version of its listing or package, whose others are superseded. */
export async function saveServerRows(
  tx: Writer,
  rows: readonly RowIn<typeof MCP_SERVERS>[],
  now: Instant,
): Promise<void> {
  if (rows.length === 0) return;
  const link = linkOf(tx);
  await link.rows(SAVE, [bulkRows(MCP_SERVERS, rows)]);
  const ids = rows.map((row) => row.listingId);
  const keys = rows.map(({ name, version }) => `${name} ${version}`);
  const superseded = await link.rows(SUPERSEDE, [now, ids, keys]);
  const names = superseded.map((row) => column.text(row, 'listing_id'));
  if (names.length > 0) await link.rows(PRUNE, [names]);
}

const RETIRE = inListStatement(
  (given) => `UPDATE mcp_servers SET is_latest = 0, listed = 0, live = 0, updated_at = ?
    WHERE is_latest = 1 AND listing_id ${given}`,
);
const PASS_ON = statement('UPDATE mcp_servers SET listing_id = ? WHERE listing_id = ?');

/** The servers of listings and packages that are gone; copies of the registry learn of it. */
export async function retireServers(
  tx: Writer,
  ids: readonly string[],
  at: Instant,
): Promise<void> {
  await linkOf(tx).rows(RETIRE, [at, ids]);
}

/** A listing that moved to another host is served there, under the name of that host. */
export async function moveServers(
  tx: Writer,
  { former, found }: { readonly former: string; readonly found: string },
  at: Instant,
): Promise<void> {
  await retireServers(tx, [former], at);
  await linkOf(tx).rows(PASS_ON, [former, found]);
}
