import { strict as assert } from 'node:assert';
import { sha256Hex } from '../../domain/digest.ts';
import { canonical } from '../../domain/json.ts';
import type { Attempt, Task, TaskAggregate } from '../../domain/task/model.ts';
import { taskWords } from '../../domain/task/words.ts';
import type { Cell } from '../connection.ts';
import { lockOf, type Table } from '../declared/table.ts';
import type { Decider } from '../declared/unit.ts';
import { attemptCells, attemptOfCells } from './attempts.ts';
import type { RecordedEvent } from './events.ts';
import {
  FIXED,
  fixedColumns,
  MOVING,
  movingColumns,
  storedTask,
  type StoredTask,
} from './taskRow.ts';

/** The tables of tasks for declared units, and the one way in which any unit writes them. */
export interface KnownTask extends Omit<StoredTask, 'task'> {
  /** As it is found without its dispute, which none but a disputed one needs. */
  readonly aggregate: TaskAggregate;
}

const COLUMNS = [...FIXED, ...MOVING];
const taskCells = COLUMNS.map((name) => `t.${name}`).join(', ');
const liveCells = attemptCells('a');
/** Claimed, waiting, and the accepted one. */
const LIVE = `FROM attempts a
  WHERE a.task_id = t.id AND (a.state IN ('claimed', 'waiting') OR a.id = t.accepted_attempt)`;
const postgresCells = `${taskCells},
        (SELECT json_agg(json_build_array(${liveCells})) ${LIVE})`;
const readOnSqlite = `SELECT json_group_array(json_array(${taskCells},
        json((SELECT json_group_array(json_array(${liveCells})) ${LIVE}))))
      FROM json_each(?) k CROSS JOIN tasks t ON t.id = k.value ->> 0`;

export const TASKS: Table<string, KnownTask> = {
  name: 'tasks',
  read: {
    sqlite: readOnSqlite,
    postgres: `SELECT json_agg(json_build_array(${postgresCells}))::text
      FROM jsonb_array_elements(?::jsonb) AS k (value) JOIN tasks t ON t.id = k.value ->> 0`,
  },
  lock: lockOf('tasks', ['id']),
  id: (id) => id,
  keyCells: (id) => [id],
  found(cells) {
    const { task, ...more } = storedTask(
      Object.fromEntries(COLUMNS.map((name, at) => [name, cells[at]])),
    );
    const attempts = (cells[COLUMNS.length] ?? []) as readonly (readonly unknown[])[];
    const live = attempts.map(attemptOfCells);
    return [task.id, { ...more, aggregate: { task, live } }];
  },
  inserted: (known) => {
    const row = { ...fixedColumns(known.aggregate.task), ...moving(known) };
    return COLUMNS.map((name) => row[name]);
  },
  updated: (known, before) => {
    const row = moving(known);
    return [known.aggregate.task.id, ...MOVING.map((name) => row[name]), before.events];
  },
};

const { lock: _, ...unlocked } = TASKS;
/**
 * The same tasks for who would rather have another than wait: on PostgreSQL one that somebody else
 * has locked is not found, nor one that was changed between the moment of the read and its lock.
 */
export const CLAIMABLE: Table<string, KnownTask> = {
  ...unlocked,
  name: 'claimable',
  of: TASKS,
  read: {
    sqlite: readOnSqlite,
    postgres: `SELECT json_agg(json_build_array(${postgresCells}))::text
      FROM (SELECT * FROM tasks
             WHERE id IN (SELECT k.value ->> 0 FROM jsonb_array_elements(?::jsonb) AS k (value))
             ORDER BY id FOR UPDATE SKIP LOCKED) AS t
      JOIN tasks AS seen ON seen.id = t.id AND seen.events = t.events`,
  },
};

function moving({ aggregate, ...stored }: KnownTask): ReturnType<typeof movingColumns> {
  return movingColumns(aggregate, { ...stored, task: aggregate.task });
}

