import type { Account } from '../../domain/account.ts';
import { atomic, type Atomic } from '../../domain/money.ts';
import { one, signed, whole } from '../columns.ts';
import {
  account as accountColumn,
  amount,
  integer,
  network,
  signedAmount,
  text,
} from '../batch/columns.ts';
import { lookup } from '../batch/lookup.ts';
import { linkOf, statement, type Reader } from '../connection.ts';
import type { Place } from './accounts.ts';

/** The balance of an account; nothing for one that never received. Amounts are atomic units. */
export interface AccountBalance {
  /** Below zero only for `external:*`. */
  readonly posted: bigint;
  readonly held: Atomic;
  readonly spendable: bigint;
  /** Sequence of the newest statement entry; 0 before the first. */
  readonly seq: number;
}
/** Sums the shards, of which only `hub:fees` has several. */
const BALANCE = statement(`SELECT CAST(coalesce(sum(posted), 0) AS TEXT) AS posted,
    CAST(coalesce(sum(held), 0) AS TEXT) AS held, coalesce(max(seq), 0) AS seq
  FROM accounts WHERE network = ? AND asset = ? AND name = ?`);
/** The same beside other rows. */
export const BALANCES = lookup('balances', {
  by: { account: accountColumn(), network: network(), asset: text() },
  found: { posted: signedAmount(), held: amount(), seq: integer() },
  sql: (key) => {
    const of = (what: string): string => `(SELECT coalesce(${what}, 0) FROM accounts
      WHERE network = ${key.network} AND asset = ${key.asset} AND name = ${key.account})`;
    return { posted: of('sum(posted)'), held: of('sum(held)'), seq: of('max(seq)') };
  },
});

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
