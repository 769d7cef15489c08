import type { Account } from '../../domain/account.ts';
import type { Instant } from '../../domain/instant.ts';
import type { Atomic } from '../../domain/money.ts';
import { atomic } from '../../domain/money.ts';
import * as column from '../columns.ts';
import { linkOf, statement } from '../connection.ts';
import type { Reader } from '../connection.ts';

/** The ledger's entries on a task's money; never stored a second time. */
export interface TaskMoney {
  readonly kind: 'hold' | 'release' | 'paid';
  readonly event: string;
  readonly reason: string;
  readonly account: Account;
  readonly amount: Atomic;
  readonly at: Instant;
  readonly transferId: string;
}

const ENTRIES = statement(`
  SELECT entries.kind, entries.reason, entries.delta, accounts.name, transfers.at, transfers.id,
         transfers.event
    FROM task_events
    JOIN transfers ON transfers.id = task_events.transfer_id
    JOIN entries ON entries.transfer_seq = transfers.seq
    JOIN accounts ON accounts.id = entries.account_id
   WHERE task_events.task_id = ? AND (entries.kind <> 'move' OR entries.delta > 0)
   ORDER BY transfers.seq, entries.account_id, entries.account_seq`);

export async function moneyOfTask(db: Reader, taskId: string): Promise<readonly TaskMoney[]> {
  const rows = await linkOf(db).rows(ENTRIES, [taskId]);
  return rows.map((row) => {
    const kind = column.text(row, 'kind');
    const delta = column.signed(row, 'delta');
    return {
      kind: kind === 'hold' ? 'hold' : kind === 'release' ? 'release' : 'paid',
      event: column.text(row, 'event'),
      reason: column.text(row, 'reason'),
      account: column.account(row, 'name'),
      amount: atomic(delta < 0n ? -delta : delta),
      at: column.time(row, 'at'),
      transferId: column.text(row, 'id'),
    };
  });
}
