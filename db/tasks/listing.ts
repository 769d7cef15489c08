import type { Knex } from 'knex';
import type { Account } from '../../domain/account.ts';
import type { Instant } from '../../domain/instant.ts';
import type { Atomic } from '../../domain/money.ts';
import type { Attempt, TaskMode, TaskState, Verification } from '../../domain/tasks/model.ts';
import { linkOf, type Reader, type Row } from '../connection.ts';
import { newestOf } from '../newest.ts';
import { liveAttempts, liveColumn } from './attempts.ts';
import { storedTask } from './taskRow.ts';
import type { StoredTask } from './taskRow.ts';

/** Pages of tasks: ids sort by time of making, so the id alone is the cursor of an order by age. */
export interface TaskFilter {
  readonly states?: readonly TaskState[];
  readonly mode?: TaskMode;
  readonly verification?: Verification;
  readonly skill?: string;
  readonly payment?: 'escrowed' | 'none';
  readonly minReward?: Atomic;
  readonly maxReward?: Atomic;
  /** All of them, in lower case. */
  readonly tags?: readonly string[];
  readonly requester?: Account;
  readonly worker?: Account;
  /** All of them are in its title or description. */
  readonly words?: readonly string[];
  readonly maxDisputeWindow?: number;
  readonly network?: string;
  /** Published not before. */
  readonly from?: Instant;
  /** Published before. */
  readonly to?: Instant;
}

/** `age` is another name of `oldest`. */
export type TaskSort = 'newest' | 'oldest' | 'age' | 'reward' | 'deadline';

/** The last task of a page, as it was when the page was read. */
export interface TaskPlace {
  /** The reward or deadline that the order sorts by; absent in an order by age. */
  readonly by?: string;
  readonly id: string;
}

export interface ListedTask extends StoredTask {
  readonly live: readonly Attempt[];
  /** Whether the clock has decided about a task, on the list or elsewhere. */
  readonly isBehind: boolean;
}

interface Part {
  readonly sort: TaskSort;
  readonly after: TaskPlace | undefined;
  readonly limit: number;
  readonly now: Instant;
}

/** Tasks of a list, each with what a page shows of it, in one statement. */
export async function listTasks(
  db: Reader,
  filter: TaskFilter,
  { sort, after, limit, now }: Part,
): Promise<readonly ListedTask[]> {
  const guide = guideOf(filter);
  const isByAge = sort !== 'reward' && sort !== 'deadline';
  const id = guide !== undefined && isByAge ? `${guide.table}.task_id` : 'tasks.id';
  const raw = db.knex.raw(`${liveColumn(linkOf(db).dialect)}, EXISTS (${DUE}) AS behind`, [now]);
  const shown = db.knex<Row>('tasks').select<Row[]>('tasks.*', raw);
  const query = ordered(shown, sort, after, id).limit(limit);
  filtered(query, filter, id);
  for (const tag of filter.tags ?? []) void query.whereExists(labelled(db, 'tag', tag));
  if (filter.skill !== undefined) void query.whereExists(labelled(db, 'skill', filter.skill));
  if (filter.worker !== undefined) {
    const { worker } = filter;
    const tried = newestOf(db, 'attempts', { worker }, { id: 'task_id', by: 'id' });
    void query.whereIn('tasks.id', tried);
  }
  for (const word of filter.words ?? []) void query.whereExists(worded(db, word));
  if (guide !== undefined && isByAge) {
    void query.join(guide.table, id, 'tasks.id');
    for (const [name, value] of Object.entries(guide.equal)) {
      void query.where(`${guide.table}.${name}`, value);
    }
  } else if (guide !== undefined) {
    void query.whereIn('tasks.id', newestOf(db, guide.table, guide.equal, { id: 'task_id' }));
  } else if (isWide(filter, isByAge)) {
    const newest = newestOf(db, 'tasks', (rows) => {
      inStates(rows, filter.states);
      within(rows, filter, 'tasks.id');
    });
    if (isByAge) void query.where('tasks.id', '>=', db.knex.min('id').from(newest.as('first')));
    else void query.whereIn('tasks.id', newest);
  }
  return (await query).map((row) => ({
    ...storedTask(row),
    live: liveAttempts(row),
    isBehind: Boolean(row['behind']),
  }));
}

const DUE = 'SELECT 1 FROM tasks AS due WHERE due.due_at <= ?';

/** A table whose rows of one value are read in place of all tasks. */
interface Guide {
  readonly table: 'task_words' | 'task_labels';
  readonly equal: Readonly<Record<string, string>>;
}

