import type { KeyId } from '../domain/account.ts';
import { seconds, type Instant } from '../domain/instant.ts';
import { keyId, moment, text } from './batch/columns.ts';
import { table } from './batch/table.ts';
import { linkOf, statement, type Reader, type Writer } from './connection.ts';
import { SWEEP_ROWS_MAX } from './sweep.ts';

/**
 * A signature is valid for 300 s on either side of `created`, in whole seconds: almost 601 s after
 * an early use. The rest is for the clocks of processes, which may differ (threats.replay).
 */
export const NONCE_KEPT_SECONDS = seconds(660);

const TAKE = statement(`INSERT INTO nonces (key_id, nonce, seen_at) VALUES (?, ?, ?)
  ON CONFLICT (key_id, nonce) DO NOTHING RETURNING 1 AS taken`);
const LOOK = statement('SELECT 1 AS taken FROM nonces WHERE key_id = ? AND nonce = ?');
const SWEEP = statement(`DELETE FROM nonces WHERE (key_id, nonce) IN (
  SELECT key_id, nonce FROM nonces WHERE seen_at < ? ORDER BY seen_at LIMIT ${SWEEP_ROWS_MAX})
  RETURNING 1 AS gone`);

export interface Nonce {
  readonly keyId: KeyId;
  readonly nonce: string;
}

/** Takes one nonce in a unit of single statements; false when this key used it before. */
export async function consumeNonce(
  tx: Writer,
  keyId: KeyId,
  nonce: string,
  at: Instant,
): Promise<boolean> {
  return (await linkOf(tx).rows(TAKE, [keyId, nonce, at])).length === 1;
}

export async function nonceUsed(db: Reader, keyId: KeyId, nonce: string): Promise<boolean> {
  return (await linkOf(db).rows(LOOK, [keyId, nonce])).length === 1;
}

/** Drops nonces too old to be replayed, at most 10,000 a call; answers how many. */
export async function sweepNonces(tx: Writer, at: Instant): Promise<number> {
  const before = at - NONCE_KEPT_SECONDS * 1000;
  return (await linkOf(tx).rows(SWEEP, [before])).length;
}

export const NONCES = table(
  'nonces',
  { keyId: keyId().key(), nonce: text().key(), seenAt: moment().fixed() },
  { personal: { apart: 'marks of signatures, for minutes' }, lock: 'none', remembered: 'new keys' },
);
