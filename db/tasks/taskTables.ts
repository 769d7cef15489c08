import { strict as assert } from 'node:assert';
import { sha256Hex } from '../../domain/digest.ts';
import { canonical } from '../../domain/json.ts';
import { deliveredDocument } from '../../domain/tasks/files.ts';
import type { Attempt, Task } from '../../domain/tasks/model.ts';
import { taskWords } from '../../domain/tasks/words.ts';
import { account, integer, json, moment, oneOf, text } from '../batch/columns.ts';
import { list } from '../batch/list.ts';
import { STAYS } from '../batch/personal.ts';
import { lookup } from '../batch/lookup.ts';
import { shaped, table, type DescribedTable } from '../batch/table.ts';
import { writeObject } from '../batch/writeObject.ts';
import type { Cell } from '../connection.ts';
import { parentIn } from '../batch/need.ts';
import { TRANSFERS } from '../ledger/ledgerTables.ts';
import type { Decider } from '../batch/transaction.ts';
import { ATTEMPT_ROWS } from './attempts.ts';
import type { RecordedEvent } from './events.ts';
import { TASKS, type KnownTask } from './taskRow.ts';

export const TASK_LABELS = table(
  'task_labels',
  { kind: oneOf(['tag', 'skill']).key(), label: text().key(), taskId: text().key() },
  { personal: { apart: 'repeats tasks' }, use: 'append', under: [TASKS] },
);
export const TASK_WORDS = table(
  'task_words',
  { word: text().key(), taskId: text().key() },
  { personal: { apart: 'repeats tasks' }, use: 'append', under: [TASKS] },
);

/** The accounts that a task was offered to first. */
export const TASK_INVITATIONS = table(
  'task_invitations',
  { account: account().key(), taskId: text().key() },
  {
    personal: { owner: 'account', order: ['task_id'], stays: STAYS.paid },
    use: 'append',
    under: [TASKS],
  },
);

export interface SavedAttempt {
  readonly attempt: Attempt;
  /** How many tasks its worker may hold, where the database counts them as it writes. */
  readonly claimsMax?: number;
}
const saveAttempt = writeObject('attempts', {
  statement: (rows) => `
      INSERT INTO attempts (id, task_id, worker, payee, agent_id, state, terms_digest, started_at,
        lease_ends_at, token_key, token_hash, delivered_at, ended_at, reason, result, result_digest,
        place, share_bps, award, files, progress)
      SELECT $0, $1, $2, $3, $4, $5, $6, $7:int, $8:int, $9, $10, $11:int, $12:int, $13, $14, $15,
        $16:int, $17:int, $18:int, $19, $20
        FROM ${rows} WHERE true
      ON CONFLICT (id) DO UPDATE SET payee = excluded.payee, agent_id = excluded.agent_id,
        state = excluded.state, terms_digest = excluded.terms_digest,
        started_at = excluded.started_at, lease_ends_at = excluded.lease_ends_at,
        token_key = excluded.token_key,
        token_hash = COALESCE(excluded.token_hash, attempts.token_hash),
        delivered_at = excluded.delivered_at, ended_at = excluded.ended_at,
        reason = excluded.reason, result = COALESCE(excluded.result, attempts.result),
        result_digest = COALESCE(excluded.result_digest, attempts.result_digest),
        place = excluded.place, share_bps = excluded.share_bps, award = excluded.award,
        files = COALESCE(excluded.files, attempts.files), progress = excluded.progress`,
  // The last cell, unless it is null, is how many claims the worker may hold then.
  hits: (rows) => `(SELECT count(*) FROM ${rows} WHERE $21:int IS NULL OR $21:int >= (
      SELECT count(*) FROM attempts WHERE attempts.worker = $2 AND attempts.state = 'claimed'))`,
});
const savedCells = ({ attempt, claimsMax }: SavedAttempt): readonly Cell[] => {
  const { result, claimToken, tokenKey } = attempt;
  return [
    attempt.id,
    attempt.taskId,
    attempt.worker,
    attempt.payee,
    attempt.agentId ?? null,
    attempt.state,
    attempt.termsDigest,
    attempt.startedAt,
    attempt.leaseEndsAt ?? null,
    tokenKey ?? null,
    claimToken === undefined ? null : sha256Hex(claimToken),
    attempt.deliveredAt ?? null,
    attempt.endedAt ?? null,
    attempt.reason ?? null,
    result === undefined ? null : JSON.stringify(result.value),
    result === undefined
      ? null
      : sha256Hex(canonical(deliveredDocument(result.value, result.files))),
    attempt.place ?? null,
    attempt.shareBps ?? null,
    attempt.award?.toString() ?? null,
    jsonOrNull(result?.files),
    jsonOrNull(attempt.progress),
    claimsMax ?? null,
  ];
};
/** Inserted or updated; one that was read without its token and result keeps them. */
export const ATTEMPTS: DescribedTable<string, SavedAttempt> = {
  ...shaped(ATTEMPT_ROWS, {
    of: (attempt): SavedAttempt => ({ attempt }),
    flat: ({ attempt }) => attempt,
  }),
  parent: parentIn(TASKS, ({ attempt }) => attempt.taskId),
  insert: saveAttempt,
  inserted: savedCells,
  update: saveAttempt,
  updated: savedCells,
};

