import type { Account } from '../../domain/account.ts';
import { account, flag, json, text } from '../batch/columns.ts';
import { lookup } from '../batch/lookup.ts';
import { linkOf, statement, type Dialect, type Reader } from '../connection.ts';

/** The part that an account has in a task, apart from that of its requester. */
export interface PartIn {
  /** It arbitrates the dispute of the task, and has its seat. */
  readonly isArbiter: boolean;
  /** It held the task at some time, so it was shown the brief. */
  readonly isClaimant: boolean;
  /** Attempts whose results it was drawn to judge, while it has its seat. */
  readonly judged: readonly string[];
}

/** A seat that did not answer, was not needed, or was given up reads nothing more. */
const partSql = (
  task: string,
  by: string,
  dialect: Dialect,
): Readonly<Record<keyof PartIn, string>> => ({
  isArbiter: `CASE WHEN EXISTS (SELECT 1 FROM disputes d JOIN seats x ON x.account = d.arbiter
      WHERE d.task_id = ${task} AND d.arbiter = ${by} AND x.state <> 'closed')
    THEN 1 ELSE 0 END`,
  isClaimant: `CASE WHEN EXISTS (
      SELECT 1 FROM attempts
       WHERE task_id = ${task} AND worker = ${by} AND state <> 'announced')
    THEN 1 ELSE 0 END`,
  judged: `(SELECT ${dialect === 'sqlite' ? LISTED.sqlite : LISTED.postgres}
      FROM panel_rounds r JOIN panel_seats s ON s.round_id = r.id
        JOIN seats x ON x.account = s.account AND x.state <> 'closed'
     WHERE r.task_id = ${task} AND s.account = ${by}
       AND s.state IN ('due', 'called', 'voted'))`,
});
/** As text: SQLite would put the list itself into the answer, as JSON within JSON. */
const LISTED = {
  sqlite: `json_group_array(DISTINCT r.attempt_id) || ''`,
  postgres: `CAST(coalesce(json_agg(DISTINCT r.attempt_id), '[]') AS TEXT)`,
} as const;

export const PARTS_IN_TASK = lookup('parts_in_task', {
  by: { taskId: text(), account: account() },
  found: { isArbiter: flag(), isClaimant: flag(), judged: json<readonly string[]>() },
  sql: ({ taskId, account: by }, dialect) => partSql(taskId, by, dialect),
});

const partText = (dialect: Dialect): string => {
  const { isArbiter, isClaimant, judged } = partSql('?', '?', dialect);
  return `SELECT ${isArbiter} AS is_arbiter, ${isClaimant} AS is_claimant, ${judged} AS judged`;
};
const PART = statement(partText('sqlite'), partText('postgres'));

export async function partIn(db: Reader, taskId: string, by: Account): Promise<PartIn> {
  const [row] = await linkOf(db).rows(PART, [taskId, by, taskId, by, taskId, by]);
  return {
    isArbiter: Number(row?.['is_arbiter']) === 1,
    isClaimant: Number(row?.['is_claimant']) === 1,
    judged: JSON.parse(String(row?.['judged'] ?? '[]')) as readonly string[],
  };
}
