import type { Account } from '../../domain/account.ts';
import type { HoldKind } from '../../domain/ledger/reasons.ts';
import { commitmentId, type CommitmentId, type Ref } from '../../domain/ledger/transfer.ts';
import type { Instant } from '../../domain/instant.ts';
import { atomic, type Atomic } from '../../domain/money.ts';
import { amount, one, signed, text, time, timeOrNull, whole } from '../columns.ts';
import { linkOf, statement, type Reader } from '../connection.ts';
import { holdKind, type Place } from './accounts.ts';

/** Commitments shown one by one; a balance with more of them shows the newest. */
export const HOLDS_LISTED_MAX = 500;

/** The balance of an account; nothing for one that never received. Amounts are atomic units. */
export interface AccountBalance {
  /** Below zero only for `external:*`. */
  readonly posted: bigint;
  readonly held: Atomic;
  readonly spendable: bigint;
  /** Sequence of the newest statement entry; 0 before the first. */
  readonly seq: number;
}
export interface HeldFor {
  readonly commitment: CommitmentId;
  readonly kind: HoldKind;
  readonly ref: Ref;
  /** The amount that remains of it. */
  readonly amount: Atomic;
  readonly since: Instant;
  readonly expiresAt?: Instant;
}

/** Sums the shards, of which only `hub:fees` has several. */
const BALANCE = statement(`SELECT CAST(coalesce(sum(posted), 0) AS TEXT) AS posted,
    CAST(coalesce(sum(held), 0) AS TEXT) AS held, coalesce(max(seq), 0) AS seq
  FROM accounts WHERE network = ? AND asset = ? AND name = ?`);
const HOLDS = statement(`SELECT c.id, c.kind, c.ref_kind, c.ref_id, c.remaining, c.opened_at,
    c.expires_at
  FROM commitments c JOIN accounts a ON a.id = c.account_id
  WHERE a.network = ? AND a.asset = ? AND a.name = ? AND c.state = 'open'
  ORDER BY c.opened_at DESC, c.id DESC LIMIT ${HOLDS_LISTED_MAX}`);

export async function balance(
  db: Reader,
  account: Account,
  { network, asset }: Place,
): Promise<AccountBalance> {
  const row = one(await linkOf(db).rows(BALANCE, [network, asset, account]));
  if (row === undefined) throw new Error('a sum has a row');
  const posted = signed(row, 'posted');
  const held = atomic(signed(row, 'held'));
  return { posted, held, spendable: posted - held, seq: whole(row, 'seq') };
}

/** Open commitments of an account, newest first. */
export async function holds(
  db: Reader,
  account: Account,
  { network, asset }: Place,
): Promise<readonly HeldFor[]> {
  const rows = await linkOf(db).rows(HOLDS, [network, asset, account]);
  return rows.map((row) => {
    const expiresAt = timeOrNull(row, 'expires_at');
    return {
      commitment: commitmentId(text(row, 'id')),
      kind: holdKind(row, 'kind'),
      ref: { kind: text(row, 'ref_kind'), id: text(row, 'ref_id') },
      amount: amount(row, 'remaining'),
      since: time(row, 'opened_at'),
      ...(expiresAt !== null && { expiresAt }),
    };
  });
}