function jsonOrNull(value: unknown): string | null {
  return value === undefined ? null : JSON.stringify(value);
}

interface OfTask {
  readonly taskId: string;
}
export const ATTEMPT_NAMED = list('attempt_named', ATTEMPTS, {
  by: { taskId: text(), id: text() },
  where: (key) => `t.task_id = ${key.taskId} AND t.id = ${key.id}`,
  order: 't.id',
  parent: parentIn(TASKS, ({ taskId }: OfTask) => taskId),
});
/** The claim that a token was given for, dead or alive. */
export const ATTEMPT_OF_TOKEN = list('attempt_of_token', ATTEMPTS, {
  by: { taskId: text(), tokenHash: text() },
  where: (key) => `t.task_id = ${key.taskId} AND t.token_hash = ${key.tokenHash}`,
  order: 't.id',
  parent: parentIn(TASKS, ({ taskId }: OfTask) => taskId),
});
/** The result of an attempt; absent while it has delivered nothing. */
export const RESULTS = lookup('results', {
  by: { taskId: text(), attemptId: text() },
  found: { result: json<unknown>().optional() },
  sql: () => ({ result: 'a.result' }),
  from: (key) => `attempts a ON a.id = ${key.attemptId}`,
  parent: parentIn(TASKS, ({ taskId }: OfTask) => taskId),
});

export const TASK_EVENTS = table(
  'task_events',
  {
    taskId: text().key(),
    seq: integer().key(),
    at: moment().fixed(),
    event: text<RecordedEvent['event']>().fixed(),
    state: text<RecordedEvent['state']>().fixed(),
    actor: account().fixed().optional(),
    attemptId: text().fixed().optional(),
    transferId: text<NonNullable<RecordedEvent['transferId']>>().fixed().optional(),
    note: text().fixed().optional(),
  },
  {
    personal: { apart: 'the history of a task, which is public' },
    use: 'append',
    under: [TASKS],
    after: [TRANSFERS],
  },
);

/** The rows that a decision writes to the task's own tables. */
export interface TaskWrite {
  readonly task: KnownTask;
  readonly attempts: readonly SavedAttempt[];
  readonly events: readonly RecordedEvent[];
}

export function putTask(db: Decider, { task: known, attempts, events }: TaskWrite): void {
  const { task } = known.aggregate;
  const isNew = db.find(TASKS, task.id) === undefined;
  db.put(TASKS, task.id, known);
  if (isNew) putNames(db, task);
  for (const saved of attempts) db.insert(ATTEMPTS, saved.attempt.id, saved);
  for (const event of events) {
    const row = { taskId: task.id, ...event };
    db.put(TASK_EVENTS, row, row);
  }
  assert.equal(events.at(-1)?.seq ?? known.events, known.events, 'the history has no gap');
}

/** Writes the labels that a task is found by. */
function putNames(db: Decider, task: Task): void {
  const { id: taskId, tags, requiredSkills } = task;
  const labels = [
    ...tags.map((label) => ({ kind: 'tag' as const, label, taskId })),
    ...requiredSkills.map((label) => ({ kind: 'skill' as const, label, taskId })),
  ];
  for (const label of labels) db.put(TASK_LABELS, label, label);
  for (const invited of task.invited?.accounts ?? []) {
    const row = { account: invited, taskId };
    db.put(TASK_INVITATIONS, row, row);
  }
  for (const word of taskWords(task)) db.put(TASK_WORDS, { word, taskId }, { word, taskId });
}
