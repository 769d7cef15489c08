import { iso, plus } from '../instant.ts';
import type { Instant } from '../instant.ts';
import { atomic } from '../money.ts';
import type { Atomic } from '../money.ts';
import { largestRemainder } from '../remainder.ts';
import { refused } from './change.ts';
import type { Refused } from './change.ts';
import { AUTO_ACCEPT_MAX, REWARD_MIN } from './limits.ts';
import type { Shares, Task, TaskTerms } from './model.ts';
import { defined } from '../defined.ts';

/** Invariant: the parts sum to the reward, each at least the minimum (choices tasks.shares). */
export const BPS_WHOLE = 10_000;
export const WINNERS_MAX = 20;

/** Shares as a requester sends them: with places, or to be split freely. */
export interface SharesDraft {
  readonly places?: readonly number[];
  readonly split?: boolean;
  readonly undecided?: Shares['undecided'];
}

export function sharesOf(shares: SharesDraft | undefined, hasRule: boolean): Shares | undefined {
  if (shares === undefined) return undefined;
  const { places, undecided = hasRule ? 'divide' : 'return' } = shares;
  return { ...defined({ places }), undecided };
}

export function sumOf(parts: readonly number[]): number {
  return parts.reduce((sum, part) => sum + part, 0);
}

/** Amounts of basis points: floors, then a unit each by remainder, ties to the earlier place. */
export function partsOf(reward: Atomic, parts: readonly number[]): readonly Atomic[] {
  const paid = (reward * BigInt(sumOf(parts))) / BigInt(BPS_WHOLE);
  const places = parts.map((_, place) => place);
  return largestRemainder(paid, parts.map(BigInt), places).map(atomic);
}

/** Why the terms of these shares cannot be published, in order of precedence. */
export function sharesRefusal(
  shares: SharesDraft | undefined,
  deal: TaskTerms,
): Refused | undefined {
  if (shares === undefined) return undefined;
  const { mode, verification, reward, windows, acceptance } = deal;
  if (mode !== 'open') {
    const why = 'Shares divide the reward of an open task; an exclusive task has one worker.';
    const hint =
      'Send the call again without mode. Milestones of one worker are `POST /api/v1/chains`.';
    return refused('wrong-mode', why, { field: 'body.mode', allowed: ['open'], hint });
  }
  if ((shares.places === undefined) === (shares.split === undefined)) {
    const why = 'Shares have either `places` or `split`, and exactly one of them.';
    return wrong(why, 'body.shares', 'Send the call again with places, or with split true.');
  }
  if (reward === undefined) {
    const why = 'Shares divide a reward, and this task has none.';
    return wrong(
      why,
      'body.rewardAmount',
      'Send the call again with rewardAmount, or without shares.',
    );
  }
  if (verification !== 'requester') {
    const why = `The requester names the winners of shares; verification is ${verification}.`;
    const hint = 'Send the call again without verification; a rule still refuses what misses it.';
    return wrong(why, 'body.verification', hint);
  }
  if (windows.autoAcceptSeconds !== undefined || windows.disputeWindowSeconds !== 0) {
    const field = windows.autoAcceptSeconds === undefined ? 'disputeWindow' : 'autoAccept';
    const why = 'Winners of shares are named once and paid at once, so no window runs.';
    const hint = `Send the call again without ${field}Seconds; shares.undecided says what silence does.`;
    return wrong(why, `body.${field}Seconds`, hint);
  }
  if (shares.undecided === 'divide' && acceptance === undefined) {
    const why = 'Without an acceptance rule anything could be handed in and take a part.';
    const hint = 'Send the call again with an acceptance rule, or with shares.undecided return.';
    return refused('acceptance-required', why, { field: 'body.acceptance', hint });
  }
  return shares.places && placesRefusal(shares.places, reward.amount);
}

function placesRefusal(places: readonly number[], reward: Atomic): Refused | undefined {
  const sum = sumOf(places);
  const field = 'body.shares.places';
  if (sum !== BPS_WHOLE) {
    const why = `The places sum to ${sum} basis points; they must sum to exactly ${BPS_WHOLE}.`;
    return wrong(why, field, 'Correct the places, and send the call again.');
  }
  const small = partsOf(reward, places).findIndex((amount) => amount < REWARD_MIN);
  if (small < 0) return undefined;
  const why = `Place ${small + 1} would pay less than ${REWARD_MIN} atomic units.`;
  return wrong(why, field, 'Send the call again with a larger rewardAmount, or fewer places.');
}

export function wrong(why: string, field: string, hint: string): Refused {
  return refused('bad-shares', why, { field, hint });
}

export function silenceEnds({ deadline }: Pick<Task, 'deadline'>): Instant {
  return plus(deadline, AUTO_ACCEPT_MAX);
}

/** Describes what becomes of an undivided reward; undefined on work with one winner. */
export function atDeadlineOf({ shares, deadline }: TaskTerms): string | undefined {
  if (shares === undefined) return undefined;
  const until = iso(silenceEnds({ deadline }));
  const ends = `Results are taken until ${iso(deadline)}, and the requester names the winners until ${until}.`;
  if (shares.undecided === 'return') {
    return `${ends} If it names none, the whole reward goes back to it, and each result that waits counts against its record.`;
  }
  const parts =
    shares.places === undefined
      ? `the first ${WINNERS_MAX} results that wait are paid equal parts`
      : 'the results that wait take the places';
  const rest = shares.places === undefined ? '' : ' A place that no result takes goes back to it.';
  return `${ends} If it names none, ${parts} in their order of arrival.${rest}`;
}
