import type { Account } from '../../domain/account.ts';
import type { Instant } from '../../domain/instant.ts';
import type { Atomic } from '../../domain/money.ts';
import type { Place } from '../ledger/accounts.ts';
import * as column from '../columns.ts';
import { linkOf, statement, type Reader } from '../connection.ts';
import { oneOf } from './columns.ts';

/** Money that came in by a transfer of the ledger alone, without a row of its own. */
export interface IncomingEntry {
  readonly transferId: string;
  readonly reason: 'faucet' | 'issue' | 'x402.topup';
  readonly amount: Atomic;
  readonly memo: string | null;
  readonly at: Instant;
}

const NEWEST = 'ffffffff-ffff-ffff-ffff-ffffffffffff';
const PAGE = statement(`
  SELECT t.id, e.reason, e.delta, t.memo, e.at
  FROM accounts a JOIN entries e ON e.account_id = a.id JOIN transfers t ON t.seq = e.transfer_seq
  WHERE a.network = ? AND a.asset = ? AND a.name = ? AND e.kind = 'move' AND e.delta > 0
    AND e.reason IN ('faucet', 'issue', 'x402.topup') AND t.id < ?
  ORDER BY t.id DESC LIMIT ?`);

/** Newest first. */
export async function incomingEntries(
  db: Reader,
  account: Account,
  { network, asset }: Place,
  { limit, before = NEWEST }: { readonly limit: number; readonly before?: string | undefined },
): Promise<readonly IncomingEntry[]> {
  const rows = await linkOf(db).rows(PAGE, [network, asset, account, before, limit]);
  return rows.map((row) => ({
    transferId: column.text(row, 'id'),
    reason: oneOf(row, 'reason', ['faucet', 'issue', 'x402.topup']),
    amount: column.amount(row, 'delta'),
    memo: column.textOrNull(row, 'memo'),
    at: column.time(row, 'at'),
  }));
}
