import type { AcceptanceRule } from '../acceptance/rule.ts';
import { houseAccount } from '../account.ts';
import type { Account } from '../account.ts';
import type { Candidate } from '../draw.ts';
import type { Instant, Seconds } from '../instant.ts';
import type { Atomic, Bps } from '../money.ts';
import type { NetworkId } from '../network.ts';
import type { TaskFile } from './files.ts';
import type { Clarification, Invitation, LeaseTerms, Progress } from './workTerms.ts';

/**
 * The model of tasks and attempts. Invariant: `state`, the live attempts and the money agree. A
 * `held` task has exactly one claimed attempt, a `delivered` one exactly one waiting attempt, an
 * `accepted` or `disputed` one names the attempt it accepted (choices tasks.states).
 */
export const TASK_STATES = [
  'open',
  'held',
  'delivered',
  'accepted',
  'disputed',
  'paid',
  'refunded',
  'withdrawn',
  'expired',
] as const;
export type TaskState = (typeof TASK_STATES)[number];
export type TaskMode = 'open' | 'exclusive';
export type Verification = 'automatic' | 'validator' | 'requester';

export type AttemptState =
  | 'announced'
  | 'claimed'
  | 'waiting'
  | 'accepted'
  | 'refused'
  | 'rejected'
  | 'failed'
  | 'lapsed'
  | 'superseded';

export interface Reward {
  readonly amount: Atomic;
  readonly asset: 'USDC';
  readonly network: NetworkId;
}

export interface Target {
  readonly origin: string;
  readonly paths?: readonly string[];
}

export interface Conduct {
  readonly robots: 'obey';
  readonly methods: readonly ('GET' | 'HEAD')[];
  readonly minDelayMs: number;
  readonly credentials: 'none';
  readonly maxRequests: number;
  readonly maxSpendAtomic: Atomic;
}

/** The bonus that a discussion announces; it is paid by its own rule and not by this task. */
export interface BonusPayout {
  readonly kind: string;
  readonly amount: Atomic;
  readonly network: NetworkId;
  readonly how: string;
  readonly status: 'open' | 'funded' | 'exhausted';
}

export interface Windows {
  /** Absent means never. */
  readonly autoAcceptSeconds?: Seconds;
  readonly disputeWindowSeconds: Seconds;
}

/** How several winners divide the reward (choices tasks.shares). */
export interface Shares {
  /** Basis points of each place, the first place first; absent when the requester divides freely. */
  readonly places?: readonly number[];
  /** The effect of the silence of the requester after the deadline. */
  readonly undecided: 'divide' | 'return';
}

/** The requester's terms at publication; only a chosen pitch changes them (T18). */
export interface TaskTerms {
  readonly requester: Account;
  readonly mode: TaskMode;
  readonly verification: Verification;
  readonly title: string;
  readonly description: string;
  readonly requiredSkills: readonly string[];
  readonly tags: readonly string[];
  readonly input?: Readonly<Record<string, unknown>>;
  /** Whom its texts are for; absent means everybody. */
  readonly audience?: 'parties';
  /** Files of the requester that the brief names. */
  readonly files?: readonly TaskFile[];
  /** Absent on unpaid work. */
  readonly reward?: Reward;
  readonly fees: { readonly hubBps: Bps; readonly judgesBps: Bps };
  readonly acceptance?: AcceptanceRule;
  readonly shares?: Shares;
  /** The least reliability of the judges that panels are drawn from, in basis points. */
  readonly minReliabilityBps?: number;
  readonly windows: Windows;
  readonly target?: Target;
  readonly conduct?: Conduct;
  /** A notice that is no part of the terms: the house announces its bonuses with it. */
  readonly payout?: BonusPayout;
  readonly maxAttempts: number;
  readonly deadline: Instant;
  /** Absent means the standing lease. */
  readonly lease?: LeaseTerms;
  /** Added after publication, oldest first (choices tasks.amendments). */
  readonly clarifications?: readonly Clarification[];
  /** While named accounts alone may claim it; it is no part of the digest. */
  readonly invited?: Invitation;
}

export interface Task extends TaskTerms {
  readonly id: string;
  readonly terms: { readonly digest: string; readonly revision: number };
  readonly state: TaskState;
  /** All attempts ever started. */
  readonly attempts: number;
  readonly comments: number;
  readonly createdAt: Instant;
  /** The chain that it is a step of, whose escrow holds the reward until a result is accepted. */
  readonly chain?: {
    readonly id: string;
    readonly step: number;
    /** For a milestone after the first: the only account that may claim it. */
    readonly worker?: Account;
  };
  /** Judges of decided rounds, in draw order; paid however it ends (choices validators.pay). */
  readonly judges: readonly Account[];
  readonly pitches: number;
  /** Changes of its terms that were ever made or proposed. */
  readonly amendments: number;
  /** The chosen worker, who may claim until its time lapses or another is chosen. */
  readonly chosen?: { readonly pitchId: string; readonly worker: Account };
  /** The chosen worker's time to claim, in which none other is chosen (choices tasks.pitching). */
  readonly reserved?: { readonly for: Account; readonly until: Instant };
  readonly accepted?: {
    readonly attemptId: string;
    readonly at: Instant;
    /** When the payout is released; absent on unpaid work. */
    readonly payoutAt?: Instant;
  };
}

