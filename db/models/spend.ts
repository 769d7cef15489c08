import type { Account } from '../../domain/account.ts';
import type { Instant } from '../../domain/instant.ts';
import { ZERO, type Atomic } from '../../domain/money.ts';
import type { NetworkId } from '../../domain/network.ts';
import * as column from '../columns.ts';
import { linkOf, statement, type Reader, type Writer } from '../connection.ts';

/** Whose day is counted: what is held counts until it is back. */
export interface SpendDay {
  /** The day's first instant. */
  readonly day: Instant;
  /** An account, or everybody. */
  readonly payer: Account | typeof EVERYBODY;
  readonly network: NetworkId;
}
export const EVERYBODY = 'everybody';

/** Amounts by UTC day and payer, each below a ceiling. */
export interface DayBook {
  /** Counts an amount in when the ceiling has room for it; false when it has not. */
  add(tx: Writer, of: SpendDay, amount: Atomic, ceiling: Atomic): Promise<boolean>;
  /** Counts out what came back. */
  less(tx: Writer, of: SpendDay, amount: Atomic): Promise<void>;
  read(db: Reader, of: SpendDay): Promise<Atomic>;
}

/** What was spent on model calls, and what the hub bore of those that a paid service made. */
export const SPEND = dayBook('model_spend');
export const BORNE = dayBook('model_borne');

function dayBook(table: string): DayBook {
  const BEGIN = statement(`INSERT INTO ${table} (day, payer, network, amount)
    VALUES (?, ?, ?, 0) ON CONFLICT (day, payer, network) DO NOTHING`);
  const ADD = statement(`UPDATE ${table} SET amount = amount + ?
    WHERE day = ? AND payer = ? AND network = ? AND amount + ? <= ? RETURNING 1 AS added`);
  const LESS = statement(`UPDATE ${table} SET amount = amount - ?
    WHERE day = ? AND payer = ? AND network = ?`);
  const READ = statement(`SELECT amount FROM ${table}
    WHERE day = ? AND payer = ? AND network = ?`);
  return {
    async add(tx, { day, payer, network }, amount, ceiling) {
      const link = linkOf(tx);
      const key = [day, payer, network];
      await link.rows(BEGIN, key);
      // Numbers, since SQLite takes a text for larger than any number; both are below 2^53.
      const [more, most] = [Number(amount), Number(ceiling)];
      return (await link.rows(ADD, [more, ...key, more, most])).length > 0;
    },
    async less(tx, { day, payer, network }, amount) {
      if (amount === ZERO) return;
      await linkOf(tx).rows(LESS, [Number(amount), day, payer, network]);
    },
    async read(db, { day, payer, network }) {
      const row = column.one(await linkOf(db).rows(READ, [day, payer, network]));
      return row === undefined ? ZERO : column.amount(row, 'amount');
    },
  };
}
