import type { Account } from '../../domain/account.ts';
import type { Instant } from '../../domain/instant.ts';
import { moment, text } from '../batch/columns.ts';
import * as column from '../columns.ts';
import { linkOf, statement } from '../connection.ts';
import type { Reader, Writer } from '../connection.ts';
import { table } from '../batch/table.ts';

/** The warnings before a claim lapses, one for each end of its lease. */
export const TURN_NOTICES = table(
  'turn_notices',
  { attemptId: text().key(), endsAt: moment().key() },
  { use: 'single', personal: { apart: 'the ends of leases, which the attempts have' } },
);

export interface LapsingClaim {
  readonly attemptId: string;
  readonly taskId: string;
  readonly worker: Account;
  readonly endsAt: Instant;
}

const LAPSING = statement(`
  SELECT a.id, a.task_id, a.worker, a.lease_ends_at FROM tasks t
    JOIN attempts a ON a.task_id = t.id AND a.state = 'claimed'
   WHERE t.due_kind = 'lease' AND t.due_at > ? AND t.due_at <= ?
     AND NOT EXISTS (SELECT 1 FROM turn_notices n
       WHERE n.attempt_id = a.id AND n.ends_at = a.lease_ends_at)
   ORDER BY t.due_at LIMIT ?`);

/** Claims whose lease ends in a stretch of time and whose holder was not warned of it. */
export async function lapsingClaims(
  db: Reader,
  { after, to }: { readonly after: Instant; readonly to: Instant },
  limit: number,
): Promise<readonly LapsingClaim[]> {
  const rows = await linkOf(db).rows(LAPSING, [after, to, limit]);
  return rows.map((row) => ({
    attemptId: column.text(row, 'id'),
    taskId: column.text(row, 'task_id'),
    worker: column.account(row, 'worker'),
    endsAt: column.time(row, 'lease_ends_at'),
  }));
}

const TAKE = statement(`
  INSERT INTO turn_notices (attempt_id, ends_at) VALUES (?, ?)
  ON CONFLICT DO NOTHING RETURNING ends_at`);

/** False when another process gave this warning already. */
export async function takeNotice(tx: Writer, claim: LapsingClaim): Promise<boolean> {
  return (await linkOf(tx).rows(TAKE, [claim.attemptId, claim.endsAt])).length > 0;
}

const DROP = statement('DELETE FROM turn_notices WHERE ends_at < ?');

/** Drops the warnings of leases that are over. */
export async function dropNotices(tx: Writer, before: Instant): Promise<void> {
  await linkOf(tx).rows(DROP, [before]);
}
