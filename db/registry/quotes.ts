import type { KnownQuote, LiveQuote } from '../../domain/registry/quote.ts';
import type { JsonObject } from '../../domain/jsonObject.ts';
import * as column from '../batch/columns.ts';
import { linkOf, statement, type Reader, type Writer } from '../connection.ts';
import { inListStatement } from '../inList.ts';
import { shaped, table } from '../batch/table.ts';
import { bulkInsert, bulkRows } from './bulk.ts';

/** Endpoints that quoted a price, one row for each of their tools; listed or not. */
export const QUOTES = shaped(
  table(
    'quotes',
    {
      endpoint: column.text().key(),
      /** Empty for the endpoint itself. */
      tool: column.text().key(),
      kind: column.text<KnownQuote['kind']>(),
      origin: column.text(),
      listingId: column.text().optional(),
      amount: column.amount(),
      asset: column.text(),
      network: column.text(),
      x402Version: column.integer(),
      scheme: column.text(),
      payTo: column.text(),
      payToChangedAt: column.moment().optional(),
      quotedAt: column.moment(),
      quotes: column.integer(),
      accept: column.json<JsonObject>().optional(),
    },
    { use: 'single', personal: { apart: 'about no account' } },
  ),
  {
    of: ({ tool, amount, asset, network, payTo, ...row }): KnownQuote => ({
      ...row,
      ...(tool !== '' && { tool }),
      price: { amount, asset, network, payTo },
    }),
    flat: ({ tool = '', price, ...quote }) => ({ ...quote, tool, ...price }),
  },
);
const SAVE = bulkInsert(QUOTES, {
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
  const rows = quotes.map((quote) => ({ ...quote, quotes: 1 }));
  await linkOf(tx).rows(SAVE, [bulkRows(QUOTES, rows)]);
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
  return (await linkOf(db).rows(OF_ENDPOINT, [endpoint])).map(QUOTES.fromRow);
}
