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

const READ = statement(`SELECT amount FROM model_spend
  WHERE day = ? AND payer = ? AND network = ?`);

/** What was spent on model calls; declared units write it (`MODEL_SPEND`). */
export async function spendOf(db: Reader, { day, payer, network }: SpendDay): Promise<Atomic> {
  const row = column.one(await linkOf(db).rows(READ, [day, payer, network]));
  return row === undefined ? ZERO : column.amount(row, 'amount');
}

const BEGIN = statement(`INSERT INTO model_borne (day, payer, network, amount)
  VALUES (?, ?, ?, 0) ON CONFLICT (day, payer, network) DO NOTHING`);
const ADD = statement(`UPDATE model_borne SET amount = amount + ?
  WHERE day = ? AND payer = ? AND network = ? AND amount + ? <= ? RETURNING 1 AS added`);
const LESS = statement(`UPDATE model_borne SET amount = amount - ?
  WHERE day = ? AND payer = ? AND network = ?`);

/** Counts an amount as borne by the hub when the quota has room for it; false when it has not. */
export async function addBorne(
  tx: Writer,
  { day, payer, network }: SpendDay,
  amount: Atomic,
  quota: Atomic,
): Promise<boolean> {
  const link = linkOf(tx);
  const key = [day, payer, network];
  await link.rows(BEGIN, key);
  // Numbers, since SQLite takes a text for larger than any number; both are below 2^53.
  const [more, most] = [Number(amount), Number(quota)];
  return (await link.rows(ADD, [more, ...key, more, most])).length > 0;
}

/** Counts out what the hub did not bear in the end. */
export async function lessBorne(
  tx: Writer,
  { day, payer, network }: SpendDay,
  amount: Atomic,
): Promise<void> {
  if (amount === ZERO) return;
  await linkOf(tx).rows(LESS, [Number(amount), day, payer, network]);
}
