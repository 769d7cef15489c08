import type { Account } from './account.ts';
import { accountClass } from './account.ts';
import { seconds } from './instant.ts';
import type { NetworkKind } from './network.ts';

/**
 * Standing (choices karma.entries). Invariant: the total is the plain sum of append-only entries,
 * nothing decays, and one counterparty, the house or play with test money gives only so much of it.
 */
interface Worth {
  readonly real: number;
  readonly test: number;
  /** The most that this reason gives in one UTC day; absent where nothing bounds it. */
  readonly dailyMax?: number;
}

const WORTH = {
  'task.paid.worker': { real: 3, test: 1 },
  'task.paid.requester': { real: 1, test: 0 },
  'chain.completed': { real: 1, test: 0 },
  'call.served': { real: 1, test: 0, dailyMax: 5 },
  'judge.agreed': { real: 1, test: 1, dailyMax: 5 },
  'judge.disagreed': { real: -1, test: -1 },
  'judge.no-show': { real: -1, test: -1 },
  'arbiter.ruled': { real: 2, test: 1 },
  'arbiter.late': { real: -2, test: -1 },
  'claim.lapsed': { real: -5, test: -5 },
  'pitch.unclaimed': { real: -2, test: -2 },
  'panel.rejected': { real: -1, test: -1 },
  'dispute.lost': { real: -3, test: -3 },
  'delivery.ignored': { real: -2, test: -2 },
  'review.good': { real: 1, test: 0 },
  'review.bad': { real: -1, test: 0 },
  'loan.defaulted': { real: -20, test: -5 },
  'seat.retired': { real: -20, test: -20 },
  'domain.proved': { real: 5, test: 5 },
} as const satisfies Readonly<Record<string, Worth>>;

export const LAPSE_KARMA: number = WORTH['claim.lapsed'].real;

export type KarmaReason = keyof typeof WORTH;
export const KARMA_REASONS: readonly KarmaReason[] = Object.keys(WORTH).filter(isReason);

function isReason(text: string): text is KarmaReason {
  return Object.hasOwn(WORTH, text);
}

export const KARMA_REF_KINDS = [
  'task',
  'chain',
  'call',
  'round',
  'dispute',
  'review',
  'loan',
  'seat',
  'domain',
] as const;

/** The money behind an entry; play money costs as little as test money and weighs the same. */
export const KARMA_MONEY = ['real', 'test', 'none'] as const;
export type KarmaMoney = (typeof KARMA_MONEY)[number];

export const LOWERINGS = ['counterparty', 'daily-cap', 'test-cap'] as const;
type Lowering = (typeof LOWERINGS)[number];

/** An account, or the code of a listing without a holder, whose claimant takes its standing. */
export type KarmaSubject = Account | ListingSubject;
export type ListingSubject = `listing:${string}`;

export function isListing(subject: KarmaSubject): subject is ListingSubject {
  return subject.startsWith('listing:');
}

export interface KarmaCause {
  readonly subject: Account;
  readonly reason: KarmaReason;
  readonly ref: { readonly kind: (typeof KARMA_REF_KINDS)[number]; readonly id: string };
  /** An event that counts only once for this subject and reason; a repetition changes nothing. */
  readonly occasion: string;
  readonly counterparty?: Account;
}
export type StandingCause = Omit<KarmaCause, 'subject'> & { readonly subject: KarmaSubject };

export function moneyBehind(kind: NetworkKind | undefined): KarmaMoney {
  if (kind === undefined) return 'none';
  return kind === 'real' ? 'real' : 'test';
}

/** Returns the worth of a reason before any lowering; zero is no entry at all. */
export function fullWorth(reason: KarmaReason, money: KarmaMoney): number {
  const { real, test } = WORTH[reason];
  return money === 'test' ? test : real;
}

/** How long one counterparty's gains are counted together. */
export const COUNTERPARTY_WINDOW = seconds(90 * 86_400);
/** Percent of the first, second and third gain; later ones count nothing. */
export const COUNTERPARTY_SHARES: readonly number[] = [100, 60, 30];
export const COUNTERPARTY_SEEN_MAX: number = COUNTERPARTY_SHARES.length;
const HOUSE_DAILY_MAX = 10;
export const TEST_MAX = 20;

/** Sums of the subject's earlier entries, read while no other transaction adds to them. */
export interface Earlier {
  /** Whether the counterparty is the subject itself, or linked to it. */
  readonly ownParty: boolean;
  /** Gains from the counterparty, and all linked to it, within the window. */
  readonly fromCounterparty: number;
  /** Karma that this reason gave in this UTC day. */
  readonly todayByReason: number;
  readonly todayFromHouse: number;
  readonly fromTestNetworks: number;
}

export interface Weighed {
  readonly delta: number;
  readonly fullDelta: number;
  /** The last rule that lowered it; absent when none did. */
  readonly loweredBy?: Lowering;
}

/** Returns the change by an entry: losses in full, gains as far as rules against farming allow. */
export function weigh(
  cause: Pick<KarmaCause, 'reason' | 'counterparty'>,
  money: KarmaMoney,
  earlier: Earlier,
): Weighed {
  const fullDelta = fullWorth(cause.reason, money);
  if (fullDelta <= 0) return { delta: fullDelta, fullDelta };
  const { dailyMax }: Worth = WORTH[cause.reason];
  const leftOf = (max: number, used: number): number => Math.max(0, max - used);
  const limits: readonly (readonly [Lowering, number])[] = [
    byCounterparty(cause.counterparty, fullDelta, earlier),
    ['daily-cap', dailyMax === undefined ? fullDelta : leftOf(dailyMax, earlier.todayByReason)],
    ['test-cap', money === 'test' ? leftOf(TEST_MAX, earlier.fromTestNetworks) : fullDelta],
  ];
  return limits.reduce<Weighed>(
    (weighed, [loweredBy, most]) =>
      most < weighed.delta ? { delta: most, fullDelta, loweredBy } : weighed,
    { delta: fullDelta, fullDelta },
  );
}

/** The house pays everybody, so it is bounded by the day and not by how often it paid. */
function byCounterparty(
  counterparty: Account | undefined,
  fullDelta: number,
  earlier: Earlier,
): readonly [Lowering, number] {
  if (counterparty === undefined) return ['counterparty', fullDelta];
  if (isHouse(counterparty)) {
    return ['daily-cap', Math.max(0, HOUSE_DAILY_MAX - earlier.todayFromHouse)];
  }
  const share = earlier.ownParty ? 0 : (COUNTERPARTY_SHARES[earlier.fromCounterparty] ?? 0);
  return ['counterparty', Math.floor((fullDelta * share) / 100)];
}

function isHouse(account: Account): boolean {
  return accountClass(account) === 'hub';
}

export type KarmaTier = 'restricted' | 'new' | 'known' | 'trusted' | 'established';

const TIERS: readonly { readonly tier: KarmaTier; readonly at: number }[] = [
  { tier: 'new', at: 0 },
  { tier: 'known', at: 10 },
  { tier: 'trusted', at: 50 },
  { tier: 'established', at: 200 },
];

/** Below zero an account is restricted to one live claim, and has neither credit nor pitches. */
export function tierOf(total: number): KarmaTier {
  return TIERS.findLast(({ at }) => total >= at)?.tier ?? 'restricted';
}

/** The tier above, with the total from which it holds; undefined at the highest. */
export function nextTier(
  total: number,
): { readonly tier: KarmaTier; readonly at: number } | undefined {
  return TIERS.find(({ at }) => total < at);
}
