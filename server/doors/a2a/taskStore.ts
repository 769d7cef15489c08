import {
  A2A_TASK_KEPT_MS,
  a2aTaskOf,
  a2aTasksOf,
  a2aTasksWithContent,
  markA2aTasksRead,
  saveA2aTask,
  trimA2aTasks,
  unreadA2aTasks,
  type A2aTaskLimits,
  type A2aTaskRow,
  type NewA2aTask,
} from '../../../db/doors/a2aTasks.ts';
import type { Account } from '../../../domain/account.ts';
import { instant, type Instant } from '../../../domain/instant.ts';
import { A2A_CANCEL_TOPIC, a2aEndTopic, onPrefix } from '../topics.ts';
import { HubError, wireRefusal } from '../../../workflows/kernel/errors.ts';
import { exactText, parseExactly } from '../../../workflows/kernel/exactJson.ts';
import type { Hub } from '../../../workflows/kernel/hub.ts';
import { openSealing } from '../../../workflows/kernel/keys/sealing.ts';
import { logFailure } from '../../../workflows/kernel/logFailure.ts';
import type { Content, State, Task } from './shapes.ts';

/**
 * Tasks that their signer may ask for again, at any process. The tables of operations have what is
 * owed, so a task is forgotten after an hour, or, once read, for newer ones. An unread one is never
 * dropped for those: an account with too many starts no more (choices doors.a2a-tasks).
 */
export interface TaskStore {
  /** Stores a task that works, and its end when it comes. */
  open(owner: Account, task: Task, running: Running): Promise<void>;
  /** Whether the account may start a task whose answer it does not wait for. */
  hasRoom(owner: Account): Promise<boolean>;
  /** Stores a task that is at its end, and whose answer its caller is given now. */
  keep(owner: Account, task: Task): Promise<void>;
  /** The owner has been given the answers of these tasks, of those that are at their end. */
  read(owner: Account, ids: readonly string[]): Promise<void>;
  find(owner: Account, id: string): Promise<Task | undefined>;
  /** The end of a task that works, here or at another process; undefined when `gone` came first. */
  ended(owner: Account, id: string, gone: AbortSignal): Promise<Task | undefined>;
  /** Takes a call back, wherever it runs; the end of its task says whether that was in time. */
  cancel(id: string): void;
  /** The owner's tasks without their results, the newest status first. */
  list(owner: Account): Promise<readonly Task[]>;
  withAnswers(owner: Account, tasks: readonly Task[]): Promise<readonly Task[]>;
}

export interface Running {
  readonly ended: Promise<Task>;
  /** Asks to cancel the call; its end says whether that was in time. */
  cancel(): void;
}

/** Answers have claim tokens and whatever else was bought (threats.token-leak). */
const answers = openSealing('hub/a2a/answer-at-rest/v1');
/** Unread tasks are at most as many as read ones. */
const LIMITS: A2aTaskLimits = { tasks: 50, characters: 4_194_304 };
const LISTED_MAX = 200;
/** An answer above it is given once and not stored, so no later read parses more. */
const CONTENT_MAX = 1_048_576;
/** No operation that waits does so for longer; what works then has lost its process. */
const WORK_MS_MAX = 60_000;
/** Between two reads of a task that runs elsewhere, because a notification may be lost. */
const LOOK_MS = 2_000;

