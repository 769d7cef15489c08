import type { Account } from '../../domain/account.ts';
import type { Instant } from '../../domain/instant.ts';
import type { TransferId } from '../../domain/ledger/transfer.ts';
import { WELCOME_JOBS, WELCOME_SITE_DAY_MAX } from '../../domain/tasks/limits.ts';
import { account, integer, moment, text } from '../batch/columns.ts';
import { lookup } from '../batch/lookup.ts';
import { table } from '../batch/table.ts';
import * as column from '../columns.ts';
import { linkOf, statement } from '../connection.ts';
import type { Reader, Writer } from '../connection.ts';
import { TRANSFERS } from '../ledger/ledgerTables.ts';
import { PARTY_OF, partyOf } from './links.ts';

/** An account is queued for the welcome bonus once, so it gets one (choices bonuses.welcome). */
export interface WelcomeGrant {
  readonly queuedAt: Instant;
  readonly paid?: { readonly at: Instant; readonly transferId: string };
}

const READ = statement('SELECT * FROM welcome_grants WHERE account = ?');

export async function welcomeGrant(db: Reader, of: Account): Promise<WelcomeGrant | undefined> {
  const row = column.one(await linkOf(db).rows(READ, [of]));
  if (row === undefined) return undefined;
  const { queuedAt, paidAt: at, transferId } = WELCOME_GRANTS.fromRow(row);
  const isPaid = at !== undefined && transferId !== undefined;
  return { queuedAt, ...(isPaid && { paid: { at, transferId } }) };
}

export const WELCOME_GRANTS = table(
  'welcome_grants',
  {
    account: account().key(),
    site: text().fixed(),
    queuedAt: moment().fixed(),
    paidAt: moment().optional(),
    transferId: text().optional(),
  },
  { personal: { apart: 'in the books' }, after: [TRANSFERS] },
);

/** Accounts that passed their trial and do not stand in the line of the welcome bonus yet. */
export const BEFORE_WELCOME = lookup('before_welcome', {
  by: { account: account() },
  found: { site: text() },
  sql: (key) => ({
    site: `(SELECT site FROM trials WHERE account = ${key.account} AND passed_at IS NOT NULL)`,
  }),
  where: (key) => `
    EXISTS (SELECT 1 FROM trials WHERE account = ${key.account} AND passed_at IS NOT NULL)
    AND NOT EXISTS (SELECT 1 FROM welcome_grants WHERE account = ${key.account})`,
});

const HEAD = statement(`
  SELECT account FROM welcome_grants AS waiting
   WHERE paid_at IS NULL AND ${WELCOME_SITE_DAY_MAX} > (
     SELECT COUNT(*) FROM welcome_grants AS had
      WHERE had.site = waiting.site AND had.paid_at >= ?)
   ORDER BY queued_at, account LIMIT 1`);

/** Who is next: first come, unless its site had as many as a site has in a day. */
export async function nextWelcome(tx: Writer, day: Instant): Promise<Account | undefined> {
  const row = column.one(await linkOf(tx).rows(HEAD, [day]));
  return row && column.account(row, 'account');
}

const DROP = statement('DELETE FROM welcome_grants WHERE account = ? AND paid_at IS NULL');

export async function dropWelcome(tx: Writer, of: Account): Promise<void> {
  await linkOf(tx).rows(DROP, [of]);
}

const PAID = statement('UPDATE welcome_grants SET paid_at = ?, transfer_id = ? WHERE account = ?');
const COUNT = statement('UPDATE welcome_days SET paid = paid + 1 WHERE day = ?');

export async function keepWelcome(
  tx: Writer,
  grant: {
    readonly account: Account;
    readonly day: Instant;
    readonly at: Instant;
    readonly transferId: TransferId;
  },
): Promise<void> {
  const { account: of, day, at, transferId } = grant;
  await linkOf(tx).rows(PAID, [at, transferId, of]);
  await linkOf(tx).rows(COUNT, [day]);
}

export const WELCOME_DAYS = table(
  'welcome_days',
  { day: moment().key(), paid: integer() },
  { use: 'single', personal: { apart: 'about no account' } },
);

const LOCK_DAY = statement(`
  ${WELCOME_DAYS.insertion} ON CONFLICT (day) DO UPDATE SET paid = welcome_days.paid RETURNING paid`);

/** Bonuses paid that day; processes take turns on the row, so they never overrun the budget. */
export async function lockWelcomeDay(tx: Writer, day: Instant): Promise<number> {
  const row = column.one(await linkOf(tx).rows(LOCK_DAY, WELCOME_DAYS.cells({ day, paid: 0 })));
  if (row === undefined) throw new Error('an upsert answers its row');
  return column.whole(row, 'paid');
}

const DAY = statement('SELECT paid FROM welcome_days WHERE day = ?');

export async function welcomesOn(db: Reader, day: Instant): Promise<number> {
  const row = column.one(await linkOf(db).rows(DAY, [day]));
  return row === undefined ? 0 : column.whole(row, 'paid');
}

/** Accepted work on test networks; one that is disputed counts again once its acceptance stands. */
const JOBS_OF = (worker: string): string => `
  FROM attempts
    JOIN tasks ON tasks.id = attempts.task_id
    JOIN networks ON networks.id = tasks.network
   WHERE attempts.worker = ${worker} AND attempts.payee = attempts.worker
     AND attempts.state = 'accepted'
     AND tasks.state IN ('accepted', 'paid') AND networks.kind = 'test'`;
const JOBS = statement(
  `SELECT tasks.id ${JOBS_OF('?')} AND tasks.requester NOT IN (SELECT value FROM json_each(?))
   ORDER BY tasks.id LIMIT ?`,
  `SELECT tasks.id ${JOBS_OF('?')} AND tasks.requester <> ALL(?) ORDER BY tasks.id LIMIT ?`,
);

/** How many jobs an account did for accounts that are not linked to it, without one task. */
export const OTHER_JOBS = lookup('other_jobs', {
  by: { account: account(), but: text() },
  found: { count: integer() },
  sql: (key) => ({
    count: `(SELECT count(*) FROM (SELECT 1 ${JOBS_OF(key.account)} AND tasks.id <> ${key.but}
      AND tasks.requester <> ${key.account}
      AND tasks.requester NOT IN (${PARTY_OF(`substr(${key.account}, 5)`, key.account)})
      LIMIT ${WELCOME_JOBS}) AS jobs)`,
  }),
});

/** Accepted rewarded work of the account for requesters not linked to it, oldest first. */
export async function jobsForOthers(
  db: Reader,
  of: Account,
  limit: number,
): Promise<readonly string[]> {
  const party = await partyOf(db, of);
  const rows = await linkOf(db).rows(JOBS, [of, party, limit]);
  return rows.map((row) => column.text(row, 'id'));
}
