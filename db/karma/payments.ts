import type { Account } from '../../domain/account.ts';
import type { Payments } from '../../domain/returned.ts';
import * as column from '../columns.ts';
import { linkOf, statement, type Reader, type Statement } from '../connection.ts';
import { IN_LIST } from '../inList.ts';

/** Accounts that one search visits, and the newest entries of each that it reads. */
const ACCOUNTS_MAX = 1_000;
const ENTRIES_EACH = 500;
/** For the account itself, in both directions: it could hide its own payments under small ones. */
const ENTRIES_OF_SUBJECT = 5_000;
/** A pot with more entries is not followed: its winners could be misjudged by what is not read. */
const POT_ENTRIES_MAX = 20_000;

const OF_REAL = `FROM accounts a JOIN networks n ON n.id = a.network AND n.kind = 'real'
      JOIN entries e ON e.account_id = a.id`;

/**
 * Sums of payments between accounts, and of losses to pots: all that was put in, without what came
 * out and without what the pot still has, since that may be theirs.
 */
const SPENT = (given: string): string => `
  SELECT payer, payee, CAST(sum(paid) - max(left_over) AS TEXT) AS amount FROM (
    SELECT a.name AS payer, e.counterparty AS payee, -e.delta AS paid,
        CASE WHEN e.counterparty LIKE 'hub:pot:%' THEN coalesce((SELECT p.posted FROM accounts p
          WHERE p.name = e.counterparty AND p.network = a.network AND p.asset = a.asset
            AND p.shard = 0), 0) ELSE 0 END AS left_over
      ${OF_REAL}
     WHERE a.name ${given} AND e.kind = 'move' AND e.at > ?
       AND e.account_seq > a.seq - CAST(? AS BIGINT)
       AND (e.counterparty LIKE 'hub:pot:%' OR (e.delta < 0
         AND (e.counterparty LIKE 'key:%' OR e.counterparty LIKE 'evm:%')))) AS moves
   GROUP BY payer, payee HAVING sum(paid) > max(left_over)`;
const SPENT_BY = statement(SPENT(IN_LIST.sqlite), SPENT(IN_LIST.postgres));
/** Sums that accounts won from pots: all that came out without all that they ever put in. */
const WON = (given: string): string => `
  SELECT a.name AS payer, e.counterparty AS payee, CAST(sum(-e.delta) AS TEXT) AS amount
    ${OF_REAL}
   WHERE a.name ${given} AND e.kind = 'move' AND a.seq <= ${POT_ENTRIES_MAX}
     AND e.counterparty NOT LIKE 'hub:%'
   GROUP BY a.name, e.counterparty HAVING sum(-e.delta) > 0`;
const WON_OF = statement(WON(IN_LIST.sqlite), WON(IN_LIST.postgres));
const RECEIVED = statement(`
  SELECT e.counterparty AS payer, CAST(sum(e.delta) AS TEXT) AS amount
    ${OF_REAL}
   WHERE a.name = ? AND e.kind = 'move' AND e.delta > 0 AND e.at > ?
     AND e.account_seq > a.seq - ${ENTRIES_OF_SUBJECT}
     AND (e.counterparty LIKE 'key:%' OR e.counterparty LIKE 'hub:pot:%')
   GROUP BY e.counterparty`);

const isPot = (name: string): boolean => name.startsWith('hub:pot:');

/** Real money that accounts paid to an account since a moment, and that it won from pots. */
export async function receivedBy(
  db: Reader,
  account: Account,
  since: number,
): Promise<ReadonlyMap<string, number>> {
  const rows = await linkOf(db).rows(RECEIVED, [account, since]);
  const received = new Map(
    rows.map((row) => [column.text(row, 'payer'), Number(column.signed(row, 'amount'))]),
  );
  const pots = [...received.keys()].filter(isPot);
  for (const pot of pots) received.delete(pot);
  for (const { payer, payee, amount } of await edges(db, WON_OF, [pots])) {
    if (payee === account) received.set(payer, amount);
  }
  return received;
}

/**
 * Payments of real money that money of an account may have gone on with, level by level. Pots of
 * markets and tables are followed like accounts.
 */
export async function paymentsFrom(db: Reader, account: Account, since: number): Promise<Payments> {
  const payments = new Map<string, Map<string, number>>();
  let next: readonly string[] = [account];
  while (next.length > 0 && payments.size < ACCOUNTS_MAX) {
    for (const payer of next) payments.set(payer, new Map());
    const others = next.filter((name) => !isPot(name));
    const each = next.includes(account) ? ENTRIES_OF_SUBJECT : ENTRIES_EACH;
    const found = [
      ...(await edges(db, SPENT_BY, [others, since, each])),
      ...(await edges(db, WON_OF, [next.filter(isPot)])),
    ];
    const reached = new Set<string>();
    for (const { payer, payee, amount } of found) {
      payments.get(payer)?.set(payee, amount);
      if (!payments.has(payee)) reached.add(payee);
    }
    next = [...reached].slice(0, ACCOUNTS_MAX - payments.size);
  }
  return payments;
}

interface Edge {
  readonly payer: string;
  readonly payee: string;
  readonly amount: number;
}

async function edges(
  db: Reader,
  query: Statement,
  [names, ...rest]: readonly [readonly string[], ...number[]],
): Promise<readonly Edge[]> {
  if (names.length === 0) return [];
  return (await linkOf(db).rows(query, [names, ...rest])).map((row) => ({
    payer: column.text(row, 'payer'),
    payee: column.text(row, 'payee'),
    amount: Number(column.signed(row, 'amount')),
  }));
}
