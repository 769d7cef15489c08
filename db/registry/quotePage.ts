import type { Atomic } from '../../domain/money.ts';
import type { KnownQuote } from '../../domain/registry/quote.ts';
import * as column from '../columns.ts';
import type { Reader, Row } from '../connection.ts';
import { quoteOf } from './quotes.ts';

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
    return { quote: quoteOf(row), ...(name !== null && { name }) };
  });
}
