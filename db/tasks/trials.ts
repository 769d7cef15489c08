import type { Account } from '../../domain/account.ts';
import type { Instant } from '../../domain/instant.ts';
import type { TrialAnswers } from '../../domain/tasks/trial.ts';
import { account, json, moment, text } from '../batch/columns.ts';
import { table } from '../batch/table.ts';
import * as column from '../columns.ts';
import { linkOf, statement } from '../connection.ts';
import type { Reader } from '../connection.ts';
import { TASKS } from './taskRow.ts';

const ANSWERS = statement('SELECT answers FROM trials WHERE task_id = ?');

export async function trialAnswers(db: Reader, taskId: string): Promise<TrialAnswers> {
  const row = column.one(await linkOf(db).rows(ANSWERS, [taskId]));
  if (row === undefined) throw new Error(`task ${taskId} is no trial`);
  // Written by `TRIALS` from a value of this very type.
  return column.json(row, 'answers') as TrialAnswers;
}

/** Entrance trials: what the paper of each says, and when it was passed. */
export const TRIALS = table(
  'trials',
  {
    taskId: text().key(),
    account: account().fixed(),
    /** The site that it was asked from; bonuses of a day are counted by it. */
    site: text().fixed(),
    answers: json<TrialAnswers>().fixed(),
    madeAt: moment().fixed(),
    passedAt: moment().optional(),
  },
  {
    personal: { owner: 'account', without: ['answers'], stays: 'A trial may be passed once.' },
    under: [TASKS],
  },
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
