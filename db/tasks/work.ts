import type { Account } from '../../domain/account.ts';
import type { Instant } from '../../domain/instant.ts';
import type { Attempt } from '../../domain/tasks/model.ts';
import type { WorkState } from '../../domain/tasks/work.ts';
import * as column from '../columns.ts';
import { linkOf, statement } from '../connection.ts';
import type { Reader, Statement } from '../connection.ts';
import { inListStatement } from '../inList.ts';
import { ATTEMPT_ROWS, attemptCells } from './attempts.ts';
import { storedTask } from './taskRow.ts';
import type { StoredTask } from './taskRow.ts';

/**
 * Work of one account, newest first: an indexed query for each kind of each role (choices
 * tasks.overview), so the work of other accounts costs nothing.
 */
export interface WorkPlace {
  readonly account: Account;
  /** Ids sort by time of making, so the last one of a page is its cursor. */
  readonly before: string | undefined;
  readonly limit: number;
}

/** Sorts after every id. */
const NEWEST = 'g';
const ATTEMPT = attemptCells('a');

function attempts(where: string, from = 'attempts a'): Statement {
  return statement(
    `SELECT ${ATTEMPT} FROM ${from} WHERE ${where} AND a.id < ? ORDER BY a.id DESC LIMIT ?`,
  );
}

const inState = (state: string): Statement => attempts(`a.worker = ? AND a.state = '${state}'`);
const settling = (state: string): Statement =>
  statement(`
    SELECT ${ATTEMPT} FROM tasks t JOIN attempts a ON a.id = t.accepted_attempt
     WHERE t.accepted_worker = ? AND t.state = '${state}' AND t.reward IS NOT NULL
       AND t.accepted_attempt < ? ORDER BY t.accepted_attempt DESC LIMIT ?`);
const OF_WORKER: Readonly<Record<Exclude<WorkState, 'open'> | 'any', Statement>> = {
  any: attempts('a.worker = ?'),
  announced: inState('announced'),
  claimed: inState('claimed'),
  waiting: inState('waiting'),
  accepted: settling('accepted'),
  disputed: settling('disputed'),
  closed: attempts(
    `a.worker = ? AND a.state NOT IN ('announced', 'claimed', 'waiting')
       AND (a.state <> 'accepted' OR t.state IN ('paid', 'refunded')
         OR (t.state = 'accepted' AND t.reward IS NULL))`,
    'attempts a JOIN tasks t ON t.id = a.task_id',
  ),
};

export async function attemptsBy(
  db: Reader,
  state: keyof typeof OF_WORKER,
  { account, before, limit }: WorkPlace,
): Promise<readonly Attempt[]> {
  const rows = await linkOf(db).rows(OF_WORKER[state], [account, before ?? NEWEST, limit]);
  return rows.map(ATTEMPT_ROWS.fromRow);
}

function tasks(where: string): Statement {
  return statement(
    `SELECT t.* FROM tasks t WHERE t.requester = ? AND ${where} AND t.id < ?
      ORDER BY t.id DESC LIMIT ?`,
  );
}

const HAS_WAITING = `EXISTS (
  SELECT 1 FROM attempts a WHERE a.task_id = t.id AND a.state = 'waiting')`;
const OF_REQUESTER: Readonly<Record<Exclude<WorkState, 'announced'> | 'any', Statement>> = {
  any: tasks('1 = 1'),
  open: tasks(`t.state = 'open' AND NOT ${HAS_WAITING}`),
  claimed: tasks(`t.state = 'held'`),
  waiting: tasks(`t.state IN ('open', 'delivered') AND ${HAS_WAITING}`),
  accepted: tasks(`t.state = 'accepted' AND t.reward IS NOT NULL`),
  disputed: tasks(`t.state = 'disputed'`),
  closed: tasks(`(t.state IN ('paid', 'refunded', 'withdrawn', 'expired')
    OR (t.state = 'accepted' AND t.reward IS NULL))`),
};

export async function tasksBy(
  db: Reader,
  state: keyof typeof OF_REQUESTER,
  { account, before, limit }: WorkPlace,
): Promise<readonly StoredTask[]> {
  const rows = await linkOf(db).rows(OF_REQUESTER[state], [account, before ?? NEWEST, limit]);
  return rows.map(storedTask);
}

const OF_IDS = inListStatement((given) => `SELECT * FROM tasks WHERE id ${given}`);

export async function tasksOf(
  db: Reader,
  ids: readonly string[],
): Promise<ReadonlyMap<string, StoredTask>> {
  if (ids.length === 0) return new Map();
  const rows = await linkOf(db).rows(OF_IDS, [ids]);
  return new Map(rows.map(storedTask).map((stored) => [stored.task.id, stored]));
}

/** A verdict that a judge owes. */
export interface OwedVerdict {
  readonly kind: 'panel' | 'dispute';
  /** The id of the round, or of the task when it is a dispute, of which a task has one. */
  readonly id: string;
  readonly taskId: string;
  /** The result that is judged; absent for a dispute, which is about the accepted one. */
  readonly attemptId?: string;
  readonly since: Instant;
  readonly until: Instant;
}

const PANELS = statement(`
  SELECT r.id, r.task_id, r.attempt_id, r.drawn_at AS since, r.ends_at AS until
    FROM panel_seats s JOIN panel_rounds r ON r.id = s.round_id
   WHERE s.account = ? AND s.state IN ('due', 'called') AND r.state = 'open' AND s.round_id < ?
   ORDER BY s.round_id DESC LIMIT ?`);
const DISPUTES = statement(`
  SELECT task_id AS id, task_id, NULL AS attempt_id, at AS since, until
    FROM disputes WHERE arbiter = ? AND state = 'drawn' AND task_id < ?
   ORDER BY task_id DESC LIMIT ?`);

/** Open cases of a judge: panels that it sits on, and disputes that it was drawn for. */
export async function casesOf(
  db: Reader,
  { account, before, limit }: WorkPlace,
): Promise<readonly OwedVerdict[]> {
  const place = [account, before ?? NEWEST, limit];
  const found: OwedVerdict[] = [];
  for (const kind of ['panel', 'dispute'] as const) {
    for (const row of await linkOf(db).rows(kind === 'panel' ? PANELS : DISPUTES, place)) {
      const attemptId = column.textOrNull(row, 'attempt_id');
      found.push({
        kind,
        id: column.text(row, 'id'),
        taskId: column.text(row, 'task_id'),
        ...(attemptId !== null && { attemptId }),
        since: column.time(row, 'since'),
        until: column.time(row, 'until'),
      });
    }
  }
  return found.sort((a, b) => (a.id < b.id ? 1 : -1)).slice(0, limit);
}

const INVITED = statement(`
  SELECT t.* FROM task_invitations i JOIN tasks t ON t.id = i.task_id
   WHERE i.account = ? AND i.task_id < ? AND t.state = 'open' AND t.invited IS NOT NULL
   ORDER BY i.task_id DESC LIMIT ?`);

/** Open tasks that wait for named accounts, this one among them. */
export async function tasksOfferedTo(
  db: Reader,
  { account, before, limit }: WorkPlace,
): Promise<readonly StoredTask[]> {
  return (await linkOf(db).rows(INVITED, [account, before ?? NEWEST, limit])).map(storedTask);
}
