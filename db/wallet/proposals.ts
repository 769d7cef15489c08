import type { Account, KeyId } from '../../domain/account.ts';
import { instant, seconds, type Instant } from '../../domain/instant.ts';
import * as column from '../batch/columns.ts';
import type { RowIn } from '../batch/table.ts';
import { one, whole } from '../columns.ts';
import { linkOf, statement, type Reader, type Row, type Writer } from '../connection.ts';
import { table } from '../batch/table.ts';

/**
 * A proposal grants nothing: the key joins when a bound key of the account and the new key sign
 * within a day (threats.key-hijack). Unsigned ones never use up the places of signed ones.
 */
export interface Proposal {
  readonly keyId: KeyId;
  readonly account: Account;
  readonly label: string | null;
  readonly proposedAt: Instant;
  /** The bound key that signed for the account, and when, while that counts. */
  readonly byAccount: { readonly keyId: KeyId; readonly at: Instant } | undefined;
  /** When the new key signed, while that counts. */
  readonly byKeyAt: Instant | undefined;
}

export const KEY_PROPOSALS = table(
  'key_proposals',
  {
    account: column.account().key(),
    keyId: column.keyId().key(),
    label: column.text().orNull(),
    proposedAt: column.moment(),
    accountSignedBy: column.keyId().optional(),
    accountSignedAt: column.moment().optional(),
    keySignedAt: column.moment().optional(),
  },
  { use: 'single', personal: { apart: 'wishes that end in a day' } },
);
type Stored = RowIn<typeof KEY_PROPOSALS>;

export interface Wish {
  readonly keyId: KeyId;
  readonly account: Account;
  readonly label?: string;
  readonly at: Instant;
}

export const PROPOSAL_KEPT_SECONDS = seconds(86_400);
/** Unsigned proposals that one account may have. */
export const UNSIGNED_PER_ACCOUNT_MAX = 5;
/** Accounts that one key may have signed for at a time. */
export const ACCOUNTS_PER_KEY_MAX = 5;
/** Proposals that an account is shown. */
const PROPOSALS_LISTED_MAX = 50;

const FORGET = statement('DELETE FROM key_proposals WHERE account = ? AND key_id = ?');
const SIGNED = 'account_signed_at IS NOT NULL OR key_signed_at IS NOT NULL';
/** An unsigned request's label ends with the first signature; the account's own has precedence. */
const ASK = `${KEY_PROPOSALS.insertion} ON CONFLICT (account, key_id)`;
const UNSIGNED_ASK = statement(`${ASK} DO NOTHING`);
const BY_ACCOUNT = statement(`${ASK} DO UPDATE SET
    label = COALESCE(excluded.label, CASE WHEN ${SIGNED.replace(/(\w+_at)/g, 'key_proposals.$1')}
      THEN key_proposals.label END),
    account_signed_by = excluded.account_signed_by,
    account_signed_at = excluded.account_signed_at
  RETURNING *`);
const BY_KEY = statement(`${ASK} DO UPDATE SET
    label = CASE WHEN key_proposals.account_signed_at IS NOT NULL
      THEN COALESCE(key_proposals.label, excluded.label) ELSE excluded.label END,
    key_signed_at = excluded.key_signed_at
  RETURNING *`);
const TAKE_BACK = statement(`UPDATE key_proposals
  SET account_signed_by = NULL, account_signed_at = NULL WHERE account = ? AND key_id = ?`);
const COUNT_OF_KEY = statement(`SELECT count(*) AS found FROM key_proposals
  WHERE key_id = ? AND key_signed_at > ? AND account <> ?`);
const COUNT_OF_ACCOUNT = statement(`SELECT count(*) AS found FROM key_proposals
  WHERE account = ? AND account_signed_at > ? AND key_id <> ?`);
const UNSIGNED = statement(`SELECT * FROM key_proposals
  WHERE account = ? AND proposed_at > ? AND account_signed_at IS NULL AND key_signed_at IS NULL`);
const SWEEP = statement(`DELETE FROM key_proposals WHERE proposed_at <= ?
  AND COALESCE(account_signed_at, 0) <= ? AND COALESCE(key_signed_at, 0) <= ? RETURNING 1 AS gone`);
const READ = statement('SELECT * FROM key_proposals WHERE account = ? AND key_id = ?');

