import { accountClass, type Account } from '../account.ts';
import { seconds, type Instant } from '../instant.ts';
import { atomic, type Atomic } from '../money.ts';
import { paidBy, type Change } from './change.ts';
import { loserOf } from './dispute.ts';
import type { Attempt, Task } from './model.ts';

/**
 * Measured figures of workers by label and network (choices tasks.figures). Invariant: they follow
 * from ended attempts alone, and one requester moves each count of a row at most three times within
 * ninety days of its newest entries.
 */
type Outcome = 'paid' | 'rejected' | 'lapsed';

/** How one attempt on rewarded work of another account ended. */
export interface WorkEnd {
  readonly worker: Account;
  readonly requester: Account;
  readonly outcome: Outcome;
  /** The reward of the worker before fees. */
  readonly reward: Atomic;
  /** From the start of the attempt to its delivery, in seconds. */
  readonly deliverySeconds: number;
  readonly at: Instant;
}

export interface RecentEnd {
  readonly by: Account;
  readonly outcome: Outcome;
  readonly reward: number;
  readonly seconds: number;
  readonly at: number;
}

/** One row: what an account did under a label on a network; the empty label is everything. */
export interface WorkerFigures {
  readonly paid: number;
  readonly rejected: number;
  readonly lapsed: number;
  /** Rewards of the tasks in `paid`, before fees. */
  readonly earned: Atomic;
  readonly lastPaidAt?: Instant;
  /** Newest last. */
  readonly recent: readonly RecentEnd[];
}

export const NO_FIGURES: WorkerFigures = {
  paid: 0,
  rejected: 0,
  lapsed: 0,
  earned: atomic(0n),
  recent: [],
};

/** Ends that a row remembers, for its medians and for the share of one requester. */
const RECENT_MAX = 20;
const OF_ONE_REQUESTER = 3;
const WINDOW_MS = seconds(90 * 86_400) * 1_000;
/** Labels of a task that have rows, besides the row of all work. */
const LABELS_MAX = 5;
export const ALL_WORK = '';

/** Skills and tags of a task, as workers are found by them. */
export function labelsOf({
  requiredSkills,
  tags,
}: Pick<Task, 'requiredSkills' | 'tags'>): readonly string[] {
  const all = [...requiredSkills, ...tags].map(labelled);
  return [ALL_WORK, ...[...new Set(all)].slice(0, LABELS_MAX)];
}

/** The form in which labels are stored and asked for. */
export function labelled(label: string): string {
  return label.normalize('NFKC').trim().toLowerCase();
}

/** Ends by a change that count: rewarded work between two accounts that are not the house. */
export function endsOf(change: Change, was: Task | undefined): readonly WorkEnd[] {
  const { task, attempts } = change;
  if (task.reward === undefined || accountClass(task.requester) !== 'user') return [];
  const lost = loserIn(change);
  const wins = task.state === 'paid' && was?.state !== 'paid' ? winnersOf(change) : [];
  return [
    ...wins.filter(({ worker }) => worker !== lost).map((each) => endOf(task, each, 'paid')),
    ...paidBy(change.money)
      .filter(({ worker }) => worker === lost)
      .map((each) => endOf(task, each, 'rejected')),
    ...attempts.flatMap((each) => {
      const { state } = each;
      return state === 'rejected' || state === 'lapsed' ? [endOf(task, each, state)] : [];
    }),
  ];
}

/** An agreed split ends the work without a verdict, so it is no record. */
function winnersOf({ money }: Change): readonly Attempt[] {
  return money?.step === 'part' ? [] : paidBy(money);
}

function loserIn({ dispute, task, money }: Change): Account | undefined {
  const [attempt] = paidBy(money);
  if (dispute?.state !== 'ruled' || attempt === undefined) return undefined;
  return loserOf(dispute, task.requester, attempt.worker);
}

function endOf(task: Task, attempt: Attempt, outcome: Outcome): WorkEnd {
  const { worker, award, startedAt, deliveredAt, endedAt } = attempt;
  const at = endedAt ?? deliveredAt ?? startedAt;
  return {
    worker,
    requester: task.requester,
    outcome,
    reward: award ?? task.reward?.amount ?? atomic(0n),
    deliverySeconds: Math.max(0, Math.round(((deliveredAt ?? at) - startedAt) / 1_000)),
    at,
  };
}

/** The figures after an end; the same ones where its requester has had its share of them. */
export function afterEnd(figures: WorkerFigures, end: WorkEnd): WorkerFigures {
  const { requester, outcome, reward, deliverySeconds, at } = end;
  const { recent } = figures;
  const ofRequester = recent.filter(
    (each) => each.by === requester && each.outcome === outcome && each.at > at - WINDOW_MS,
  );
  if (ofRequester.length >= OF_ONE_REQUESTER) return figures;
  const added: RecentEnd = {
    by: requester,
    outcome,
    reward: Number(reward),
    seconds: deliverySeconds,
    at,
  };
  return {
    ...figures,
    [outcome]: figures[outcome] + 1,
    recent: [...recent, added].slice(-RECENT_MAX),
    ...(outcome === 'paid' && { earned: atomic(figures.earned + reward), lastPaidAt: at }),
  };
}

/** The figures that a search shows and sorts by. */
export interface Measures {
  /** The paid part of all that ended. */
  readonly acceptedBps: number;
  /** Lower medians over the newest paid ends. */
  readonly medianReward: Atomic;
  readonly medianSeconds: number;
  /** Different requesters among them. */
  readonly requesters: number;
}

export function measuresOf({ paid, rejected, lapsed, recent }: WorkerFigures): Measures {
  const all = paid + rejected + lapsed;
  const ends = recent.filter(({ outcome }) => outcome === 'paid');
  return {
    acceptedBps: all === 0 ? 0 : Math.floor((paid * 10_000) / all),
    medianReward: atomic(BigInt(medianOf(ends.map(({ reward }) => reward)))),
    medianSeconds: medianOf(ends.map((each) => each.seconds)),
    requesters: new Set(ends.map(({ by }) => by)).size,
  };
}

function medianOf(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor((sorted.length - 1) / 2)] ?? 0;
}
