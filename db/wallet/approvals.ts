import type { Account, KeyId } from '../../domain/account.ts';
import { plus, seconds, type Instant } from '../../domain/instant.ts';
import type { Atomic } from '../../domain/money.ts';
import { account, amount, json, keyId, moment, network, oneOf, text } from '../batch/columns.ts';
import { table, type RowIn } from '../batch/table.ts';
import { lockApiKeys } from '../advisoryLocks.ts';
import * as column from '../columns.ts';
import { linkOf, statement, type Reader, type Writer } from '../connection.ts';
import { SWEEP_ROWS_MAX } from '../sweep.ts';
import { KEY_POLICIES } from './policies.ts';

/** Calls of keys that wait for an approval (choices wallet.policies); one row for each very call. */
export const KEY_APPROVALS = table(
  'key_approvals',
  {
    account: account().key(),
    keyId: keyId().key(),
    digest: text().key(),
    id: text().fixed(),
    operation: text().fixed(),
    request: json<Readonly<Record<string, unknown>>>().fixed(),
    amount: amount().fixed(),
    network: network().fixed(),
    state: oneOf(['open', 'approved', 'rejected', 'used']).guard(),
    askedAt: moment().fixed(),
    expiresAt: moment().fixed(),
    decidedAt: moment().optional(),
    decidedBy: keyId().optional(),
  },
  { personal: { apart: 'calls that lapse in a day' }, use: 'update', under: [KEY_POLICIES] },
);
export type Approval = RowIn<typeof KEY_APPROVALS>;

const APPROVAL_KEPT_SECONDS = seconds(86_400);
/** Open ones of a key; more are refused without a pending action. */
const OPEN_APPROVALS_MAX = 20;
const LISTED_MAX = 200;

const ALL = KEY_APPROVALS.columns.join(', ');
const OF_CALL_TEXT = `SELECT ${ALL} FROM key_approvals
  WHERE account = ? AND key_id = ? AND digest = ?`;
const OF_CALL = statement(OF_CALL_TEXT, `${OF_CALL_TEXT} FOR UPDATE`);
const OPEN = statement(`SELECT count(*) AS open FROM key_approvals
  WHERE account = ? AND key_id = ? AND state = 'open' AND expires_at > ?`);
const WITHDRAW = statement(`DELETE FROM key_approvals WHERE account = ? AND id = ?`);
const SET_ASIDE = statement(`UPDATE key_approvals SET digest = digest || ' ' || id
  WHERE account = ? AND id = ?`);
const INSERT =
  statement(`INSERT INTO key_approvals (account, key_id, digest, id, operation, request,
  amount, network, state, asked_at, expires_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, 'open', ?, ?)`);
const LIST = statement(`SELECT ${ALL} FROM key_approvals WHERE account = ? AND expires_at > ?
  ORDER BY asked_at DESC, id LIMIT ${LISTED_MAX}`);
const BY_ID = statement(`SELECT ${ALL} FROM key_approvals
  WHERE account = ? AND id = ? AND expires_at > ?`);
const DECIDE = statement(`UPDATE key_approvals SET state = ?, decided_at = ?, decided_by = ?
  WHERE account = ? AND id = ? AND state = ? RETURNING ${ALL}`);
const CANCEL =
  statement(`UPDATE key_approvals SET state = 'rejected', decided_at = ?, decided_by = ?
  WHERE account = ? AND key_id = ? AND state IN ('open', 'approved')`);
const SWEEP = statement(`DELETE FROM key_approvals WHERE (account, key_id, digest) IN (
  SELECT account, key_id, digest FROM key_approvals WHERE expires_at < ?
  ORDER BY expires_at LIMIT ${SWEEP_ROWS_MAX}) RETURNING 1 AS gone`);

export interface Asked {
  readonly account: Account;
  readonly keyId: KeyId;
  readonly digest: string;
  readonly id: string;
  readonly operation: string;
  /** JSON text. */
  readonly request: string;
  readonly amount: Atomic;
  readonly network: string;
  readonly at: Instant;
  /** The decided approval that the refused transaction found, and could not use. */
  readonly seen?: string;
}

/**
 * Stores a call, or returns the row of it that counts already: it waits, was rejected, or was decided
 * after the transaction was refused. Undefined when too many wait. A row that was decided stays as it
 * is beside the new one, so that its owner sees who decided it and when.
 */
export async function askApproval(
  tx: Writer,
  asked: Asked,
): Promise<{ readonly approval: Approval; readonly isNew: boolean } | undefined> {
  const link = linkOf(tx);
  const { account, keyId, digest, at } = asked;
  await lockApiKeys(tx, account);
  const found = column.one(await link.rows(OF_CALL, [account, keyId, digest]));
  const known = found && KEY_APPROVALS.fromRow(found);
  if (known !== undefined && stillCounts(known, asked)) {
    return { approval: known, isNew: false };
  }
  const count = column.one(await link.rows(OPEN, [account, keyId, at]));
  if (count !== undefined && Number(count['open']) >= OPEN_APPROVALS_MAX) return undefined;
  if (known !== undefined) {
    await link.rows(known.state === 'open' ? WITHDRAW : SET_ASIDE, [account, known.id]);
  }
  const expiresAt = plus(at, APPROVAL_KEPT_SECONDS);
  const { id, operation, request, amount: most, network: on } = asked;
  const values = [account, keyId, digest, id, operation, request, Number(most), on, at, expiresAt];
  await link.rows(INSERT, values);
  const row = column.one(await link.rows(OF_CALL, [account, keyId, digest]));
  return row && { approval: KEY_APPROVALS.fromRow(row), isNew: true };
}

/** One that asks for less than the call takes now gives way, and so does one that was of no use. */
function stillCounts({ id, state, amount, expiresAt }: Approval, asked: Asked): boolean {
  if (expiresAt <= asked.at) return false;
  switch (state) {
    case 'rejected':
      return true;
    case 'open':
      return amount >= asked.amount;
    case 'approved':
      return amount >= asked.amount && id !== asked.seen;
    case 'used':
      return id !== asked.seen;
  }
}

/** The calls of an account that have not lapsed, newest first. */
export async function approvalsOf(
  db: Reader,
  account: Account,
  now: Instant,
): Promise<readonly Approval[]> {
  const rows = await linkOf(db).rows(LIST, [account, now]);
  return rows.map((row) => KEY_APPROVALS.fromRow(row));
}

export async function approvalOf(
  db: Reader,
  account: Account,
  id: string,
  now: Instant,
): Promise<Approval | undefined> {
  const row = column.one(await linkOf(db).rows(BY_ID, [account, id, now]));
  return row && KEY_APPROVALS.fromRow(row);
}

/** Decides it if its state is still the one that was read; undefined otherwise. */
export async function decideApproval(
  tx: Writer,
  { account, id, state: was }: Approval,
  {
    state,
    at,
    by,
  }: { readonly state: Approval['state']; readonly at: Instant; readonly by: KeyId },
): Promise<Approval | undefined> {
  const row = column.one(await linkOf(tx).rows(DECIDE, [state, at, by, account, id, was]));
  return row && KEY_APPROVALS.fromRow(row);
}

/** Rejects what waits or is approved, of a key that was revoked. */
export async function cancelApprovals(
  tx: Writer,
  { account, keyId, at, by }: Pick<Approval, 'account' | 'keyId'> & { at: Instant; by: KeyId },
): Promise<void> {
  await linkOf(tx).rows(CANCEL, [at, by, account, keyId]);
}

export async function sweepApprovals(tx: Writer, now: Instant): Promise<number> {
  return (await linkOf(tx).rows(SWEEP, [now])).length;
}