/** Stores an unsigned request; a repeat changes nothing. `full`: 5 unsigned ones already wait. */
export async function askForKey(tx: Writer, wish: Wish): Promise<Proposal | 'full'> {
  const { keyId, account: to, at } = wish;
  await sweepProposals(tx, at);
  const known = one(await linkOf(tx).rows(READ, [to, keyId]));
  if (known !== undefined) return proposalOf(known, at);
  const waiting = await linkOf(tx).rows(UNSIGNED, [to, expired(at)]);
  if (waiting.length >= UNSIGNED_PER_ACCOUNT_MAX) return 'full';
  await linkOf(tx).rows(UNSIGNED_ASK, cellsOf(wish));
  const [kept] = await linkOf(tx).rows(READ, [to, keyId]);
  if (kept === undefined) throw new Error('a proposal was kept');
  return proposalOf(kept, at);
}

/** Notes that `by`, a bound key of the account, signed for it; answers who has signed by now. */
export async function signForAccount(tx: Writer, wish: Wish, by: KeyId): Promise<Proposal> {
  const { at } = wish;
  await sweepProposals(tx, at);
  const values = cellsOf(wish, { accountSignedBy: by, accountSignedAt: at });
  return only(await linkOf(tx).rows(BY_ACCOUNT, values), at);
}

/** Notes that the new key itself signed; answers who has signed by now. */
export async function signForKey(tx: Writer, wish: Wish): Promise<Proposal> {
  const { at } = wish;
  await sweepProposals(tx, at);
  return only(await linkOf(tx).rows(BY_KEY, cellsOf(wish, { keySignedAt: at })), at);
}

/** Drops the signature for the account, of a key that was revoked or limited since. */
export async function takeBackForAccount(tx: Writer, { keyId, account: of }: Wish): Promise<void> {
  await linkOf(tx).rows(TAKE_BACK, [of, keyId]);
}

/** Other accounts that this key has signed for, while that counts. */
export async function accountsSignedFor(db: Reader, { keyId, account: but, at }: Wish) {
  return found(await linkOf(db).rows(COUNT_OF_KEY, [keyId, expired(at), but]));
}

/** Other keys that this account has signed for, while that counts. */
export async function keysSignedFor(db: Reader, { account: of, keyId: but, at }: Wish) {
  return found(await linkOf(db).rows(COUNT_OF_ACCOUNT, [of, expired(at), but]));
}

/** Live proposals of an account: those it signed first, then those keys signed, then the oldest. */
export async function proposalsOf(
  db: Reader,
  of: Account,
  at: Instant,
): Promise<readonly Proposal[]> {
  const old = expired(at);
  const rows = await db
    .knex<Row>('key_proposals')
    .where({ account: of })
    .whereNotExists(db.knex('key_homes').where('key_id', db.knex.ref('key_proposals.key_id')))
    .where((live) => {
      void live
        .where('proposed_at', '>', old)
        .orWhere('account_signed_at', '>', old)
        .orWhere('key_signed_at', '>', old);
    })
    .orderByRaw('account_signed_at IS NULL, key_signed_at IS NULL, proposed_at, key_id')
    .limit(PROPOSALS_LISTED_MAX);
  return rows.map((row) => proposalOf(row, at));
}

/** Drops that of a key that joined; other accounts' end with their day, and no list shows them. */
export async function forgetProposal(tx: Writer, keyId: KeyId, of: Account): Promise<void> {
  await linkOf(tx).rows(FORGET, [of, keyId]);
}

/** Drops what is older than a day in all its parts; answers how many. */
export async function sweepProposals(tx: Writer, at: Instant): Promise<number> {
  const old = expired(at);
  return (await linkOf(tx).rows(SWEEP, [old, old, old])).length;
}

function cellsOf({ keyId, account, label, at }: Wish, signed: Partial<Stored> = {}) {
  const asked = { keyId, account, label: label ?? null, proposedAt: at };
  return KEY_PROPOSALS.cells({ ...asked, ...signed });
}

function proposalOf(row: Row, now: Instant): Proposal {
  const stored = KEY_PROPOSALS.fromRow(row);
  const { accountSignedBy: by, accountSignedAt, keySignedAt, ...proposal } = stored;
  const live = (at: Instant | undefined): Instant | undefined =>
    at !== undefined && at > expired(now) ? at : undefined;
  const at = live(accountSignedAt);
  return {
    ...proposal,
    byAccount: by !== undefined && at !== undefined ? { keyId: by, at } : undefined,
    byKeyAt: live(keySignedAt),
  };
}

function only(rows: readonly Row[], at: Instant): Proposal {
  const [row] = rows;
  if (row === undefined) throw new Error('a proposal was kept');
  return proposalOf(row, at);
}

function found(rows: readonly Row[]): number {
  return rows[0] === undefined ? 0 : whole(rows[0], 'found');
}

function expired(at: Instant): Instant {
  return instant(at - PROPOSAL_KEPT_SECONDS * 1000);
}