interface Label {
  readonly kind: 'tag' | 'skill';
  readonly label: string;
  readonly taskId: string;
}
const TASK_LABELS: Table<Label, Label> = {
  name: 'task_labels',
  id: ({ kind, label, taskId }) => `${taskId} ${kind} ${label}`,
  keyCells: ({ kind, label, taskId }) => [kind, label, taskId],
  inserted: ({ kind, label, taskId }) => [kind, label, taskId],
};

type Word = Pick<Label, 'taskId'> & { readonly word: string };
const TASK_WORDS: Table<Word, Word> = {
  name: 'task_words',
  id: ({ word, taskId }) => `${taskId} ${word}`,
  keyCells: ({ word, taskId }) => [word, taskId],
  inserted: ({ word, taskId }) => [word, taskId],
};

export interface SavedAttempt {
  readonly attempt: Attempt;
  /** How many tasks its worker may hold, where that was decided without a free unit's lock. */
  readonly claimsMax?: number;
}
/** Inserted or updated; one that was read without its token and result keeps them. */
const ATTEMPTS: Table<string, SavedAttempt> = {
  name: 'attempts',
  id: (id) => id,
  keyCells: (id) => [id],
  inserted: ({ attempt, claimsMax }) => {
    const { result, claimToken, tokenKey } = attempt;
    return [
      ...[attempt.id, attempt.taskId, attempt.worker, attempt.payee, attempt.agentId ?? null],
      ...[attempt.state, attempt.termsDigest, attempt.startedAt, attempt.leaseEndsAt ?? null],
      ...[tokenKey ?? null, claimToken === undefined ? null : sha256Hex(claimToken)],
      ...[attempt.deliveredAt ?? null, attempt.endedAt ?? null, attempt.reason ?? null],
      result === undefined ? null : JSON.stringify(result.value),
      result === undefined ? null : sha256Hex(canonical(result.value)),
      claimsMax ?? null,
    ];
  },
};

type TaskEventRow = RecordedEvent & { readonly taskId: string };
const TASK_EVENTS: Table<Pick<TaskEventRow, 'taskId' | 'seq'>, TaskEventRow> = {
  name: 'task_events',
  id: ({ taskId, seq }) => `${taskId} ${seq}`,
  keyCells: ({ taskId, seq }) => [taskId, seq],
  inserted: ({ taskId, seq, at, event, state, actor, attemptId, transferId, note }): Cell[] => [
    ...[taskId, seq, at, event, state],
    ...[actor ?? null, attemptId ?? null, transferId ?? null, note ?? null],
  ],
};

/** In the order in which they are written. */
export const TASK_TABLES = [TASKS, TASK_LABELS, TASK_WORDS, ATTEMPTS, TASK_EVENTS] as const;

/** What a decision leaves in the task's own tables. */
export interface TaskWrite {
  readonly task: KnownTask;
  readonly attempts: readonly SavedAttempt[];
  /** Those that the decision adds to the history. */
  readonly events: readonly RecordedEvent[];
}

/** Writes it; the unit needed the task. */
export function putTask(db: Decider, { task: known, attempts, events }: TaskWrite): void {
  const { task } = known.aggregate;
  const isNew = db.find(TASKS, task.id) === undefined;
  db.put(TASKS, task.id, known);
  if (isNew) putNames(db, task);
  for (const saved of attempts) db.put(ATTEMPTS, saved.attempt.id, saved);
  for (const event of events) {
    const row = { taskId: task.id, ...event };
    db.put(TASK_EVENTS, row, row);
  }
  assert.equal(events.at(-1)?.seq ?? known.events, known.events, 'the history has no gap');
}

/** What a task is found by. */
function putNames(db: Decider, task: Task): void {
  const { id: taskId, tags, requiredSkills } = task;
  const labels = [
    ...tags.map((label) => ({ kind: 'tag' as const, label, taskId })),
    ...requiredSkills.map((label) => ({ kind: 'skill' as const, label, taskId })),
  ];
  for (const label of labels) db.put(TASK_LABELS, label, label);
  for (const word of taskWords(task)) db.put(TASK_WORDS, { word, taskId }, { word, taskId });
}
