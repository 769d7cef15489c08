import { defined } from '../../domain/defined.ts';
import type { JudgedTask } from '../../domain/validators/planting.ts';
import * as column from '../columns.ts';
import { linkOf, statement, type Reader, type Row } from '../connection.ts';

/** A task that a panel judged, as others see it, and whether it was planted. */
export interface SeenTask extends JudgedTask {
  readonly title: string;
  readonly isPlanted: boolean;
}

const NEWEST = (bytes: (column: string) => string): string => `
  SELECT t.title, t.reward, t.network, t.mode, t.max_attempts, t.deadline, t.created_at,
      t.auto_accept_seconds, t.dispute_window_seconds, t.required_skills, a.started_at,
      a.delivered_at, ${bytes('t.description')} AS described, ${bytes('t.input')} AS given,
      ${bytes('a.result')} AS resulted, p.answer,
      (SELECT min(o.created_at) FROM tasks o WHERE o.requester = t.requester) AS first_at,
      (SELECT CAST(count(*) AS INTEGER) FROM tasks o WHERE o.requester = t.requester
        AND o.created_at < t.created_at) AS earlier
    FROM panel_rounds r JOIN tasks t ON t.id = r.task_id JOIN attempts a ON a.id = r.attempt_id
      LEFT JOIN planted_answers p ON p.attempt_id = a.id
   WHERE r.round = 1 AND a.delivered_at IS NOT NULL ORDER BY r.id DESC LIMIT ?`;
const TASKS = statement(
  NEWEST((name) => `coalesce(length(CAST(${name} AS BLOB)), 0)`),
  NEWEST((name) => `coalesce(octet_length(${name}), 0)`),
);

/** The newest results that were drawn for, for the operator's commands. */
export async function judgedTasks(db: Reader, limit: number): Promise<readonly SeenTask[]> {
  return (await linkOf(db).rows(TASKS, [limit])).map(taskOf);
}

function taskOf(row: Row): SeenTask {
  const seconds = (name: string): number => Math.round(column.whole(row, name) / 1_000);
  return {
    title: column.text(row, 'title'),
    isPlanted: row['answer'] !== null,
    rewardAtomic: column.wholeOrNull(row, 'reward') ?? 0,
    mode: row['mode'] === 'open' ? 'open' : 'exclusive',
    maxAttempts: column.whole(row, 'max_attempts'),
    deadlineSeconds: seconds('deadline') - seconds('created_at'),
    disputeWindowSeconds: column.whole(row, 'dispute_window_seconds'),
    ...defined({
      network: column.textOrNull(row, 'network') ?? undefined,
      autoAcceptSeconds: column.wholeOrNull(row, 'auto_accept_seconds') ?? undefined,
    }),
    requiredSkills: column.json(row, 'required_skills') as readonly string[],
    descriptionBytes: column.whole(row, 'described'),
    inputBytes: column.whole(row, 'given'),
    resultBytes: column.whole(row, 'resulted'),
    workSeconds: seconds('delivered_at') - seconds('started_at'),
    requesterAgeSeconds: seconds('created_at') - seconds('first_at'),
    requesterTasks: column.whole(row, 'earlier'),
    createdAtSeconds: seconds('created_at'),
  };
}
