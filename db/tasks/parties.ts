import type { Account } from '../../domain/account.ts';
import { account, flag, text } from '../batch/columns.ts';
import { lookup } from '../batch/lookup.ts';
import { linkOf, statement, type Reader } from '../connection.ts';

/** The part that an account has in a task, apart from that of its requester. */
export interface PartIn {
  /** It was drawn to judge a result of the task, or arbitrates its dispute. */
  readonly isJudge: boolean;
  /** It held the task at some time, so it was shown the brief. */
  readonly isClaimant: boolean;
}

const partSql = (task: string, by: string): Readonly<Record<keyof PartIn, string>> => ({
  isJudge: `CASE WHEN EXISTS (
      SELECT 1 FROM panel_rounds r JOIN panel_seats s ON s.round_id = r.id
       WHERE r.task_id = ${task} AND s.account = ${by})
    OR EXISTS (SELECT 1 FROM disputes WHERE task_id = ${task} AND arbiter = ${by})
    THEN 1 ELSE 0 END`,
  isClaimant: `CASE WHEN EXISTS (
      SELECT 1 FROM attempts
       WHERE task_id = ${task} AND worker = ${by} AND state <> 'announced')
    THEN 1 ELSE 0 END`,
});

export const PARTS_IN_TASK = lookup('parts_in_task', {
  by: { taskId: text(), account: account() },
  found: { isJudge: flag(), isClaimant: flag() },
  sql: ({ taskId, account: by }) => partSql(taskId, by),
});

const { isJudge, isClaimant } = partSql('?', '?');
const PART = statement(`SELECT ${isJudge} AS is_judge, ${isClaimant} AS is_claimant`);

export async function partIn(db: Reader, taskId: string, by: Account): Promise<PartIn> {
  const [row] = await linkOf(db).rows(PART, [taskId, by, taskId, by, taskId, by]);
  return {
    isJudge: Number(row?.['is_judge']) === 1,
    isClaimant: Number(row?.['is_claimant']) === 1,
  };
}
