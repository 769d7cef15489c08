import type { Account } from '../account.ts';
import { weightOf } from '../draw.ts';
import type { Candidate } from '../draw.ts';
import { seconds } from '../instant.ts';
import { JUDGES_BPS } from '../tasks/limits.ts';
import type { ValidatorSeat } from './seat.ts';

/** More than half of a panel's size decides, so silence never does (choices validators.rounds). */
export type Verdict = 'accepted' | 'rejected';
export type PanelSize = 1 | 3 | 5;

/** Above this five judge, when there are as many. */
const LARGE_REWARD = 100_000_000n;

export const ROUND_LIMIT = seconds(30 * 60);
/** A result that no seat may judge yet is drawn for again after this long. */
export const DRAW_AGAIN = seconds(60);
/** Results of one task in front of panels at a time. */
export const FRONT_MAX = 3;
/** The pauses between the three calls after which a judge counts as a no-show. */
const PAUSES = [seconds(5), seconds(15)] as const;

/** How long after its n-th try, from 1, a judge is called again; undefined after the last. */
export function pauseAfter(tries: number): (typeof PAUSES)[number] | undefined {
  return PAUSES[tries - 1];
}

/** The share of a reward that one judge of a panel gets, in whole basis points. */
function shareBps(size: PanelSize): number {
  return Math.floor(JUDGES_BPS / size);
}

export interface EligibleSeat {
  readonly seat: Pick<ValidatorSeat, 'account' | 'stake' | 'minFeeBps'>;
  /** Linked seats have the same; a draw takes one of them. */
  readonly group: string;
  readonly reliabilityBps?: number;
}

/** With fewer judges than these above it, a bar of the requester would choose the panel. */
const RELIABLE_MIN = 5;

/**
 * The seats that reach the reliability that a requester asks for. Returns undefined when they are
 * too few, so that no requester can leave its own judges alone in the pool.
 */
export function reliableSeats(
  eligible: readonly EligibleSeat[],
  minBps: number,
): readonly EligibleSeat[] | undefined {
  const reliable = eligible.filter(({ reliabilityBps = -1 }) => reliabilityBps >= minBps);
  return new Set(reliable.map(({ group }) => group)).size < RELIABLE_MIN ? undefined : reliable;
}

export interface PoolSeat extends Candidate {
  readonly account: Account;
}

export interface Panel {
  readonly size: PanelSize;
  readonly pool: readonly PoolSeat[];
}

/**
 * Returns the largest panel that a reward pays for and enough seats judge for; undefined if there
 * is none. Linked seats count once, since only one of them can sit.
 */
export function panelOf(reward: bigint, eligible: readonly EligibleSeat[]): Panel | undefined {
  const sizes: readonly PanelSize[] = reward > LARGE_REWARD ? [5, 3, 1] : [3, 1];
  for (const size of sizes) {
    const willing = eligible.filter(({ seat }) => seat.minFeeBps <= shareBps(size));
    if (new Set(willing.map(({ group }) => group)).size < size) continue;
    return { size, pool: willing.map(poolSeat) };
  }
  return undefined;
}

export function poolSeat({ seat, group }: EligibleSeat): PoolSeat {
  return { account: seat.account, weight: weightOf(seat.stake), group };
}

export interface PanelistVerdict {
  readonly account: Account;
  /** Its pick in the draw, from 0. */
  readonly place: number;
  readonly state: 'due' | 'called' | 'voted' | 'no-show' | 'released';
  readonly verdict?: Verdict;
}

export type Tally =
  | {
      readonly verdict: Verdict;
      readonly votes: readonly (PanelistVerdict & { readonly verdict: Verdict })[];
    }
  | { readonly waits: true }
  | { readonly vacant: number };

/**
 * A round's state. It waits while a called judge may answer, so that quickness decides neither pay
 * nor record; then the majority decides, or the missing votes are vacant chairs.
 */
export function tally(size: PanelSize, panelists: readonly PanelistVerdict[]): Tally {
  if (panelists.some(({ state }) => state === 'due' || state === 'called')) return { waits: true };
  const votes = panelists.flatMap((panelist) =>
    panelist.verdict === undefined ? [] : [{ ...panelist, verdict: panelist.verdict }],
  );
  for (const verdict of ['accepted', 'rejected'] as const) {
    const count = votes.filter((vote) => vote.verdict === verdict).length;
    if (count * 2 > size) return { verdict, votes };
  }
  return { vacant: size - votes.length };
}
