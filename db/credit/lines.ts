import { strict as assert } from 'node:assert';
import type { Account } from '../../domain/account.ts';
import type { CreditLine } from '../../domain/credit.ts';
import type { NetworkId } from '../../domain/network.ts';
import { account, amount, moment, network } from '../batch/columns.ts';
import { table } from '../batch/table.ts';
import * as column from '../columns.ts';
import { linkOf, statement } from '../connection.ts';
import type { Writer } from '../connection.ts';
import { ACCOUNTS } from '../ledger/accountsTable.ts';

/** Earnings of borrowers. A transaction that lends, collects or calls a loan locks the line. */
export const CREDIT_LINES = table(
  'credit_lines',
  {
    account: account().key(),
    network: network().key(),
    earned: amount().guard(),
    defaultedAt: moment().guard().optional(),
  },
  { personal: { apart: 'computed from karma and loans' }, lock: 'first', after: [ACCOUNTS] },
);

const LOCK = statement(`
  INSERT INTO credit_lines (account, network, earned) VALUES (?, ?, 0)
  ON CONFLICT (account, network) DO UPDATE SET earned = credit_lines.earned
  RETURNING earned, defaulted_at`);

/** Locks the line until the unit ends. In the lock order it is before the loans and the ledger. */
export async function lockLine(
  tx: Writer,
  account: Account,
  network: NetworkId,
): Promise<CreditLine> {
  const row = column.one(await linkOf(tx).rows(LOCK, [account, network]));
  assert(row !== undefined, 'an upsert answers its row');
  const defaultedAt = column.timeOrNull(row, 'defaulted_at');
  return {
    earned: column.amount(row, 'earned'),
    ...(defaultedAt !== null && { defaultedAt }),
  };
}
