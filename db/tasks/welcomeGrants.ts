import type { Account } from '../../domain/account.ts';
import type { Instant } from '../../domain/instant.ts';
import type { TransferId } from '../../domain/ledger/transfer.ts';
import { WELCOME_SITE_DAY_MAX } from '../../domain/task/limits.ts';
import * as column from '../columns.ts';
import { linkOf, statement } from '../connection.ts';
import type { Reader, Writer } from '../connection.ts';
import { partyOf } from './links.ts';

/**
 * Who waits for the welcome bonus and who had it. An account stands in the queue once, for ever, so
 * the bonus is once per account (choices bonuses.welcome).
 */
export interface WelcomeGrant {
  readonly queuedAt: Instant;
  readonly paid?: { readonly at: Instant; readonly transferId: string };
}

const READ = statement('SELECT * FROM welcome_grants WHERE account = ?');

export async function welcomeGrant(
  db: Reader,
  account: Account,
): Promise<WelcomeGrant | undefined> {
  const row = column.one(await linkOf(db).rows(READ, [account]));
  if (row === undefined) return undefined;
  const paidAt = column.timeOrNull(row, 'paid_at');
  return {
    queuedAt: column.time(row, 'queued_at'),
    ...(paidAt !== null && { paid: { at: paidAt, transferId: column.text(row, 'transfer_id') } }),
  };
}

const QUEUE = statement(`
  INSERT INTO welcome_grants (account, site, queued_at) VALUES (?, ?, ?)
  ON CONFLICT (account) DO NOTHING`);

export async function queueWelcome(
  tx: Writer,
  grant: { readonly account: Account; readonly site: string; readonly at: Instant },
): Promise<void> {
  await linkOf(tx).rows(QUEUE, [grant.account, grant.site, grant.at]);
}

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

export async function dropWelcome(tx: Writer, account: Account): Promise<void> {
  await linkOf(tx).rows(DROP, [account]);
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
  const { account, day, at, transferId } = grant;
  await linkOf(tx).rows(PAID, [at, transferId, account]);
  await linkOf(tx).rows(COUNT, [day]);
}

const LOCK_DAY = statement(`
  INSERT INTO welcome_days (day, paid) VALUES (?, 0)
  ON CONFLICT (day) DO UPDATE SET paid = welcome_days.paid RETURNING paid`);

/** Bonuses paid that day; processes take turns on the row, so they never overrun the budget. */
export async function lockWelcomeDay(tx: Writer, day: Instant): Promise<number> {
  const row = column.one(await linkOf(tx).rows(LOCK_DAY, [day]));
  if (row === undefined) throw new Error('an upsert answers its row');
  return column.whole(row, 'paid');
}

const DAY = statement('SELECT paid FROM welcome_days WHERE day = ?');

export async function welcomesOn(db: Reader, day: Instant): Promise<number> {
  const row = column.one(await linkOf(db).rows(DAY, [day]));
  return row === undefined ? 0 : column.whole(row, 'paid');
}

const JOBS_SELECT = `
  SELECT tasks.id FROM attempts
    JOIN tasks ON tasks.id = attempts.task_id AND tasks.accepted_attempt = attempts.id
    JOIN networks ON networks.id = tasks.network
   WHERE attempts.worker = ? AND attempts.payee = attempts.worker AND tasks.state IN ('accepted', 'paid')
     AND networks.kind = 'test'`;
const JOBS = statement(
  `${JOBS_SELECT} AND tasks.requester NOT IN (SELECT value FROM json_each(?))
   ORDER BY tasks.id LIMIT ?`,
  `${JOBS_SELECT} AND tasks.requester <> ALL(?) ORDER BY tasks.id LIMIT ?`,
);

/**
 * Rewarded tasks on test networks whose work of the account was accepted, by nobody linked to it,
 * oldest first; one that is disputed counts again once its acceptance stands.
 */
export async function jobsForOthers(
  db: Reader,
  account: Account,
  limit: number,
): Promise<readonly string[]> {
  const party = await partyOf(db, account);
  const rows = await linkOf(db).rows(JOBS, [account, party, limit]);
  return rows.map((row) => column.text(row, 'id'));
}
