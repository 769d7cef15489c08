import type { Knex } from 'knex';
import { isObject, type JsonObject } from '../../domain/jsonObject.ts';
import type { Instant } from '../../domain/instant.ts';
import type { Atomic } from '../../domain/money.ts';
import type { Availability } from '../../domain/registry/listing.ts';
import type { KnownQuote } from '../../domain/registry/quote.ts';
import * as column from '../columns.ts';
import type { Reader, Row } from '../connection.ts';
import { QUOTES } from './quotes.ts';

/** Pages of quotes, the cheapest first. */
export interface QuoteFilter {
  /** Text in the name of the listing, the address or the tool, in any case. */
  readonly text?: string;
  readonly kind?: KnownQuote['kind'];
  readonly maxPrice?: Atomic;
}
export interface NamedQuote {
  readonly quote: KnownQuote;
  /** Name of the listing; undefined when the endpoint is not listed. */
  readonly name?: string;
}

export async function quotePage(
  db: Reader,
  { text, kind, maxPrice }: QuoteFilter,
  { limit, offset }: { readonly limit: number; readonly offset: number },
): Promise<readonly NamedQuote[]> {
  let query = db
    .knex('quotes')
    .leftJoin('listings', 'listings.id', 'quotes.listing_id')
    .select<Row[]>('quotes.*', 'listings.name as listing_name')
    .orderBy(['quotes.amount', 'quotes.endpoint', 'quotes.tool'])
    .limit(limit)
    .offset(offset);
  if (kind !== undefined) query = query.where('quotes.kind', kind);
  // sqlite3 takes no bigint; the column makes a number of the text.
  if (maxPrice !== undefined) query = query.where('quotes.amount', '<=', `${maxPrice}`);
  if (text !== undefined) {
    const part = `%${text.toLowerCase().replace(/[\\%_]/g, '\\$&')}%`;
    query = query.where((any) => {
      for (const name of ['listings.name', 'quotes.endpoint', 'quotes.tool']) {
        void any.orWhereRaw(`lower(${name}) LIKE ? ESCAPE '\\'`, [part]);
      }
    });
  }
  return (await query).map((row) => {
    const name = column.textOrNull(row, 'listing_name');
    return { quote: QUOTES.fromRow(row), ...(name !== null && { name }) };
  });
}

/** Which resources x402 discovery shows. */
export interface ResourceFilter {
  readonly type?: KnownQuote['kind'];
  readonly network?: string;
  readonly scheme?: string;
  readonly payTo?: string;
  readonly maxPrice?: Atomic;
  /** Exactly so among the tags of the tool. */
  readonly tag?: string;
}

export interface QuotedResource {
  readonly quote: KnownQuote;
  /** The measurements of probes and paid calls; absent when the endpoint is not listed. */
  readonly listed?: {
    readonly name: string;
    readonly availability: Availability;
    readonly uptimeBps: number;
    readonly latencyMs: number;
    readonly lastCheckedAt: Instant;
    readonly calls30d: number;
  };
  /** The listing's description of the tool; absent when no tool of this name is listed. */
  readonly described?: { readonly description: string; readonly inputSchema?: JsonObject };
}

const LISTED = ['name', 'availability', 'uptime_bps', 'latency_ms', 'last_checked_at', 'calls_30d'];

/** A page of quoted resources, the newest quote first, and how many there are. */
export async function resourcePage(
  db: Reader,
  filter: ResourceFilter,
  { limit, offset }: { readonly limit: number; readonly offset: number },
): Promise<{ readonly total: number; readonly resources: readonly QuotedResource[] }> {
  const matching = (): Knex.QueryBuilder => resources(db, filter);
  const counted = column.one(await matching().count<Row[]>('* as n'));
  const rows = await matching()
    .leftJoin('listings', 'listings.id', 'quotes.listing_id')
    // A listing may have two tools of one name; the first one is called.
    .joinRaw(
      `LEFT JOIN listing_skills ON listing_skills.listing_id = quotes.listing_id
        AND listing_skills.place = (SELECT min(place) FROM listing_skills AS same
          WHERE same.listing_id = quotes.listing_id AND same.name = quotes.tool)`,
    )
    .select<Row[]>(
      'quotes.*',
      'listing_skills.description as skill_description',
      'listing_skills.input_schema as skill_input_schema',
      ...LISTED.map((name) => `listings.${name} as listing_${name}`),
    )
    .orderBy([
      { column: 'quotes.quoted_at', order: 'desc' },
      { column: 'quotes.endpoint' },
      { column: 'quotes.tool' },
    ])
    .limit(limit)
    .offset(offset);
  return {
    total: counted === undefined ? 0 : Number(counted['n']),
    resources: rows.map((row) => ({
      quote: QUOTES.fromRow(row),
      ...listedOf(row),
      ...describedOf(row),
    })),
  };
}

function resources(db: Reader, filter: ResourceFilter): Knex.QueryBuilder {
  const { type, network, scheme, payTo, maxPrice, tag } = filter;
  let query = db.knex('quotes').whereNotNull('quotes.accept');
  if (type !== undefined) query = query.where('quotes.kind', type);
  if (network !== undefined) query = query.where('quotes.network', network);
  if (scheme !== undefined) query = query.where('quotes.scheme', scheme);
  if (payTo !== undefined)
    query = query.whereRaw('lower(quotes.pay_to) = ?', [payTo.toLowerCase()]);
  if (maxPrice !== undefined) query = query.where('quotes.amount', '<=', `${maxPrice}`);
  if (tag !== undefined) {
    const written = JSON.stringify(tag).replace(/[\\%_]/g, '\\$&');
    query = query.whereExists(
      db
        .knex('listing_skills')
        .select(db.knex.raw('1'))
        .whereRaw('listing_skills.listing_id = quotes.listing_id')
        .whereRaw("(quotes.tool = '' OR quotes.tool = listing_skills.name)")
        .whereRaw("listing_skills.tags LIKE ? ESCAPE '\\'", [`%${written}%`]),
    );
  }
  return query;
}

function listedOf(row: Row): Pick<QuotedResource, 'listed'> {
  if (row['listing_name'] === null) return {};
  return {
    listed: {
      name: column.text(row, 'listing_name'),
      availability: column.text(row, 'listing_availability') as Availability,
      uptimeBps: column.whole(row, 'listing_uptime_bps'),
      latencyMs: column.whole(row, 'listing_latency_ms'),
      lastCheckedAt: column.time(row, 'listing_last_checked_at'),
      calls30d: column.whole(row, 'listing_calls_30d'),
    },
  };
}

function describedOf(row: Row): Pick<QuotedResource, 'described'> {
  const description = column.textOrNull(row, 'skill_description');
  if (description === null) return {};
  const inputSchema =
    row['skill_input_schema'] === null ? undefined : column.json(row, 'skill_input_schema');
  return { described: { description, ...(isObject(inputSchema) && { inputSchema }) } };
}
