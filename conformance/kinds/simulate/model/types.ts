/**
 * An independent second opinion on the hub from spec/choices, in plain values, without its code.
 * Amounts are atomic, times milliseconds since 1970, agents numbers; operation 12 made "t12".
 */
type TaskState =
  | 'open'
  | 'held'
  | 'delivered'
  | 'accepted'
  | 'disputed'
  | 'paid'
  | 'refunded'
  | 'withdrawn'
  | 'expired';

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

export type Verification = 'automatic' | 'validator' | 'requester';

/** The terms of a publication; absent fields take the defaults of choices tasks.publication. */
export interface Terms {
  readonly reward?: bigint;
  readonly mode?: 'open' | 'exclusive';
  readonly verification?: Verification;
  /** Whether the task has the rule that only a good result passes. */
  readonly rule: boolean;
  readonly autoAccept?: number;
  readonly window?: number;
  readonly tags: readonly string[];
  readonly skills: readonly string[];
  readonly maxAttempts?: number;
  readonly deadline?: number;
  /** Basis points of the places that divide the reward. */
  readonly shares?: readonly number[];
}

export interface Attempt {
  readonly name: string;
  readonly task: string;
  readonly worker: number;
  payee: number;
  state: AttemptState;
  /** When the first claim of this attempt was made; renewals leave it. */
  claimedAt: number;
  leaseEndsAt: number;
  deliveredAt: number;
  isGood: boolean;
  /** Where its panel stands; undefined before it was delivered to one. */
  panel: Waiting | undefined;
  /** Whether its claim had a token that is spent or over now. */
  hadToken: boolean;
}

export interface Pitch {
  readonly name: string;
  readonly task: string;
  readonly worker: number;
  readonly price: bigint;
  /** Lapsed: it was chosen and not claimed in its hour. Replaced: its worker offered another. */
  state: 'standing' | 'lapsed' | 'replaced';
}

export interface Task {
  readonly name: string;
  /** Grows with every publication: what is older has the lower number. */
  readonly order: number;
  readonly requester: number;
  readonly mode: 'open' | 'exclusive';
  readonly verification: Verification;
  readonly rule: boolean;
  readonly shares: readonly number[] | undefined;
  readonly autoAccept: number | undefined;
  readonly windowSeconds: number;
  readonly isThread: boolean;
  readonly isPitch: boolean;
  readonly skills: readonly string[];
  readonly maxAttempts: number;
  readonly deadline: number;
  readonly posted: bigint;
  /** The reward that it pays now: the posted one, or the agreed lower price. */
  reward: bigint;
  revision: number;
  state: TaskState;
  readonly attempts: Attempt[];
  readonly pitches: Pitch[];
  /** Whose plan was chosen last: it alone may claim, until another is chosen. */
  chosen: Pitch | undefined;
  /** The pitch that was chosen, and the time until which no other may be. */
  reservation: { readonly pitch: Pitch; readonly until: number } | undefined;
  /** The hold that carries the reward now; a step's is its chain's until it is accepted. */
  hold: 'task' | 'chain' | 'payout' | 'none';
  readonly chain: { readonly name: string; readonly n: number } | undefined;
  dispute: Dispute | undefined;
  payoutAt: number;
  readonly rounds: Round[];
  /** Who voted in a decided round, in the order of their first vote. */
  readonly judges: number[];
  /** The part of its reward that a ruling gave back, or that judges kept though it ended unpaid. */
  returned: bigint;
  kept: bigint;
}

export interface Dispute {
  readonly raisedBy: number;
  readonly voidAt: number;
  state: 'drawn' | 'ruled' | 'void';
  arbiter: number | undefined;
  /** Until when the arbiter may rule; with none drawn, when the next draw is tried. */
  until: number;
  /** Who was drawn and did not rule in time. */
  readonly late: number[];
  /** A draw that the hub made and that has to be read: chance is no part of the model. */
  awaited: readonly Seated[] | undefined;
}

/** A result that waits for a panel: behind others, due for a draw, before a round, or done. */
interface Waiting {
  state: 'queued' | 'due' | 'round' | 'over';
  rounds: number;
  dueAt: number;
  /** When the requester may decide instead. */
  readonly endsAt: number;
}

export type Vote = 'accepted' | 'rejected';

