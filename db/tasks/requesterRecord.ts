import { integer, text } from '../batch/columns.ts';
import { lookup } from '../batch/lookup.ts';
import { rows } from '../batch/rows.ts';
import type { Decider } from '../batch/transaction.ts';

/** How a requester treated the rewarded work it published on one network, newest tasks first. */
export interface RequesterRecord {
  readonly posted: number;
  readonly paid: number;
  /** Tasks with a result that waits now, or that ended with none of its results decided. */
  readonly undecided: number;
  /** From delivery to acceptance or rejection, in milliseconds; absent until there was one. */
  readonly medianMsToDecide?: number;
  readonly disputesLost: number;
}

/** Tasks, decided results and lost disputes that are read at most, so that the page stays fast. */
const LOOKED_AT_MAX = 500;

/** CROSS JOIN keeps SQLite at those tasks: it would walk all attempts ever made, newest first. */
const RECORD = `
  WITH recent AS (
    SELECT id, state, verification FROM tasks
     WHERE requester = t.requester AND network = t.network AND reward IS NOT NULL
     ORDER BY id DESC LIMIT ${LOOKED_AT_MAX}),
  took AS (
    SELECT attempts.ended_at - attempts.delivered_at AS ms
      FROM recent CROSS JOIN attempts
     WHERE attempts.task_id = recent.id
       AND recent.verification = 'requester' AND attempts.state IN ('accepted', 'rejected')
       AND attempts.delivered_at IS NOT NULL AND attempts.ended_at IS NOT NULL
     ORDER BY recent.id DESC, attempts.id DESC LIMIT ${LOOKED_AT_MAX}),
  ranked AS (
    SELECT ms, ROW_NUMBER() OVER (ORDER BY ms) AS place, COUNT(*) OVER () AS total FROM took),
  lost AS (
    SELECT 1 AS one FROM karma_entries
     WHERE subject = t.requester AND reason = 'dispute.lost' LIMIT ${LOOKED_AT_MAX})
  SELECT (SELECT COUNT(*) FROM recent) AS posted,
    (SELECT COUNT(*) FROM recent WHERE state = 'paid') AS paid,
    (SELECT COUNT(*) FROM recent WHERE EXISTS (
      SELECT 1 FROM attempts WHERE attempts.task_id = recent.id AND (attempts.state = 'waiting'
        OR (attempts.state = 'superseded' AND recent.state = 'expired')))) AS undecided,
    (SELECT COUNT(*) FROM lost) AS disputes_lost,
    (SELECT ms FROM ranked WHERE place = (total + 1) / 2) AS median_ms_to_decide`;

const records = rows({
  posted: integer(),
  paid: integer(),
  undecided: integer(),
  disputesLost: integer(),
  medianMsToDecide: integer().optional(),
});

/** The record of the requester of a task, asked by the task. */
export const REQUESTER_RECORD = lookup('requester_record', {
  by: { taskId: text() },
  found: { records: records.column() },
  sql: (_, dialect) => ({ records: records.sql(RECORD, dialect) }),
  from: ({ taskId }) => `tasks t ON t.id = ${taskId} AND t.reward IS NOT NULL`,
});

/** Undefined for a task without a reward. */
export function requesterRecord(db: Decider, taskId: string): RequesterRecord | undefined {
  return db.find(REQUESTER_RECORD, taskId)?.records[0];
}
