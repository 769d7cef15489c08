import type { Account } from '../../domain/account.ts';
import { ZERO, type Atomic } from '../../domain/money.ts';
import { account, amount, integer, keyId, moment, network, text } from '../batch/columns.ts';
import { table, type RowIn } from '../batch/table.ts';
import * as column from '../columns.ts';
import { linkOf, statement, type Reader, type Writer } from '../connection.ts';
import { ACCOUNTS } from '../ledger/accountsTable.ts';
import { MODEL_CALLS } from './calls.ts';

/** Stands for all payers together. */
export const EVERYBODY = 'everybody';

/** The model spending of a day, of an account or of all accounts; `day` is its first instant. */
export const MODEL_SPEND = table(
  'model_spend',
  {
    day: moment().key(),
    payer: text<Account | typeof EVERYBODY>().key(),
    network: network().key(),
    amount: amount().guard(),
  },
  {
    personal: { apart: 'sums of calls of models' },
    under: [MODEL_CALLS],
    after: [ACCOUNTS],
    remembered: 'rows',
  },
);

/** The most that accounts set for a day; the usual ceiling counts where there is none. */
export const MODEL_CEILINGS = table(
  'model_ceilings',
  {
    account: account().key(),
    perDay: amount().optional(),
    setBy: keyId(),
    setAt: moment(),
    revision: integer().guard(),
  },
  {
    personal: { owner: 'account', order: ['account'] },
    under: [MODEL_SPEND],
    remembered: 'rows',
  },
);

const CEILING = statement('SELECT per_day FROM model_ceilings WHERE account = ?');

/** The ceiling that an account set; undefined where the usual one counts. */
export async function ceilingOf(db: Reader, of: Account): Promise<Atomic | undefined> {
  const row = column.one(await linkOf(db).rows(CEILING, [of]));
  return row === undefined || row['per_day'] === null ? undefined : column.amount(row, 'per_day');
}

/** Whose day is counted: what is held counts until it is back. */
export type SpendDay = Omit<RowIn<typeof MODEL_SPEND>, 'amount'>;

const READ = statement(`SELECT amount FROM model_spend
  WHERE day = ? AND payer = ? AND network = ?`);

export async function spendOf(db: Reader, { day, payer, network }: SpendDay): Promise<Atomic> {
  const row = column.one(await linkOf(db).rows(READ, [day, payer, network]));
  return row === undefined ? ZERO : column.amount(row, 'amount');
}

/** The part of a day's model spending that the hub bears itself. */
export const MODEL_BORNE = table(
  'model_borne',
  {
    day: moment().key(),
    payer: text<Account | typeof EVERYBODY>().key(),
    network: network().key(),
    amount: amount(),
  },
  { use: 'single', personal: { apart: 'sums of calls of models' } },
);

const BEGIN = statement(`${MODEL_BORNE.insertion}
  ON CONFLICT (day, payer, network) DO NOTHING`);
const ADD = statement(`UPDATE model_borne SET amount = amount + ?
  WHERE day = ? AND payer = ? AND network = ? AND amount + ? <= ? RETURNING 1 AS added`);
const LESS = statement(`UPDATE model_borne SET amount = amount - ?
  WHERE day = ? AND payer = ? AND network = ?`);

/** Counts an amount as borne by the hub when the quota has room for it; false when it has not. */
export async function addBorne(
  tx: Writer,
  { day, payer, network }: SpendDay,
  by: Atomic,
  quota: Atomic,
): Promise<boolean> {
  const link = linkOf(tx);
  const key = [day, payer, network];
  await link.rows(BEGIN, MODEL_BORNE.cells({ day, payer, network, amount: ZERO }));
  // Numbers, since SQLite takes a text for larger than any number; both are below 2^53.
  const [more, most] = [Number(by), Number(quota)];
  return (await link.rows(ADD, [more, ...key, more, most])).length > 0;
}

/** Counts out what the hub did not bear in the end. */
export async function lessBorne(
  tx: Writer,
  { day, payer, network }: SpendDay,
  by: Atomic,
): Promise<void> {
  if (by === ZERO) return;
  await linkOf(tx).rows(LESS, [Number(by), day, payer, network]);
}