export interface Attempt {
  readonly id: string;
  readonly taskId: string;
  readonly worker: Account;
  readonly payee: Account;
  /** Registry listing that the worker acted as. */
  readonly agentId?: string;
  readonly state: AttemptState;
  readonly termsDigest: string;
  readonly startedAt: Instant;
  readonly leaseEndsAt?: Instant;
  /** Known only to the caller that just made or renewed the lease; the store has its hash alone. */
  readonly claimToken?: string;
  /** While the lease lives: the key that the token is worked out from; empty for one of before. */
  readonly tokenKey?: string;
  readonly progress?: Progress;
  readonly deliveredAt?: Instant;
  readonly endedAt?: Instant;
  readonly reason?: string;
  readonly result?: { readonly value: unknown; readonly files?: readonly TaskFile[] };
  /** For a divided reward: the place, its basis points and its part before fees. */
  readonly place?: number;
  readonly shareBps?: number;
  readonly award?: Atomic;
}

/** A plan offered on a task tagged `pitch`; an account has one per task. */
export interface Pitch {
  readonly id: string;
  readonly taskId: string;
  readonly worker: Account;
  readonly plan: string;
  /** The price before fees, the whole reward included; absent on unpaid work. */
  readonly price?: Atomic;
  readonly createdAt: Instant;
  /** Chosen once, and not claimed in time. */
  readonly lapsed: boolean;
}

/** An arbiter that was drawn, with all that makes the draw again (choices validators.draw). */
export interface ArbiterDraw {
  readonly arbiter: Account;
  /** The pulse whose random the seed is of. */
  readonly pulseSeq: number;
  /** In hex. */
  readonly seed: string;
  readonly pool: readonly (Candidate & { readonly account: Account })[];
  readonly drawnAt: Instant;
  readonly until: Instant;
}

/** An objection to an accepted result; a task has one. */
export interface Dispute {
  readonly taskId: string;
  readonly raisedBy: Account;
  readonly reason: string;
  readonly at: Instant;
  /** Without a ruling by then it is void. */
  readonly voidAt: Instant;
  readonly state: 'drawn' | 'ruled' | 'void';
  /** Who decides, or decided; absent while no seat may. */
  readonly arbiter?: Account;
  /** Until when that arbiter must have ruled. */
  readonly until?: Instant;
  /** When the next draw is tried, while there is no arbiter. */
  readonly drawAt?: Instant;
  /** First to last; every one but the last did not rule in time. */
  readonly draws: readonly ArbiterDraw[];
  readonly verdict?: 'upheld' | 'rejected' | 'split';
  readonly workerShareBps?: Bps;
  readonly resolution?: string;
  /** The amendment by which the parties settled it; void without a ruling otherwise. */
  readonly settledBy?: string;
  readonly endedAt?: Instant;
}

/** A task with the attempts that are not over: claimed, waiting, and the accepted one. */
export interface TaskAggregate {
  readonly task: Task;
  readonly live: readonly Attempt[];
  /** Its dispute, once there is one; lists may leave it out. */
  readonly dispute?: Dispute;
}

export function claimed(aggregate: TaskAggregate): Attempt | undefined {
  return aggregate.live.find((attempt) => attempt.state === 'claimed');
}

/** Undecided results, oldest first. */
export function undecided(aggregate: TaskAggregate): readonly Attempt[] {
  return aggregate.live
    .filter((attempt) => attempt.state === 'waiting')
    .sort((a, b) => arrivedAt(a) - arrivedAt(b) || (a.id < b.id ? -1 : 1));
}

function arrivedAt({ deliveredAt, startedAt }: Attempt): Instant {
  return deliveredAt ?? startedAt;
}

export function acceptedAttempt(aggregate: TaskAggregate): Attempt | undefined {
  return aggregate.live.find((attempt) => attempt.id === aggregate.task.accepted?.attemptId);
}

export function isThread(task: Pick<TaskTerms, 'tags'>): boolean {
  return task.tags.includes('thread');
}

export function isPitch(task: Pick<TaskTerms, 'tags'>): boolean {
  return task.tags.includes('pitch');
}

/** Whether plans may be offered and one of them taken now. */
export function takesPitches(task: Task): boolean {
  const free = task.state === 'open' && task.reserved === undefined;
  return free && isPitch(task) && !isThread(task);
}

export const STARTER_ACCOUNT: Account = houseAccount('hub:starter');

/** One starter task per account, ever (choices bonuses.starter). */
export function isStarter(task: Pick<TaskTerms, 'requester' | 'tags'>): boolean {
  return task.requester === STARTER_ACCOUNT && task.tags.includes('starter');
}

export const BOARD_ACCOUNT: Account = houseAccount('hub:board');

/** A trial is made for one account and already claimed for it (choices bonuses.trials). */
export function isTrial(task: Pick<TaskTerms, 'requester' | 'tags'>): boolean {
  return task.requester === BOARD_ACCOUNT && task.tags.includes('trial');
}

/** Whether the queue may offer it: paid, exclusive, to all, no discussion and no pitches. */
export function isQueued(task: TaskTerms): boolean {
  return (
    task.mode === 'exclusive' &&
    task.reward !== undefined &&
    task.invited === undefined &&
    !isThread(task) &&
    !isPitch(task)
  );
}
