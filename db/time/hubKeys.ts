import type { KeyId } from '../../domain/account.ts';
import { instant, type Instant } from '../../domain/instant.ts';
import { MINUTE_MS } from '../../domain/time/minute.ts';
import { STEP_MS } from '../../domain/time/steps.ts';
import * as column from '../batch/columns.ts';
import type { RowIn } from '../batch/table.ts';
import { linkOf, statement, type Reader, type Writer } from '../connection.ts';
import { table } from '../batch/table.ts';

/** The public halves of the hub's own keys, and when each of them counts. */
export const HUB_KEYS = table(
  'hub_keys',
  {
    keyId: column.keyId().key(),
    madeAt: column.moment(),
    /** Null while it waits for the pulse that announces it. */
    notBefore: column.moment().orNull(),
    /** Null while no later key was announced. */
    notAfter: column.moment().orNull(),
    /** The pulse that announced it; null for the first key. */
    announcedIn: column.integer().orNull(),
  },
  { use: 'single', personal: { apart: 'about no account' } },
);
export type HubKeyRow = RowIn<typeof HUB_KEYS>;

const ALL = statement('SELECT * FROM hub_keys ORDER BY made_at DESC, key_id');

/** Every key, the newest first. */
export async function hubKeyRows(db: Reader): Promise<readonly HubKeyRow[]> {
  return (await linkOf(db).rows(ALL, [])).map(HUB_KEYS.fromRow);
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

const NEXT = statement(`${HUB_KEYS.insertion} ON CONFLICT DO NOTHING RETURNING key_id`);

/** Enters a key that the next pulse is to announce; false when one waits already. */
export async function enterNextKey(tx: Writer, keyId: KeyId, at: Instant): Promise<boolean> {
  const next = { keyId, madeAt: at, notBefore: null, notAfter: null, announcedIn: null };
  return (await linkOf(tx).rows(NEXT, HUB_KEYS.cells(next))).length === 1;
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
