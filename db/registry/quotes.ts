import type { KnownQuote, LiveQuote } from '../../domain/registry/quote.ts';
import type { JsonObject } from '../../domain/jsonObject.ts';
import * as column from '../columns.ts';
import { linkOf, statement, type Reader, type Row, type Writer } from '../connection.ts';
import { inListStatement } from '../inList.ts';
import { bulkInsert, bulkJson } from './bulk.ts';

/** Endpoints that quoted a price, one row for each of their tools; listed or not. */
const SAVE = bulkInsert({
  table: 'quotes',
  columns: {
    endpoint: 'text',
    tool: 'text',
    kind: 'text',
    origin: 'text',
    listing_id: 'text',
    amount: 'int',
    asset: 'text',
    network: 'text',
    x402_version: 'int',
    scheme: 'text',
    accept: 'text',
    pay_to: 'text',
    quoted_at: 'int',
    quotes: 'int',
  },
  key: ['endpoint', 'tool'],
  update: [
    'kind = excluded.kind',
    'listing_id = coalesce(excluded.listing_id, quotes.listing_id)',
    'amount = excluded.amount',
    'asset = excluded.asset',
    'network = excluded.network',
    'x402_version = excluded.x402_version',
    'scheme = excluded.scheme',
    'accept = coalesce(excluded.accept, quotes.accept)',
    `pay_to_changed_at = CASE WHEN quotes.pay_to = excluded.pay_to THEN quotes.pay_to_changed_at
      ELSE excluded.quoted_at END`,
    'pay_to = excluded.pay_to',
    'quoted_at = excluded.quoted_at',
    'quotes = quotes.quotes + 1',
  ],
});

/** Records quotes, each endpoint and tool once in the list; a known one is counted on. */
export async function saveQuotes(tx: Writer, quotes: readonly LiveQuote[]): Promise<void> {
  if (quotes.length === 0) return;
  const rows = quotes.map((quote) => ({
    endpoint: quote.endpoint,
    tool: quote.tool ?? '',
    kind: quote.kind,
    origin: quote.origin,
    listing_id: quote.listingId ?? null,
    amount: Number(quote.price.amount),
    asset: quote.price.asset,
    network: quote.price.network,
    x402_version: quote.x402Version,
    scheme: quote.scheme,
    accept: quote.accept === undefined ? null : JSON.stringify(quote.accept),
    pay_to: quote.price.payTo,
    quoted_at: quote.quotedAt,
    quotes: 1,
  }));
  await linkOf(tx).rows(SAVE, [bulkJson(rows)]);
}

const DROP = inListStatement(
  (given) => `DELETE FROM quotes WHERE endpoint = ? AND NOT (tool ${given})`,
);

/** Removes the quotes of an endpoint except those of the named tools. */
export async function dropQuotes(
  tx: Writer,
  endpoint: string,
  tools: readonly string[],
): Promise<void> {
  await linkOf(tx).rows(DROP, [endpoint, tools]);
}

const OF_ENDPOINT = statement('SELECT * FROM quotes WHERE endpoint = ? ORDER BY amount, tool');

/** Returns the quotes of an endpoint, the cheapest first. */
export async function quotesOf(db: Reader, endpoint: string): Promise<readonly KnownQuote[]> {
  return (await linkOf(db).rows(OF_ENDPOINT, [endpoint])).map(quoteOf);
}

export function quoteOf(row: Row): KnownQuote {
  const tool = column.text(row, 'tool');
  const listingId = column.textOrNull(row, 'listing_id');
  const payToChangedAt = column.timeOrNull(row, 'pay_to_changed_at');
  return {
    kind: column.text(row, 'kind') as KnownQuote['kind'],
    endpoint: column.text(row, 'endpoint'),
    origin: column.text(row, 'origin'),
    ...(tool !== '' && { tool }),
    ...(listingId !== null && { listingId }),
    price: {
      amount: column.amount(row, 'amount'),
      asset: column.text(row, 'asset'),
      network: column.text(row, 'network'),
      payTo: column.text(row, 'pay_to'),
    },
    x402Version: column.whole(row, 'x402_version'),
    scheme: column.text(row, 'scheme'),
    ...(row['accept'] !== null && { accept: column.json(row, 'accept') as JsonObject }),
    ...(payToChangedAt !== null && { payToChangedAt }),
    quotedAt: column.time(row, 'quoted_at'),
    quotes: column.whole(row, 'quotes'),
  };
}
