import type { KeyId } from '../../domain/account.ts';
import { instant, type Instant } from '../../domain/instant.ts';
import { MINUTE_MS } from '../../domain/time/minute.ts';
import { STEP_MS } from '../../domain/time/steps.ts';
import { text, time, timeOrNull, wholeOrNull } from '../columns.ts';
import { linkOf, statement, type Reader, type Row, type Writer } from '../connection.ts';

/** The public halves of the hub's own keys, and when each of them counts. */
export interface HubKeyRow {
  readonly keyId: KeyId;
  readonly madeAt: Instant;
  /** Null while it waits for the pulse that announces it. */
  readonly notBefore: Instant | null;
  /** Null while no later key was announced. */
  readonly notAfter: Instant | null;
  /** The pulse that announced it; null for the first key. */
  readonly announcedIn: number | null;
}

const ALL = statement('SELECT * FROM hub_keys ORDER BY made_at DESC, key_id');

/** Every key, the newest first. */
export async function hubKeyRows(db: Reader): Promise<readonly HubKeyRow[]> {
  return (await linkOf(db).rows(ALL, [])).map(hubKeyRow);
}

function hubKeyRow(row: Row): HubKeyRow {
  return {
    keyId: text(row, 'key_id') as KeyId,
    madeAt: time(row, 'made_at'),
    notBefore: timeOrNull(row, 'not_before'),
    notAfter: timeOrNull(row, 'not_after'),
    announcedIn: wholeOrNull(row, 'announced_in'),
  };
}

/** The key that signs now: announced, and no other after it. */
export function signingKey(rows: readonly HubKeyRow[]): KeyId | undefined {
  return rows.find(({ notBefore, notAfter }) => notBefore !== null && notAfter === null)?.keyId;
}

/** The key that waits for the pulse that announces it. */
export function waitingKey(rows: readonly HubKeyRow[]): KeyId | undefined {
  return rows.find(({ notBefore }) => notBefore === null)?.keyId;
}

const FIRST = statement(`INSERT INTO hub_keys (key_id, made_at, not_before)
  SELECT ?, CAST(? AS BIGINT), CAST(? AS BIGINT) WHERE NOT EXISTS (SELECT 1 FROM hub_keys)
  ON CONFLICT DO NOTHING RETURNING key_id`);

/** Enters the first key of a database; false when it has one. */
export async function enterFirstKey(tx: Writer, keyId: KeyId, at: Instant): Promise<boolean> {
  return (await linkOf(tx).rows(FIRST, [keyId, at, at])).length === 1;
}

const NEXT = statement(`INSERT INTO hub_keys (key_id, made_at) VALUES (?, ?)
  ON CONFLICT DO NOTHING RETURNING key_id`);

/** Enters a key that the next pulse is to announce; false when one waits already. */
export async function enterNextKey(tx: Writer, keyId: KeyId, at: Instant): Promise<boolean> {
  return (await linkOf(tx).rows(NEXT, [keyId, at])).length === 1;
}

const RETIRE = statement(
  'UPDATE hub_keys SET not_after = ? WHERE not_before IS NOT NULL AND not_after IS NULL',
);
const ANNOUNCE = statement('UPDATE hub_keys SET not_before = ?, announced_in = ? WHERE key_id = ?');

/**
 * A key signs from the pulse that announces it. The one before counts a minute more, for processes
 * that know of no change; the new one two seconds earlier, for those whose clock is behind.
 */
export async function announceKey(
  tx: Writer,
  next: KeyId,
  { seq, issuedAt }: { readonly seq: number; readonly issuedAt: Instant },
): Promise<void> {
  await linkOf(tx).rows(RETIRE, [instant(issuedAt + MINUTE_MS)]);
  await linkOf(tx).rows(ANNOUNCE, [instant(issuedAt - STEP_MS), seq, next]);
}