export function openTaskStore(hub: Hub, limits = LIMITS): TaskStore {
  const { store, clock, notifier } = hub;
  const here = new Map<string, Running>();
  onPrefix(store, A2A_CANCEL_TOPIC, (id) => here.get(id)?.cancel());

  const keepsSince = (): Instant => instant(clock.now() - A2A_TASK_KEPT_MS);
  const shown = (row: A2aTaskRow): Task | undefined => {
    if (row.state === 'working' && !here.has(row.id) && row.at < clock.now() - WORK_MS_MAX) {
      return interrupted(hub, row);
    }
    return row.state === 'working' || row.at >= keepsSince() ? taskOf(hub, row) : undefined;
  };
  const end = async (owner: Account, task: Task, isRead: boolean): Promise<void> => {
    await store.write(async (tx) => {
      await saveA2aTask(tx, owner, rowOf(hub, task, isRead));
      await trimA2aTasks(tx, owner, limits);
      tx.publish(a2aEndTopic(task.id));
    });
  };
  const find = async (owner: Account, id: string): Promise<Task | undefined> => {
    const row = await store.readOne((db) => a2aTaskOf(db, owner, id));
    return row && shown(row);
  };

  return {
    find,
    keep: (owner, task) => end(owner, task, true),
    async open(owner, task, running) {
      await store.write((tx) => saveA2aTask(tx, owner, rowOf(hub, task, false)));
      here.set(task.id, running);
      void running.ended
        .then((ended) => end(owner, ended, false))
        .catch((error: unknown) =>
          logFailure(hub.log, error, 'the end of an A2A task was not stored'),
        )
        .finally(() => here.delete(task.id));
    },
    async hasRoom(owner) {
      const unread = await store.readOne((db) => unreadA2aTasks(db, owner, keepsSince()));
      return unread < limits.tasks;
    },
    async read(owner, ids) {
      await store.write((tx) => markA2aTasksRead(tx, owner, ids));
    },
    async ended(owner, id, gone) {
      for (;;) {
        const since = notifier.published(a2aEndTopic(id));
        const task = await find(owner, id);
        if (task?.state !== 'working') return task;
        if (gone.aborted) return undefined;
        await notifier.wait(a2aEndTopic(id), since, LOOK_MS, gone);
      }
    },
    cancel: (id) => store.notify(A2A_CANCEL_TOPIC + id),
    async list(owner) {
      const rows = await store.readOne((db) => a2aTasksOf(db, owner, LISTED_MAX));
      return rows.flatMap((row) => shown(row) ?? []);
    },
    async withAnswers(owner, tasks) {
      const ids = tasks.map(({ id }) => id);
      const rows = await store.readOne((db) => a2aTasksWithContent(db, owner, ids));
      return tasks.map((task) => {
        const row = rows.get(task.id);
        return (row && shown(row)) ?? task;
      });
    },
  };
}

function rowOf(hub: Hub, task: Task, isRead: boolean): NewA2aTask {
  const { id, contextId, requestId, skill = '', state, at } = task;
  const text = contentText(task);
  const content = text === undefined ? null : answers.close(hub, Buffer.from(text));
  const characters = text?.length ?? 0;
  return { id, contextId, requestId, skill, state, at, content, characters, isRead };
}

function contentText({ state, result, refusal }: Task): string | undefined {
  if (state === 'working') return undefined;
  const text = exactText(result ?? refusal);
  if (text.length <= CONTENT_MAX) return text;
  const value = `The answer of ${text.length} characters was given once, and is too long to be kept.`;
  return exactText({ value, asText: true });
}

function taskOf(hub: Hub, { content, ...row }: A2aTaskRow): Task {
  const { id, contextId, requestId, skill, at } = row;
  const state = row.state as State;
  const task = { id, contextId, requestId, skill, state, at };
  if (content === null) return task;
  const text = answers.open(hub, content)?.toString();
  const answer = text === undefined ? LOST : (parseExactly(text) as Content);
  const isRefused = state === 'rejected' || state === 'failed';
  return isRefused ? { ...task, refusal: answer } : { ...task, result: answer };
}

/** The call of a process that was killed: what it did is in the tables of its operation. */
function interrupted(hub: Hub, row: A2aTaskRow): Task {
  const thrown = new HubError('busy', INTERRUPTED, {});
  const { body } = wireRefusal(thrown, row.requestId, hub.settings.baseUrl);
  const at = instant(row.at + WORK_MS_MAX);
  return { ...taskOf(hub, row), state: 'failed', at, refusal: { value: body, asText: false } };
}

const LOST: Content = { value: 'The hub no longer has the key of this answer.', asText: true };
const INTERRUPTED = {
  error: 'The process that ran this call ended before the call did.',
  hint: 'Read by GET /api/v1/me whether it took effect, then send it again.',
};
