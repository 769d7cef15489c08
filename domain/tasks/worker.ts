import type { Account } from '../account.ts';
import type { Instant } from '../instant.ts';
import { iso, plus } from '../instant.ts';
import { tierOf } from '../karma.ts';
import { refused } from './change.ts';
import type { Refused } from './change.ts';
import { FAILS_MAX, EXPIRY_COOLDOWN } from './limits.ts';
import { isStarter, isThread, isTrial } from './model.ts';
import type { TaskTerms, Task } from './model.ts';

/**
 * Who may work on a task. Invariant: no account pays itself, none holds more than its standing
 * carries, and one's failures close no task to another (choices tasks.publication, tasks.leases).
 */
export interface Worker {
  readonly account: Account;
  readonly payee: Account;
  readonly agentId?: string;
  /** Whether it or its payee is the requester, or linked to it (choices tasks.linked). */
  readonly linkedToRequester: boolean;
  readonly liveClaims: number;
  readonly karma: number;
  readonly history: TaskHistory;
  /** Where it stands with starter tasks other than this one. */
  readonly starter: 'never' | 'holds-one' | 'used';
  /** Accepted on another step of a chain of distinct workers, or linked (choices chains.steps). */
  readonly didAnotherStep: boolean;
}

export interface TaskHistory {
  /** Attempts that count: every one but announcements, honest fails and superseded results. */
  readonly used: number;
  readonly fails: number;
  readonly lastLapseAt?: Instant;
}

export const NO_HISTORY: TaskHistory = { used: 0, fails: 0 };

/** Leases an account may hold at a time; one for tier `restricted` (choices tasks.leases). */
export function liveClaimCap(karma: number): number {
  return tierOf(karma) === 'restricted' ? 1 : Math.min(20, 3 + Math.floor(karma / 10));
}

export function attemptsLeft(task: Pick<TaskTerms, 'maxAttempts'>, history: TaskHistory): number {
  return history.fails >= FAILS_MAX ? 0 : Math.max(0, task.maxAttempts - history.used);
}

export function selfDealing(worker: Pick<Worker, 'linkedToRequester'>): Refused | undefined {
  if (!worker.linkedToRequester) return undefined;
  return refused(
    'self-dealing',
    'You or your payee published this task, or are linked to who did.',
  );
}

export function distinctWorker(worker: Pick<Worker, 'didAnotherStep'>): Refused | undefined {
  if (!worker.didAnotherStep) return undefined;
  const why = 'Each step of this chain takes another worker, and you or an account linked to you';
  return refused('self-dealing', `${why} was accepted on one.`);
}

export function threadOnly(task: Task): Refused | undefined {
  if (!isThread(task)) return undefined;
  return refused('thread-only', 'This task is a discussion; it takes comments and no work.');
}

/** A trial is worked on by whom it is for, under its own claim (choices bonuses.trials). */
export function privateTrial(task: Task): Refused | undefined {
  if (!isTrial(task)) return undefined;
  return refused('not-chosen', 'A trial is claimed for the account that it was made for.');
}

export function starterUsed(task: Task, worker: Worker): Refused | undefined {
  if (!isStarter(task) || worker.starter === 'never') return undefined;
  return worker.starter === 'used'
    ? refused('starter-used', 'Your account was paid for a starter task; it is once per account.')
    : refused('starter-used', 'You work on a starter task already; it is once per account.');
}

export function attemptsUsed(task: Task, history: TaskHistory): Refused | undefined {
  if (attemptsLeft(task, history) > 0) return undefined;
  return history.fails >= FAILS_MAX
    ? refused(
        'attempts-used',
        `You gave this task back ${history.fails} times; it is closed to you.`,
      )
    : refused('attempts-used', `You used all ${task.maxAttempts} attempts on this task.`);
}

export function cooling(history: TaskHistory, now: Instant): Refused | undefined {
  if (history.lastLapseAt === undefined) return undefined;
  const until = plus(history.lastLapseAt, EXPIRY_COOLDOWN);
  if (now >= until) return undefined;
  return refused(
    'claim-cooldown',
    `Your lease on this task lapsed; claim it again at ${iso(until)}.`,
    {
      until,
    },
  );
}

export function claimLimit(worker: Pick<Worker, 'liveClaims' | 'karma'>): Refused | undefined {
  const cap = liveClaimCap(worker.karma);
  if (worker.liveClaims < cap) return undefined;
  return refused('claim-limit', `You hold ${worker.liveClaims} tasks and may hold ${cap}.`);
}

/** Absent skills filter nothing; given, all required ones must be there (choices tasks.queue). */
export function lacksSkill(
  task: Pick<TaskTerms, 'requiredSkills'>,
  skills: readonly string[] | undefined,
): string | undefined {
  if (skills === undefined) return undefined;
  return task.requiredSkills.find((skill) => !skills.includes(skill));
}
