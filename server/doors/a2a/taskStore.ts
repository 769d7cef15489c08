import type { Account } from '../../../domain/account.ts';
import type { Instant } from '../../../domain/instant.ts';
import type { Task } from './shapes.ts';

/**
 * Tasks that their signer may ask for again. They are a convenience of this process: what the hub
 * owes a caller is in its database and can be read by the operations, so a task is forgotten after
 * an hour, when memory is short, and at a restart; once its answer was read, also when its account
 * has newer ones. An answer that was not read is never dropped for newer ones: an account that
 * leaves too many unread starts no more (choices doors.a2a-tasks).
 */
export interface TaskStore {
  /** Keeps a task that works; `ended` gives its end and never rejects. */
  open(owner: Account, task: Task, running: Running): void;
  /** Whether the account may start a task whose answer it does not wait for. */
  hasRoom(owner: Account): boolean;
  /** Keeps a task that is at its end, and whose answer its caller is given now. */
  keep(owner: Account, task: Task): void;
  /** The owner has been given the answer of the task, if it is at its end. */
  read(owner: Account, id: string): void;
  find(owner: Account, id: string): Kept | undefined;
  /** The owner's tasks, the newest status first. */
  list(owner: Account): readonly Task[];
}

export interface Running {
  readonly ended: Promise<Task>;
  /** Takes the call back; its end says whether it was in time. */
  cancel(): void;
}

export interface Kept {
  readonly task: Task;
  /** Absent once the task is at its end. */
  readonly running?: Running;
}

export interface TaskStoreParts {
  readonly clock: { now(): Instant };
  readonly limits?: TaskLimits;
}

export interface TaskLimits {
  readonly perAccount: number;
  readonly tasks: number;
  /** Characters of JSON of all answers together. */
  readonly characters: number;
  readonly keptMs: number;
}

const LIMITS: TaskLimits = {
  perAccount: 50,
  tasks: 2_000,
  characters: 33_554_432,
  keptMs: 3_600_000,
};

interface Entry extends Kept {
  readonly owner: Account;
  readonly characters: number;
  readonly isRead: boolean;
}

export function openTaskStore({ clock, limits = LIMITS }: TaskStoreParts): TaskStore {
  /** Oldest status first: a task moves to the end when it changes. */
  const entries = new Map<string, Entry>();
  let characters = 0;

  const drop = (entry: Entry): void => {
    if (entries.delete(entry.task.id)) characters -= entry.characters;
  };
  const put = (entry: Entry): void => {
    const before = entries.get(entry.task.id);
    if (before !== undefined) drop(before);
    entries.set(entry.task.id, entry);
    characters += entry.characters;
  };
  const dropExpired = (): void => {
    const since = clock.now() - limits.keptMs;
    for (const entry of entries.values()) {
      if (isAtEnd(entry) && entry.task.at < since) drop(entry);
    }
  };
  const of = (owner: Account): readonly Entry[] => {
    dropExpired();
    return [...entries.values()].filter((entry) => entry.owner === owner);
  };
  const keepEnd = (owner: Account, task: Task, isRead: boolean): void => {
    const { length } = JSON.stringify(task.result ?? task.refusal ?? '');
    put({ owner, task, characters: length, isRead });
    const theirs = of(owner);
    const over = Math.max(0, theirs.length - limits.perAccount);
    const readOnes = theirs.filter((entry) => isAtEnd(entry) && entry.isRead);
    readOnes.slice(0, over).forEach(drop);
    for (const entry of entries.values()) {
      if (entries.size <= limits.tasks && characters <= limits.characters) break;
      if (isAtEnd(entry)) drop(entry);
    }
  };

  return {
    keep: (owner, task) => keepEnd(owner, task, true),
    open(owner, task, running) {
      put({ owner, task, running, characters: 0, isRead: false });
      void running.ended.then((ended) => keepEnd(owner, ended, false));
    },
    hasRoom: (owner) => of(owner).filter(({ isRead }) => !isRead).length < limits.perAccount,
    read(owner, id) {
      const entry = entries.get(id);
      // Set in its place: the order is that of the states, and reading changes none.
      if (entry?.owner === owner && isAtEnd(entry)) entries.set(id, { ...entry, isRead: true });
    },
    find(owner, id) {
      dropExpired();
      const entry = entries.get(id);
      return entry?.owner === owner ? entry : undefined;
    },
    list: (owner) =>
      of(owner)
        .map(({ task }) => task)
        .reverse(),
  };
}

/**
 * A task that still works is never dropped: its caller holds a connection or a place in the polls.
 */
function isAtEnd({ running }: Kept): boolean {
  return running === undefined;
}
