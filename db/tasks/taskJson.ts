import { atomic } from '../../domain/money.ts';
import type { BonusPayout, Conduct } from '../../domain/tasks/model.ts';
import * as column from '../columns.ts';
import type { Row } from '../connection.ts';

/** Columns of a task that hold JSON, both ways. */

export function payoutColumn(payout: BonusPayout | undefined): string | null {
  return payout === undefined ? null : JSON.stringify({ ...payout, amount: `${payout.amount}` });
}

export function payoutOf(row: Row): BonusPayout | undefined {
  const stored = written<Omit<BonusPayout, 'amount'> & { amount: string }>(row, 'payout');
  return stored && { ...stored, amount: atomic(BigInt(stored.amount)) };
}

export function jsonOrNull(value: unknown): string | null {
  return value === undefined ? null : JSON.stringify(value);
}

export function conductOf(row: Row): Conduct | undefined {
  const stored = written<Omit<Conduct, 'maxSpendAtomic'> & { maxSpendAtomic: string }>(
    row,
    'conduct',
  );
  return stored && { ...stored, maxSpendAtomic: atomic(BigInt(stored.maxSpendAtomic)) };
}

/** JSON that `fixedColumns` wrote from a value of this very type. */
export function written<T>(row: Row, name: string): T | undefined {
  return row[name] === null ? undefined : (column.json(row, name) as T);
}

export function texts(row: Row, name: string): readonly string[] {
  return written<readonly string[]>(row, name) ?? [];
}