/** A drawn panel (choices validators.rounds). */
export interface Round {
  readonly attempt: Attempt;
  readonly n: number;
  readonly size: number;
  readonly drawnAt: number;
  readonly endsAt: number;
  readonly pool: readonly Seated[];
  /** Everybody in the pool in the order drawn; undefined until the draw was read from the hub. */
  order: readonly number[] | undefined;
  state: 'open' | 'decided' | 'undecided' | 'cancelled';
  verdict: Vote | undefined;
  readonly panelists: Panelist[];
}

export interface Panelist {
  readonly agent: number;
  readonly place: number;
  state: 'due' | 'called' | 'voted' | 'no-show' | 'released';
  tries: number;
  /** When it is called next, or called again after the hub died. */
  dueAt: number;
  vote: Vote | undefined;
}

export interface Seated {
  readonly agent: number;
  readonly weight: bigint;
}

export type StepTerms = Pick<
  Terms,
  'rule' | 'verification' | 'autoAccept' | 'window' | 'skills'
> & {
  readonly reward: bigint;
};

export interface Chain {
  readonly name: string;
  readonly requester: number;
  readonly isDistinct: boolean;
  readonly isSame: boolean;
  readonly steps: readonly StepTerms[];
  state: 'running' | 'completed' | 'abandoned';
  /** The tasks of the steps whose turn came, in order. */
  readonly opened: Task[];
  accepted: number;
}

export interface Loan {
  readonly name: string;
  readonly borrower: number;
  readonly task: string;
  readonly attempt: string;
  readonly principal: bigint;
  readonly takenAt: number;
  /** The part that the borrower's fees did not vouch for. */
  readonly onTrust: bigint;
  principalLeft: bigint;
  originationLeft: bigint;
  state: 'open' | 'due' | 'repaid' | 'defaulted';
  dueAt: number;
  /** Once in default, for ever without credit, also when it was collected after all. */
  hadDefault: boolean;
}

export interface KarmaEntry {
  readonly at: number;
  readonly delta: number;
  /** Whether it is of work that test money paid; work without money counts beside its limit. */
  readonly isTest: boolean;
  readonly positive: boolean;
  readonly counterparty: number | undefined;
  readonly why: string;
}

/** The seat of a judge (choices validators.seats, validators.record). */
export interface Seat {
  state: 'seated' | 'closed' | 'retired';
  stake: bigint;
  /** Whether it judges any task, or those of the one skill only. */
  isForAll: boolean;
  minFeeBps: number;
  paused: 'probe-pending' | 'probe-failed' | 'no-shows' | undefined;
  /** When the next synthetic case goes out, and how many were answered badly in a row. */
  probeAt: number | undefined;
  probesFailed: number;
  rounds: number;
  agreed: number;
  disagreed: number;
  noShows: number;
  overturned: number;
  missedInRow: number;
  /** Its newest panels, oldest first: whether it voted with the majority. */
  lastTwenty: readonly boolean[];
}

/** The first five vote; the others give no vote, the last of them at every other call. */
export const CONDUCTS = [
  'honest',
  'liar',
  'accepts',
  'rejects',
  'worded',
  'closed',
  'broken',
  'rubbish',
  'shy',
] as const;
export type Conduct = (typeof CONDUCTS)[number];

export interface Agent {
  balance: bigint;
  /** Open holds by what they are for, such as `task t12` and `payout t12`. */
  readonly holds: Map<string, bigint>;
  readonly karma: KarmaEntry[];
  /** Its seat as a judge; undefined when it never had one. */
  seat: Seat | undefined;
  /** How its endpoint handles cases, and whether it answers synthetic ones well. */
  conduct: Conduct;
  isProbedWell: boolean;
  /** The amount that settlements added to the credit limit. */
  grown: bigint;
}

export interface Model {
  now: number;
  readonly agents: readonly Agent[];
  readonly tasks: Map<string, Task>;
  readonly chains: Map<string, Chain>;
  readonly loans: Loan[];
  /** The operation as text, by the idempotency key that it was done under. */
  readonly once: Map<string, string>;
  fees: bigint;
  lent: bigint;
}

/** A refusal by its code, or success with the fields that the model knows. */
export type Expected =
  | { readonly refused: string }
  | {
      readonly ok: Readonly<Record<string, unknown>>;
      readonly repeated?: boolean;
      /** The task, attempt, pitch or loan that the call made or renewed. */
      readonly made?: string;
    };

export const HOUR = 3_600_000;
export const DAY = 24 * HOUR;

export const RESTART_SECONDS = 1;
