import * as column from '../columns.ts';
import { linkOf, statement, type Reader, type Writer } from '../connection.ts';
import { inListStatement, IN_LIST } from '../inList.ts';
import { summaryOf } from './listingRow.ts';
import type { Instant } from '../../domain/instant.ts';
import { listingCode } from '../../domain/registry/code.ts';
import type { ListingKind, ListingSummary } from '../../domain/registry/listing.ts';
import type { OriginCode, OriginCodes } from '../../domain/registry/probeResult.ts';

/** Listings of an origin or host, but for hosted agents, which a probe of the hub leaves alone. */
const AGENTS = statement(`
  SELECT id FROM listings
    WHERE origin = ? AND kind = 'a2a' AND coalesce(verification, '') <> 'hosted'
    ORDER BY last_checked_at, id LIMIT 20`);

/** Codes of the A2A agents of an origin, those asked longest ago first. */
export async function listedAgents(db: Reader, origin: string): Promise<readonly string[]> {
  return (await linkOf(db).rows(AGENTS, [origin])).map((row) => column.text(row, 'id'));
}

const OF_CODE = statement(`
  SELECT id, origin, endpoint FROM listings
   WHERE id = coalesce((SELECT listing_id FROM listing_aliases WHERE code = ?), ?)`);

/** An origin's codes; a listing that changed its host has both hosts' (choices passport.moves). */
export async function codesAt(db: Reader, origin: string): Promise<OriginCodes> {
  const of = async (kind: ListingKind): Promise<OriginCode> => {
    const code = listingCode(kind, origin);
    const row = column.one(await linkOf(db).rows(OF_CODE, [code, code]));
    if (row === undefined) return { id: code };
    const endpoint = column.text(row, 'endpoint');
    const isHere = column.text(row, 'origin') === origin;
    return isHere ? { id: column.text(row, 'id'), heldBy: endpoint } : { leftFor: endpoint };
  };
  return { a2a: await of('a2a'), mcp: await of('mcp') };
}

const LOCK = statement(
  `SELECT id, origin FROM listings WHERE id ${IN_LIST.sqlite}`,
  `SELECT id, origin FROM listings WHERE id ${IN_LIST.postgres} ORDER BY id FOR UPDATE`,
);
const BARRED = inListStatement(
  (given) => `SELECT code FROM listing_aliases WHERE code ${given}
    UNION ALL SELECT subject_id FROM moderation_decisions
     WHERE subject = 'listing' AND lifted_at IS NULL AND subject_id ${given}`,
);

/** Locks the codes that still belong to the origin: a listing may move or be hidden meanwhile. */
export async function lockCodes(
  tx: Writer,
  origin: string,
  codes: readonly string[],
): Promise<ReadonlySet<string>> {
  if (codes.length === 0) return new Set();
  const rows = await linkOf(tx).rows(LOCK, [codes]);
  const barred = await linkOf(tx).rows(BARRED, [codes, codes]);
  const away = rows.filter((row) => row['origin'] !== origin).map((row) => column.text(row, 'id'));
  const gone = new Set([...away, ...barred.map((row) => column.text(row, 'code'))]);
  return new Set(codes.filter((code) => !gone.has(code)));
}

const NEW = statement(
  'SELECT count(*) AS n FROM listings WHERE operator_id = ? AND first_seen_at > ?',
);

/** How many listings an operator got since that moment. */
export async function newListings(db: Reader, operatorId: string, since: Instant): Promise<number> {
  const row = column.one(await linkOf(db).rows(NEW, [operatorId, since]));
  return row === undefined ? 0 : column.whole(row, 'n');
}

const SUMMARIES = statement(
  `SELECT id, kind, name, endpoint, availability, access FROM listings WHERE host = ?
    ORDER BY answers DESC, karma DESC, reach DESC, id LIMIT ?`,
);
const COUNT = statement('SELECT count(*) AS n FROM listings WHERE host = ?');

export async function hostListings(
  db: Reader,
  host: string,
  limit: number,
): Promise<{ readonly count: number; readonly listings: readonly ListingSummary[] }> {
  const rows = await linkOf(db).rows(SUMMARIES, [host, limit]);
  const counted = column.one(await linkOf(db).rows(COUNT, [host]));
  return {
    count: counted === undefined ? 0 : column.whole(counted, 'n'),
    listings: rows.map(summaryOf),
  };
}

const BY_ENDPOINT = statement(
  'SELECT id FROM listings WHERE endpoint = ? ORDER BY answers DESC, reach DESC, id LIMIT 1',
);

export async function listingAtEndpoint(db: Reader, endpoint: string): Promise<string | undefined> {
  const row = column.one(await linkOf(db).rows(BY_ENDPOINT, [endpoint]));
  return row && column.text(row, 'id');
}
