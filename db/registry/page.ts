import type { Knex } from 'knex';
import type { Instant } from '../../domain/instant.ts';
import type { Atomic } from '../../domain/money.ts';
import { PROOF_METHODS } from '../../domain/passport/proof.ts';
import type { Foldable } from '../../domain/registry/fold.ts';
import type { AccessClass, ListingKind } from '../../domain/registry/listing.ts';
import * as column from '../columns.ts';
import { linkOf, statement, type Reader, type Row } from '../connection.ts';

/** Which listings a list shows, and in which order: karma first, then reachability. */
export interface ListingFilter {
  /** A tool of exactly this name or id. */
  readonly skill?: string;
  readonly kind?: ListingKind;
  readonly transport?: string;
  readonly access?: AccessClass | 'verified-open';
  /** Only those whose domain was proved. */
  readonly verifiedOnly: boolean;
  readonly includeUnavailable: boolean;
  /** Open ones, and those that quoted at most this for a tool. */
  readonly maxPrice?: Atomic;
  /** The network of a price that was quoted. */
  readonly network?: string;
  /** 0 to 100. */
  readonly minUptimePercent?: number;
  /** Exactly so among the tags of a tool. */
  readonly tag?: string;
}

export async function listingPage(
  db: Reader,
  filter: ListingFilter,
  { limit, offset }: { readonly limit: number; readonly offset: number },
): Promise<readonly Foldable[]> {
  const rows = await filtered(db, db.knex('listings'), filter)
    .select<Row[]>(FOLDED_BY)
    .orderBy([
      // With one value of `answers` the order is that of the index; without, of the other index.
      { column: 'karma', order: 'desc' },
      { column: 'reach', order: 'desc' },
      { column: 'id', order: 'asc' },
    ])
    .limit(limit)
    .offset(offset);
  return rows.map(foldableOf);
}

const SERVED_AT = statement(`
  SELECT id FROM listings WHERE host = ? ORDER BY karma DESC, reach DESC, id LIMIT 100`);

export async function listingsServedAt(
  db: Reader,
  host: string | undefined,
): Promise<readonly string[]> {
  if (host === undefined) return [];
  return (await linkOf(db).rows(SERVED_AT, [host])).map((row) => column.text(row, 'id'));
}

export async function leftBy(
  db: Reader,
  ids: readonly string[],
  filter: ListingFilter,
): Promise<ReadonlyMap<string, Foldable>> {
  if (ids.length === 0) return new Map();
  const named = db
    .knex('listings')
    .whereIn('id', [...ids])
    .select([...FILTERED_BY, ...FOLDED_BY]);
  // Read by their ids first: SQLite would else walk all that answer to see whether they are named.
  const query = db.knex.withMaterialized('named', named).from('named');
  const rows = await filtered(db, query, filter).select<Row[]>(FOLDED_BY);
  return new Map(rows.map((row) => [column.text(row, 'id'), foldableOf(row)]));
}

const FOLDED_BY = ['id', 'operator_id', 'passport_key_id', 'stands_under'];

export function foldableOf(row: Row): Foldable {
  const [holder, under] = [row['passport_key_id'], row['stands_under']];
  return {
    id: column.text(row, 'id'),
    operatorId: column.text(row, 'operator_id'),
    ...(typeof holder === 'string' && { holder }),
    ...(typeof under === 'string' && { standsUnder: under }),
  };
}

const FILTERED_BY = [
  'answers',
  'kind',
  'transport',
  'access',
  'verified_open',
  'verification',
  'uptime_bps',
];

/** Leaves of `listings`, or of rows with the columns `FILTERED_BY`, those that the filter names. */
function filtered(
  db: Reader,
  listings: Knex.QueryBuilder,
  filter: ListingFilter,
): Knex.QueryBuilder {
  const { skill, kind, transport, access, verifiedOnly, includeUnavailable } = filter;
  let query = listings;
  if (!includeUnavailable) query = query.where('answers', 1);
  if (kind !== undefined) query = query.where('kind', kind);
  if (transport !== undefined) query = query.where('transport', transport);
  if (access === 'verified-open') query = query.where('verified_open', 1);
  else if (access !== undefined) query = query.where('access', access);
  if (verifiedOnly) query = query.whereIn('verification', PROOF_METHODS);
  if (skill !== undefined) {
    query = query.whereIn(
      'id',
      // As the router finds it: by its name, or by the id that the agent itself gives it.
      db
        .knex('listing_skills')
        .select('listing_id')
        .where('name', skill)
        .union(
          db
            .knex('listing_skills')
            .select('listing_id')
            .where('skill_id', skill)
            .whereRaw('skill_id <> name'),
        ),
    );
  }
  return byWorth(db, query, filter);
}

const BPS_OF_PERCENT = 100;

/** Applies the filters of a client that is about to pay: a price, a network, steadiness, a tag. */
function byWorth(
  db: Reader,
  listings: Knex.QueryBuilder,
  { maxPrice, network, minUptimePercent, tag }: ListingFilter,
): Knex.QueryBuilder {
  const tools = (): Knex.QueryBuilder => db.knex('listing_skills').select('listing_id');
  let query = listings;
  if (minUptimePercent !== undefined) {
    query = query.where('uptime_bps', '>=', minUptimePercent * BPS_OF_PERCENT);
  }
  if (maxPrice !== undefined) {
    const quoted = tools().where('price_amount', '<=', `${maxPrice}`);
    query = query.where((either) => void either.where('access', 'open').orWhereIn('id', quoted));
  }
  if (network !== undefined) query = query.whereIn('id', tools().where('price_network', network));
  if (tag !== undefined) {
    const written = JSON.stringify(tag).replace(/[\\%_]/g, '\\$&');
    query = query.whereIn('id', tools().whereRaw("tags LIKE ? ESCAPE '\\'", [`%${written}%`]));
  }
  return query;
}

/** Where a reader of the feed is: behind this listing of this moment. */
export interface FeedPlace {
  readonly changedAt: Instant;
  readonly id: string;
}

const FEED = statement(`
  SELECT id, changed_at FROM listings WHERE (changed_at, id) > (?, ?)
  ORDER BY changed_at, id LIMIT ?`);

/** The next listings of the feed, oldest change first. */
export async function feedPage(
  db: Reader,
  after: FeedPlace,
  limit: number,
): Promise<readonly FeedPlace[]> {
  const rows = await linkOf(db).rows(FEED, [after.changedAt, after.id, limit]);
  return rows.map((row) => ({
    changedAt: column.time(row, 'changed_at'),
    id: column.text(row, 'id'),
  }));
}
