import type { Instant } from '../../domain/instant.ts';
import type { Price } from '../../domain/registry/listing.ts';
import { SOUND, type Breaker } from '../../domain/router/breaker.ts';
import * as column from '../columns.ts';
import { linkOf, statement, type Writer } from '../connection.ts';

/** What calls leave behind for the next ones: faults of an endpoint in a row, and live quotes. */
const BREAKER = statement(
  'SELECT faults, rests_until FROM call_breakers WHERE endpoint = ?',
  'SELECT faults, rests_until FROM call_breakers WHERE endpoint = ? FOR UPDATE',
);

export async function breakerOf(tx: Writer, endpoint: string): Promise<Breaker> {
  const row = column.one(await linkOf(tx).rows(BREAKER, [endpoint]));
  if (row === undefined) return SOUND;
  const restsUntil = column.timeOrNull(row, 'rests_until');
  return { faults: column.whole(row, 'faults'), ...(restsUntil !== null && { restsUntil }) };
}

const FORGET = statement('DELETE FROM call_breakers WHERE endpoint = ?');
const KEEP = statement(`
  INSERT INTO call_breakers (endpoint, faults, rests_until) VALUES (?, ?, ?)
  ON CONFLICT (endpoint) DO UPDATE SET faults = excluded.faults, rests_until = excluded.rests_until`);

export async function saveBreaker(tx: Writer, endpoint: string, breaker: Breaker): Promise<void> {
  const { faults, restsUntil } = breaker;
  if (faults === 0) await linkOf(tx).rows(FORGET, [endpoint]);
  else await linkOf(tx).rows(KEEP, [endpoint, faults, restsUntil ?? null]);
}

const QUOTE = statement(`
  INSERT INTO call_quotes (listing_id, operation, amount, asset, quoted_on, pay_to, at)
  VALUES (?, ?, ?, ?, ?, ?, ?)
  ON CONFLICT (listing_id, operation) DO UPDATE SET amount = excluded.amount,
    asset = excluded.asset, quoted_on = excluded.quoted_on, pay_to = excluded.pay_to,
    at = excluded.at`);

export interface QuotedFor {
  readonly listingId: string;
  readonly operation: string;
  readonly at: Instant;
}

/** Keeps the newest live quote of an operation. */
export async function saveQuote(
  tx: Writer,
  { listingId, operation, at }: QuotedFor,
  { amount, asset, network, payTo }: Price,
): Promise<void> {
  const values = [listingId, operation, `${amount}`, asset, network ?? null, payTo ?? null, at];
  await linkOf(tx).rows(QUOTE, values);
}
