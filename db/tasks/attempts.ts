import { strict as assert } from 'node:assert';
import type { Account } from '../../domain/account.ts';
import { defined } from '../../domain/defined.ts';
import type { TaskFile } from '../../domain/tasks/files.ts';
import type { Attempt, AttemptState } from '../../domain/tasks/model.ts';
import type { Progress } from '../../domain/tasks/workTerms.ts';
import type { TaskHistory } from '../../domain/tasks/worker.ts';
import { STAYS } from '../batch/personal.ts';
import { account, amount, integer, json, moment, oneOf, text } from '../batch/columns.ts';
import { rowsAsJson } from '../batch/jsonSql.ts';
import { table } from '../batch/table.ts';
import * as column from '../columns.ts';
import { linkOf, statement } from '../connection.ts';
import type { Dialect, Reader, Row } from '../connection.ts';
import { inListStatement } from '../inList.ts';

const STATES = [
  'announced',
  'claimed',
  'waiting',
  'accepted',
  'refused',
  'rejected',
  'failed',
  'lapsed',
  'superseded',
] as const satisfies readonly AttemptState[];

/**
 * Attempts without their results. Of a claim token the table has the hash and, while the lease
 * lives, the name of the key that it is derived from (choices tasks.leases).
 */
export const ATTEMPT_ROWS = table(
  'attempts',
  {
    id: text().key(),
    taskId: text(),
    worker: account(),
    payee: account(),
    agentId: text().optional(),
    state: oneOf(STATES),
    termsDigest: text(),
    startedAt: moment(),
    leaseEndsAt: moment().optional(),
    tokenKey: text().optional(),
    deliveredAt: moment().optional(),
    endedAt: moment().optional(),
    reason: text().optional(),
    place: integer().optional(),
    shareBps: integer().optional(),
    award: amount().optional(),
    progress: json<Progress>().optional(),
  },
  {
    personal: { owner: 'worker', without: ['token_key', 'token_hash'], stays: STAYS.paid },
    use: 'read',
  },
);
const ATTEMPT_COLUMNS = ATTEMPT_ROWS.columns.join(', ');
const attemptOf = ATTEMPT_ROWS.fromRow;

/** Undecided results of one task that a page looks at; the oldest are decided first. */
const LIVE_MAX = 50;
export const attemptCells = (of: string): string =>
  ATTEMPT_ROWS.columns.map((name) => `${of}.${name}`).join(', ');

export function attemptOfCells(cells: readonly unknown[]): Attempt {
  const found = ATTEMPT_ROWS.found?.(cells);
  assert(found !== undefined, 'attempts are read');
  return found[1];
}

/** The live attempts of the task `tasks`, as the column `live`; `liveAttempts` reads it. */
export function liveColumn(dialect: Dialect): string {
  const live = `SELECT ${ATTEMPT_COLUMNS} FROM attempts
    WHERE task_id = tasks.id AND state IN ('claimed', 'waiting', 'accepted')
    ORDER BY CASE WHEN state = 'waiting' THEN 1 ELSE 0 END,
      COALESCE(delivered_at, started_at), id
    LIMIT ${LIVE_MAX}`;
  return `${rowsAsJson(attemptCells('each'), live, dialect)} AS live`;
}

export function liveAttempts(row: Row): readonly Attempt[] {
  const lists = JSON.parse(column.text(row, 'live')) as readonly (readonly unknown[])[];
  return lists.map(attemptOfCells);
}

const LIVE_OF = inListStatement(
  (given, dialect) => `SELECT id, ${liveColumn(dialect)} FROM tasks WHERE id ${given}`,
);

/** The same for a page of tasks, by task id. */
export async function liveAttemptsOf(
  db: Reader,
  taskIds: readonly string[],
): Promise<ReadonlyMap<string, readonly Attempt[]>> {
  const rows = await linkOf(db).rows(LIVE_OF, [taskIds]);
  return new Map(rows.map((row) => [column.text(row, 'id'), liveAttempts(row)]));
}

const RESULT = statement('SELECT result, files FROM attempts WHERE id = ?');

export async function resultOf(db: Reader, id: string): Promise<Attempt['result']> {
  const row = column.one(await linkOf(db).rows(RESULT, [id]));
  const text = row && column.textOrNull(row, 'result');
  if (row === undefined || typeof text !== 'string') return undefined;
  return { value: JSON.parse(text) as unknown, ...defined({ files: filesOf(row) }) };
}