/** The longest word is the rarest guess, and labels are rarer than tasks; few tasks have a state. */
function guideOf({ words = [], tags = [], skill, states }: TaskFilter): Guide | undefined {
  const [word] = [...words].sort((a, b) => b.length - a.length);
  if (word !== undefined) return { table: 'task_words', equal: { word } };
  if (states !== undefined) return undefined;
  if (skill !== undefined) return { table: 'task_labels', equal: { kind: 'skill', label: skill } };
  const [label] = tags;
  return label === undefined ? undefined : { table: 'task_labels', equal: { kind: 'tag', label } };
}

/** Whether something is asked for that no index has, and nothing that bounds the walk. */
function isWide({ requester, worker, ...filter }: TaskFilter, isByAge: boolean): boolean {
  const { states, mode, verification, network, payment, minReward, maxReward } = filter;
  const { maxDisputeWindow, tags, skill, from, to } = filter;
  if (requester !== undefined || worker !== undefined) return false;
  if (!isByAge && (from ?? to) !== undefined) return true;
  const unindexed = [mode, verification, network, payment, minReward, maxReward, skill];
  if ([...unindexed, maxDisputeWindow].some((each) => each !== undefined)) return true;
  return (tags ?? []).length > 0 || (states ?? []).length > 1;
}

type Query = Knex.QueryBuilder<Row, Row[]>;

function filtered(query: Query, filter: TaskFilter, id: string): void {
  const { mode, verification, requester, network, payment, minReward, maxReward } = filter;
  inStates(query, filter.states);
  within(query, filter, id);
  if (mode !== undefined) void query.where('mode', mode);
  if (verification !== undefined) void query.where('verification', verification);
  if (requester !== undefined) void query.where('requester', requester);
  if (network !== undefined) void query.where('network', network);
  // sqlite3 takes no bigint; the column makes a number of the text.
  if (minReward !== undefined) void query.where('reward', '>=', `${minReward}`);
  if (maxReward !== undefined) void query.where('reward', '<=', `${maxReward}`);
  if (payment === 'escrowed') void query.whereNotNull('hold_id');
  if (payment === 'none') void query.whereNull('hold_id');
  if (filter.maxDisputeWindow !== undefined) {
    void query.where('dispute_window_seconds', '<=', filter.maxDisputeWindow);
  }
}

/** A state in the text lets the indexes over open tasks serve; it is one of nine words. */
function inStates(query: Knex.QueryBuilder, states: TaskFilter['states']): void {
  if (states?.length === 1) void query.whereRaw(`tasks.state = '${states[0]}'`);
  else if (states !== undefined) void query.whereIn('tasks.state', [...states]);
}

function within(
  query: Knex.QueryBuilder,
  { from, to }: Pick<TaskFilter, 'from' | 'to'>,
  id: string,
): void {
  if (from !== undefined) void query.where(id, '>=', firstIdAt(from));
  if (to !== undefined) void query.where(id, '<', firstIdAt(to));
}

/** Ids begin with the moment at which they were made (RFC 9562 5.7), so their index serves. */
function firstIdAt(at: Instant): string {
  const hex = Math.max(at, 0).toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}`;
}

const PAY = 'COALESCE(reward, 0)';
/** An expression has no type of its own on SQLite, so a text would be above every number. */
const BY = 'CAST(? AS BIGINT)';

function ordered(query: Query, sort: TaskSort, after: TaskPlace | undefined, of: string): Query {
  const { by = '', id = '' } = after ?? {};
  switch (sort) {
    case 'newest':
      if (after !== undefined) void query.where(of, '<', id);
      return query.orderBy(of, 'desc');
    case 'oldest':
    case 'age':
      return query.where(of, '>', id).orderBy(of);
    case 'reward':
      if (after !== undefined) {
        const behind = `${PAY} <= ${BY} AND (${PAY} < ${BY} OR tasks.id < ?)`;
        void query.whereRaw(behind, [by, by, id]);
      }
      return query.orderByRaw(`${PAY} DESC, tasks.id DESC`);
    case 'deadline':
      if (after !== undefined) {
        const behind = `deadline >= ${BY} AND (deadline > ${BY} OR tasks.id > ?)`;
        void query.whereRaw(behind, [by, by, id]);
      }
      return query.orderBy([{ column: 'deadline' }, { column: 'tasks.id' }]);
  }
}

function worded(db: Reader, word: string) {
  return db
    .knex('task_words as other')
    .select(db.knex.raw('1'))
    .whereRaw('other.task_id = tasks.id')
    .where('other.word', word);
}

function labelled(db: Reader, kind: 'tag' | 'skill', label: string) {
  return db
    .knex('task_labels')
    .select(db.knex.raw('1'))
    .whereRaw('task_labels.task_id = tasks.id')
    .where({ kind, label });
}
