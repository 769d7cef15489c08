import type { Account } from '../../domain/account.ts';
import type { Payments } from '../../domain/returned.ts';
import * as column from '../columns.ts';
import { linkOf, statement, type Reader } from '../connection.ts';
import { IN_LIST } from '../inList.ts';

/** Accounts that one search visits, and the newest payments of each that it reads. */
const ACCOUNTS_MAX = 1_000;
const PAYMENTS_EACH = 500;

const SPENT = (given: string): string => `
  SELECT a.name AS payer, e.counterparty AS payee, CAST(sum(-e.delta) AS TEXT) AS amount
    FROM accounts a JOIN networks n ON n.id = a.network AND n.kind = 'real'
      JOIN entries e ON e.account_id = a.id
   WHERE a.name ${given} AND e.kind = 'move' AND e.delta < 0 AND e.at > ?
     AND e.account_seq > a.seq - ${PAYMENTS_EACH} AND e.counterparty LIKE 'key:%'
   GROUP BY a.name, e.counterparty`;
const SPENT_BY = statement(SPENT(IN_LIST.sqlite), SPENT(IN_LIST.postgres));
const RECEIVED = statement(`
  SELECT e.counterparty AS payer, CAST(sum(e.delta) AS TEXT) AS amount
    FROM accounts a JOIN networks n ON n.id = a.network AND n.kind = 'real'
      JOIN entries e ON e.account_id = a.id
   WHERE a.name = ? AND e.kind = 'move' AND e.delta > 0 AND e.at > ?
     AND e.account_seq > a.seq - 5000 AND e.counterparty LIKE 'key:%'
   GROUP BY e.counterparty`);

/** Real money that accounts paid to an account since a moment. */
export async function receivedBy(
  db: Reader,
  account: Account,
  since: number,
): Promise<ReadonlyMap<Account, number>> {
  const rows = await linkOf(db).rows(RECEIVED, [account, since]);
  return new Map(
    rows.map((row) => [column.account(row, 'payer'), Number(column.signed(row, 'amount'))]),
  );
}

/** Payments of real money that money of an account may have gone on with, level by level. */
export async function paymentsFrom(db: Reader, account: Account, since: number): Promise<Payments> {
  const payments = new Map<string, Map<string, number>>();
  let next: readonly string[] = [account];
  while (next.length > 0 && payments.size < ACCOUNTS_MAX) {
    for (const payer of next) payments.set(payer, new Map());
    const reached = new Set<string>();
    for (const row of await linkOf(db).rows(SPENT_BY, [next, since])) {
      const [payer, payee] = [column.text(row, 'payer'), column.text(row, 'payee')];
      payments.get(payer)?.set(payee, Number(column.signed(row, 'amount')));
      if (!payments.has(payee)) reached.add(payee);
    }
    next = [...reached].slice(0, ACCOUNTS_MAX - payments.size);
  }
  return payments;
}
