import type { Account, KeyId } from '../../domain/account.ts';
import { parseKeyId } from '../../domain/account.ts';
import type { Instant } from '../../domain/instant.ts';
import * as column from '../columns.ts';
import { linkOf, statement, type Reader, type Writer } from '../connection.ts';
import { inListStatement } from '../inList.ts';

const OF_KEYS = 'key_id IN (SELECT key_id FROM keys WHERE account = ?)';
/** Texts that an account wrote, whose rows stay, and what others find it by. */
const TEXTS = [
  `UPDATE passports SET display_name = NULL, bio = NULL
    WHERE (display_name IS NOT NULL OR bio IS NOT NULL) AND ${OF_KEYS} RETURNING 1 AS done`,
  `UPDATE keys SET label = NULL WHERE label IS NOT NULL AND account = ? RETURNING 1 AS done`,
  `UPDATE api_keys SET label = NULL WHERE label IS NOT NULL AND account = ? RETURNING 1 AS done`,
  `UPDATE listing_reports SET body = NULL WHERE body IS NOT NULL AND reporter = ?
    RETURNING 1 AS done`,
  'DELETE FROM worker_figures WHERE worker = ? RETURNING 1 AS done',
].map((text) => statement(text));
const COMMENTS = statement(`
  UPDATE comments SET body = NULL, withdrawn_at = ? WHERE body IS NOT NULL AND author = ?
    RETURNING 1 AS done`);
const EVENTS = statement('DELETE FROM account_events WHERE account = ? RETURNING 1 AS done');

/** Erases texts of an account. Returns how many. */
export async function eraseTexts(tx: Writer, account: Account, at: Instant): Promise<number> {
  let erased = (await linkOf(tx).rows(COMMENTS, [at, account])).length;
  for (const each of TEXTS) erased += (await linkOf(tx).rows(each, [account])).length;
  return erased;
}

/** Erases the events of an account; their numbers go on. Returns how many. */
export async function eraseEvents(tx: Writer, account: Account): Promise<number> {
  return (await linkOf(tx).rows(EVENTS, [account])).length;
}

const FULL = (operations: string): string => `SELECT account, operation, key FROM idempotency
  WHERE account = ? AND (operation ${operations} OR until IS NOT NULL) AND request_digest <> '' LIMIT ?`;
/** The row stays: its key is used, and a repeat is refused as another request. */
const EMPTY = inListStatement(
  (operations) => `UPDATE idempotency SET request_digest = '', result = '{}'
    WHERE (account, operation, key) IN (${FULL(operations)}) RETURNING 1 AS done`,
);
const FULL_LEFT = inListStatement(
  (operations) => `SELECT count(*) AS n FROM (${FULL(operations)}) AS f`,
);

/** Stored answers of once-only calls, at most so many at a time. */
export interface StoredAnswers {
  readonly account: Account;
  readonly operations: readonly string[];
  readonly limit: number;
}

/** Empties them. Returns how many. */
export async function eraseAnswers(
  tx: Writer,
  { account, operations, limit }: StoredAnswers,
): Promise<number> {
  return (await linkOf(tx).rows(EMPTY, [account, operations, limit])).length;
}

/** How many are left to erase, counted to `limit`. */
export async function answersLeft(
  db: Reader,
  { account, operations, limit }: StoredAnswers,
): Promise<number> {
  const row = column.one(await linkOf(db).rows(FULL_LEFT, [account, operations, limit]));
  return row === undefined ? 0 : Number(row['n']);
}

const HOSTED = statement(`
  SELECT key_id FROM hosted_agents WHERE taken_down_at IS NULL AND ${OF_KEYS}`);

export async function hostedKeys(db: Reader, account: Account): Promise<readonly KeyId[]> {
  const rows = await linkOf(db).rows(HOSTED, [account]);
  return rows.flatMap((row) => parseKeyId(column.text(row, 'key_id')) ?? []);
}

const LEFT = statement(`
  SELECT (SELECT count(*) FROM files WHERE owner = ?)
    + (SELECT coalesce(sum(notes + 1), 0) FROM memory_spaces WHERE owner = ?) AS n`);

/** How many notes, spaces and files an account still has. */
export async function countErasable(db: Reader, account: Account): Promise<number> {
  const row = column.one(await linkOf(db).rows(LEFT, [account, account]));
  return row === undefined ? 0 : Number(row['n']);
}

const SPACES = statement('SELECT id FROM memory_spaces WHERE owner = ? ORDER BY no LIMIT ?');
const FILES = statement('SELECT key FROM files WHERE owner = ? ORDER BY key LIMIT ?');

export async function spacesToErase(
  db: Reader,
  account: Account,
  limit: number,
): Promise<readonly string[]> {
  return (await linkOf(db).rows(SPACES, [account, limit])).map((row) => column.text(row, 'id'));
}

export async function filesToErase(
  db: Reader,
  account: Account,
  limit: number,
): Promise<readonly string[]> {
  return (await linkOf(db).rows(FILES, [account, limit])).map((row) => column.text(row, 'key'));
}
