import type { KeyId } from '../../domain/account.ts';
import type { Instant } from '../../domain/instant.ts';
import { flag, keyId as key, moment, text } from '../batch/columns.ts';
import type { RowIn } from '../batch/table.ts';
import { one } from '../columns.ts';
import { linkOf, statement, type Reader, type Writer } from '../connection.ts';
import { table } from '../batch/table.ts';

/**
 * Calls that wait for a connected agent. Any process puts a letter in, the one that the agent asks
 * hands it out once, and any process takes the answer, so no process has to know another.
 */
export const HOSTED_LETTERS = table(
  'hosted_letters',
  {
    id: text().key(),
    keyId: key(),
    request: text(),
    isTaken: flag(),
    answer: text().optional(),
    expiresAt: moment(),
  },
  {
    use: 'single',
    personal: { apart: 'calls under way, which nothing keeps once they have ended' },
  },
);
export type Letter = Pick<RowIn<typeof HOSTED_LETTERS>, 'id' | 'request'>;

const PUT = statement(HOSTED_LETTERS.insertion);

export async function putLetter(
  tx: Writer,
  keyId: KeyId,
  letter: Letter,
  expiresAt: Instant,
): Promise<void> {
  const cells = HOSTED_LETTERS.cells({ ...letter, keyId, isTaken: false, expiresAt });
  await linkOf(tx).rows(PUT, cells);
}

const WAITING = statement(`
  SELECT id FROM hosted_letters WHERE key_id = ? AND is_taken = 0 AND expires_at > ? LIMIT 1`);

export async function hasLetter(db: Reader, keyId: KeyId, now: Instant): Promise<boolean> {
  return (await linkOf(db).rows(WAITING, [keyId, now])).length > 0;
}

/** Extends a letter whose caller still waits, while it is not taken. */
const RENEW = statement('UPDATE hosted_letters SET expires_at = ? WHERE id = ? AND is_taken = 0');

export async function renewLetter(tx: Writer, id: string, expiresAt: Instant): Promise<void> {
  await linkOf(tx).rows(RENEW, [expiresAt, id]);
}

const TAKE = statement(
  `UPDATE hosted_letters SET is_taken = 1, expires_at = ? WHERE id IN (
      SELECT id FROM hosted_letters WHERE key_id = ? AND is_taken = 0 AND expires_at > ?
      ORDER BY id LIMIT ?) RETURNING *`,
  `UPDATE hosted_letters SET is_taken = 1, expires_at = ? WHERE id IN (
      SELECT id FROM hosted_letters WHERE key_id = ? AND is_taken = 0 AND expires_at > ?
      ORDER BY id LIMIT ? FOR UPDATE SKIP LOCKED) RETURNING *`,
);

export interface Taking {
  readonly now: Instant;
  /** The time until which its answer is kept for a waiting caller. */
  readonly until: Instant;
  readonly limit: number;
}

/** Hands letters out, each once. */
export async function takeLetters(
  tx: Writer,
  keyId: KeyId,
  { now, until, limit }: Taking,
): Promise<readonly Letter[]> {
  const rows = await linkOf(tx).rows(TAKE, [until, keyId, now, limit]);
  return rows.map(HOSTED_LETTERS.fromRow).sort((a, b) => (a.id < b.id ? -1 : 1));
}

const ANSWER = statement(`
  UPDATE hosted_letters SET answer = ? WHERE id = ? AND key_id = ? AND is_taken = 1
    AND answer IS NULL RETURNING id`);

/** Stores the answer of the key that the letter was for; false if no caller waits for it. */
export async function answerLetter(
  tx: Writer,
  keyId: KeyId,
  { id, answer }: { readonly id: string; readonly answer: string },
): Promise<boolean> {
  return (await linkOf(tx).rows(ANSWER, [answer, id, keyId])).length > 0;
}

const TAKE_BACK = statement(`
  DELETE FROM hosted_letters WHERE id = ? AND key_id = ? AND is_taken = 1 RETURNING id`);

/** Ends a letter whose answer is handed to a caller of this process; false when it is another's. */
export async function endLetter(tx: Writer, keyId: KeyId, id: string): Promise<boolean> {
  return (await linkOf(tx).rows(TAKE_BACK, [id, keyId])).length > 0;
}

const ANSWERED = statement('SELECT * FROM hosted_letters WHERE id = ?');

export async function answerOf(db: Reader, id: string): Promise<string | undefined> {
  const row = one(await linkOf(db).rows(ANSWERED, [id]));
  return row && HOSTED_LETTERS.fromRow(row).answer;
}

const DROP = statement('DELETE FROM hosted_letters WHERE id = ?');

/** Nothing of a call stays behind once it has ended. */
export async function dropLetter(tx: Writer, id: string): Promise<void> {
  await linkOf(tx).rows(DROP, [id]);
}

const EXPIRED = statement(`
  DELETE FROM hosted_letters WHERE id IN (
    SELECT id FROM hosted_letters WHERE expires_at <= ? LIMIT ?) RETURNING id`);

/** Drops letters of callers that are gone, as after a kill. */
export async function dropExpired(tx: Writer, now: Instant, limit: number): Promise<number> {
  return (await linkOf(tx).rows(EXPIRED, [now, limit])).length;
}