function filesOf(row: Row): readonly TaskFile[] | undefined {
  return row['files'] === null ? undefined : (column.json(row, 'files') as readonly TaskFile[]);
}

/** Attempts that count, honest fails, and when a lease lapsed last, of a group of attempts. */
export const HISTORY = {
  used: `SUM(CASE WHEN state IN ('announced', 'failed', 'superseded') THEN 0 ELSE 1 END)`,
  fails: `SUM(CASE WHEN state = 'failed' THEN 1 ELSE 0 END)`,
  lapsedAt: `MAX(CASE WHEN state = 'lapsed' THEN ended_at END)`,
} as const;
const HISTORY_SELECT = `
  SELECT task_id, ${HISTORY.used} AS used, ${HISTORY.fails} AS fails,
         ${HISTORY.lapsedAt} AS lapsed_at
    FROM attempts`;
const HISTORIES = statement(
  `${HISTORY_SELECT} WHERE worker = ? AND task_id IN (SELECT value FROM json_each(?)) GROUP BY task_id`,
  `${HISTORY_SELECT} WHERE worker = ? AND task_id = ANY(?) GROUP BY task_id`,
);

/** Returns an account's history on each of these tasks; tasks it never touched are absent. */
export async function historiesOf(
  db: Reader,
  worker: Account,
  taskIds: readonly string[],
): Promise<ReadonlyMap<string, TaskHistory>> {
  const rows = await linkOf(db).rows(HISTORIES, [worker, taskIds]);
  return new Map(rows.map((row) => [column.text(row, 'task_id'), history(row)]));
}

function history(row: Row): TaskHistory {
  const lapsedAt = column.timeOrNull(row, 'lapsed_at');
  return {
    used: Number(row['used']),
    fails: Number(row['fails']),
    ...(lapsedAt !== null && { lastLapseAt: lapsedAt }),
  };
}

const LEASES = statement(
  `SELECT COUNT(*) AS n FROM attempts WHERE worker = ? AND state = 'claimed'`,
);

export async function liveClaims(db: Reader, worker: Account): Promise<number> {
  const rows = await linkOf(db).rows(LEASES, [worker]);
  return Number(rows[0]?.['n'] ?? 0);
}

/** A task of a requester that carries a tag, on which a worker has unpaid work. */
export const WORKING_ON = (of: {
  readonly worker: string;
  readonly requester: string;
  readonly tag: string;
  readonly but?: string;
}): string => `
  SELECT tasks.id FROM attempts
    JOIN tasks ON tasks.id = attempts.task_id
    JOIN task_labels ON task_labels.task_id = tasks.id
     AND task_labels.kind = 'tag' AND task_labels.label = ${of.tag}
   WHERE attempts.worker = ${of.worker} AND tasks.requester = ${of.requester}
     ${of.but === undefined ? '' : `AND tasks.id <> ${of.but}`}
     AND (attempts.state IN ('claimed', 'waiting')
      OR (attempts.state = 'accepted' AND tasks.state IN ('accepted', 'disputed')))
   LIMIT 1`;
const WORKS_ELSEWHERE = statement(WORKING_ON({ worker: '?', requester: '?', tag: '?', but: '?' }));

/** Whether an account has unpaid work on another task of this requester and tag. */
export async function worksElsewhere(
  db: Reader,
  worker: Account,
  task: { readonly id: string; readonly requester: Account; readonly tag: string },
): Promise<boolean> {
  const values = [task.tag, worker, task.requester, task.id];
  return (await linkOf(db).rows(WORKS_ELSEWHERE, values)).length > 0;
}

/** A result that was offered, with its size, so that a page can be cut to a weight. */
export interface OfferedResult {
  readonly attempt: Attempt;
  readonly digest: string;
  /** JSON text. */
  readonly resultText?: string;
  readonly files?: readonly TaskFile[];
}

const RESULTS = statement(`
  SELECT ${ATTEMPT_COLUMNS}, result_digest, result, files FROM attempts WHERE task_id = ? AND id > ? AND result_digest IS NOT NULL ORDER BY id LIMIT ?`);

export async function offeredResults(
  db: Reader,
  taskId: string,
  after: string,
  limit: number,
): Promise<readonly OfferedResult[]> {
  const rows = await linkOf(db).rows(RESULTS, [taskId, after, limit]);
  return rows.map((row) => {
    const resultText = column.textOrNull(row, 'result');
    return {
      attempt: attemptOf(row),
      digest: column.text(row, 'result_digest'),
      ...(resultText !== null && { resultText }),
      ...defined({ files: filesOf(row) }),
    };
  });
}
