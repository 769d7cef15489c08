import { parseKeyId, type Account, type KeyId } from '../../domain/account.ts';
import { seconds, type Instant } from '../../domain/instant.ts';
import { account, one, text, textOrNull, time } from '../columns.ts';
import { linkOf, statement, type Reader, type Row, type Writer } from '../connection.ts';

/**
 * Keys and the accounts that they act for. A bound key acts for exactly one account, for ever; a
 * proposed key acts for none, and several accounts may have it proposed at once, until a bound key
 * of one of them confirms it (threats.key-hijack).
 */
export interface BoundKey {
  readonly keyId: KeyId;
  readonly account: Account;
  readonly label: string | null;
  /** When the key was first named for this account. */
  readonly requestedAt: Instant;
  readonly boundAt: Instant;
  /** The key that signed the binding; null for the key in the account's own name. */
  readonly boundBy: KeyId | null;
}
export interface ProposedKey {
  readonly keyId: KeyId;
  readonly account: Account;
  readonly label: string | null;
  readonly proposedAt: Instant;
}
export interface KeyList {
  readonly bound: readonly BoundKey[];
  readonly pending: readonly ProposedKey[];
}

export const PROPOSALS_PER_ACCOUNT_MAX = 5;
export const PROPOSAL_KEPT_SECONDS = seconds(86_400);
/** Longest list of bound keys that an account is shown. */
const KEYS_LISTED_MAX = 200;

const ACCOUNT_OF = statement('SELECT account FROM keys WHERE key_id = ?');
const BIND = statement(`INSERT INTO keys (key_id, account, label, requested_at, bound_at, bound_by)
  VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT (key_id) DO NOTHING RETURNING 1 AS done`);
const FORGET = statement('DELETE FROM key_proposals WHERE key_id = ?');

/** The account that a key acts for; undefined until it is bound. */
export async function accountOfKey(db: Reader, keyId: KeyId): Promise<Account | undefined> {
  const row = one(await linkOf(db).rows(ACCOUNT_OF, [keyId]));
  return row && account(row, 'account');
}

/** What else is kept of a binding. */
export interface Binding {
  readonly label?: string;
  /** When the key was first named for the account; the time of binding when absent. */
  readonly requestedAt?: Instant;
  /** The bound key that signed; absent for the key in the account's own name. */
  readonly boundBy?: KeyId;
}

/**
 * Binds a key that is bound to nothing, and drops its proposals everywhere. Answers the account that
 * the key acts for now: another than `to` when the key was bound before.
 */
export async function bindKey(
  tx: Writer,
  keyId: KeyId,
  to: Account,
  at: Instant,
  { label, requestedAt, boundBy }: Binding = {},
): Promise<Account> {
  const values = [keyId, to, label ?? null, requestedAt ?? at, at, boundBy ?? null];
  const bound = await linkOf(tx).rows(BIND, values);
  if (bound.length === 0) return (await accountOfKey(tx, keyId)) ?? to;
  await linkOf(tx).rows(FORGET, [keyId]);
  return to;
}

/** Sets the label of a bound key, or only fills it in when it has none; false when it was kept. */
export async function labelKey(
  tx: Writer,
  keyId: KeyId,
  label: string,
  when: 'always' | 'when-unlabelled',
): Promise<boolean> {
  const query = tx.knex('keys').where({ key_id: keyId });
  if (when === 'when-unlabelled') void query.whereNull('label');
  return (await query.update({ label })) === 1;
}

export interface Proposal {
  readonly keyId: KeyId;
  readonly account: Account;
  readonly label?: string;
  readonly at: Instant;
}

/**
 * Notes that somebody asked for `keyId` to act for `account`. Proposing again renews neither age nor
 * label. `bound`: the key acts for an account already. `full`: 5 proposals wait.
 */
export async function proposeKey(
  tx: Writer,
  { keyId, account: to, label, at }: Proposal,
): Promise<'proposed' | 'bound' | 'full'> {
  if ((await accountOfKey(tx, keyId)) !== undefined) return 'bound';
  await sweepProposals(tx, at);
  const waiting = await proposals(tx, to, at);
  if (waiting.some((each) => each.keyId === keyId)) return 'proposed';
  if (waiting.length >= PROPOSALS_PER_ACCOUNT_MAX) return 'full';
  await tx
    .knex('key_proposals')
    .insert({ account: to, key_id: keyId, label: label ?? null, proposed_at: at })
    .onConflict(['account', 'key_id'])
    .ignore();
  return 'proposed';
}

/** Binds a proposed key; the caller has proved that `boundBy`, a key of the account, asks for it. */
export async function confirmKey(
  tx: Writer,
  { keyId, account: to, label, at }: Proposal,
  boundBy: KeyId,
): Promise<'confirmed' | 'bound-elsewhere' | 'not-proposed'> {
  const proposed = (await proposals(tx, to, at)).find((each) => each.keyId === keyId);
  if (proposed === undefined) return 'not-proposed';
  const named = label ?? proposed.label;
  const binding = {
    ...(named !== null && { label: named }),
    requestedAt: proposed.proposedAt,
    boundBy,
  };
  return (await bindKey(tx, keyId, to, at, binding)) === to ? 'confirmed' : 'bound-elsewhere';
}

/** Bound keys, oldest first, and proposals that still can be confirmed. */
export async function listKeys(db: Reader, of: Account, at: Instant): Promise<KeyList> {
  const rows = await db
    .knex<Row>('keys')
    .where({ account: of })
    .orderBy(['bound_at', 'key_id'])
    .limit(KEYS_LISTED_MAX);
  const bound = rows.map((row) => ({
    ...shared(row),
    requestedAt: time(row, 'requested_at'),
    boundAt: time(row, 'bound_at'),
    boundBy: textOrNull(row, 'bound_by') === null ? null : keyIn(row, 'bound_by'),
  }));
  return { bound, pending: await proposals(db, of, at) };
}

/** Drops proposals that nobody confirmed within a day; answers how many. */
export async function sweepProposals(tx: Writer, at: Instant): Promise<number> {
  return tx.knex('key_proposals').where('proposed_at', '<=', expired(at)).delete();
}

async function proposals(db: Reader, of: Account, at: Instant): Promise<readonly ProposedKey[]> {
  const rows = await db
    .knex<Row>('key_proposals')
    .where({ account: of })
    .where('proposed_at', '>', expired(at))
    .orderBy(['proposed_at', 'key_id']);
  return rows.map((row) => ({ ...shared(row), proposedAt: time(row, 'proposed_at') }));
}

function shared(row: Row): Pick<BoundKey, 'keyId' | 'account' | 'label'> {
  const [keyId, label] = [keyIn(row, 'key_id'), textOrNull(row, 'label')];
  return { keyId, account: account(row, 'account'), label };
}

function keyIn(row: Row, column: string): KeyId {
  const keyId = parseKeyId(text(row, column));
  if (keyId === undefined) throw new Error(`not a key id: ${column}`);
  return keyId;
}

function expired(at: Instant): number {
  return at - PROPOSAL_KEPT_SECONDS * 1000;
}
