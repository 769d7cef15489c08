import type { Account } from '../../domain/account.ts';
import type { Instant } from '../../domain/instant.ts';
import type { TrialAnswers } from '../../domain/task/trial.ts';
import { account, moment, text } from '../batch/columns.ts';
import { table } from '../batch/table.ts';
import * as column from '../columns.ts';
import { linkOf, statement } from '../connection.ts';
import type { Reader, Writer } from '../connection.ts';

/** The table of entrance trials: what the paper of each says, and who passed. */
export interface Trial {
  readonly taskId: string;
  readonly account: Account;
  /** The site that it was asked from; bonuses of a day are counted by it. */
  readonly site: string;
  readonly answers: TrialAnswers;
  readonly madeAt: Instant;
}

const INSERT = statement(`
  INSERT INTO trials (task_id, account, site, answers, made_at) VALUES (?, ?, ?, ?, ?)`);

export async function insertTrial(tx: Writer, trial: Trial): Promise<void> {
  const { taskId, account: of, site, answers, madeAt } = trial;
  await linkOf(tx).rows(INSERT, [taskId, of, site, JSON.stringify(answers), madeAt]);
}

const ANSWERS = statement('SELECT answers FROM trials WHERE task_id = ?');

export async function trialAnswers(db: Reader, taskId: string): Promise<TrialAnswers> {
  const row = column.one(await linkOf(db).rows(ANSWERS, [taskId]));
  if (row === undefined) throw new Error(`task ${taskId} is no trial`);
  // Written by `insertTrial` from a value of this very type.
  return column.json(row, 'answers') as TrialAnswers;
}

/** Who has which trial, and when it was passed. */
export const TRIALS = table(
  'trials',
  {
    taskId: text().key(),
    account: account().fixed(),
    site: text().fixed(),
    passedAt: moment().optional(),
  },
  { use: 'update' },
);

const PASSED = statement(`
  SELECT site, passed_at FROM trials WHERE account = ? AND passed_at IS NOT NULL`);

export async function passedTrial(
  db: Reader,
  of: Account,
): Promise<{ readonly site: string; readonly at: Instant } | undefined> {
  const row = column.one(await linkOf(db).rows(PASSED, [of]));
  return row && { site: column.text(row, 'site'), at: column.time(row, 'passed_at') };
}

const SINCE = statement(`
  SELECT COUNT(*) AS n FROM trials WHERE account = ? AND made_at >= ?`);

export async function trialsSince(db: Reader, of: Account, from: Instant): Promise<number> {
  const rows = await linkOf(db).rows(SINCE, [of, from]);
  return Number(rows[0]?.['n'] ?? 0);
}

const OPEN = statement(`
  SELECT trials.task_id, attempts.lease_ends_at
    FROM trials JOIN attempts ON attempts.task_id = trials.task_id
   WHERE trials.account = ? AND attempts.state = 'claimed' AND attempts.lease_ends_at > ?
   ORDER BY trials.task_id LIMIT 1`);

/** The trial that the account may still deliver. */
export async function openTrial(
  db: Reader,
  of: Account,
  now: Instant,
): Promise<{ readonly taskId: string; readonly until: Instant } | undefined> {
  const row = column.one(await linkOf(db).rows(OPEN, [of, now]));
  return row && { taskId: column.text(row, 'task_id'), until: column.time(row, 'lease_ends_at') };
}
