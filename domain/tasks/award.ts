import type { Account } from '../account.ts';
import { defined } from '../defined.ts';
import { iso } from '../instant.ts';
import type { Instant } from '../instant.ts';
import { atomic, ZERO } from '../money.ts';
import type { Atomic } from '../money.ts';
import { equalParts } from '../remainder.ts';
import { closed, isRefused, refused } from './change.ts';
import type { Change, Refused, TaskEvent } from './change.ts';
import { alreadyDecided, notRequester } from './decide.ts';
import type { SolutionRef } from './decide.ts';
import { REWARD_MIN } from './limits.ts';
import { undecided } from './model.ts';
import type { Attempt, Shares, Task, TaskAggregate } from './model.ts';
import { BPS_WHOLE, partsOf, sumOf, WINNERS_MAX, wrong } from './shares.ts';

/**
 * Names the winners of a divided reward, once (T27, T28). Invariant: one party takes at most one
 * place, no place stays empty while a result waits, and until the deadline the whole reward is
 * given; what is not given after it goes back in the same transfer (choices tasks.shares).
 */
export interface WinnerRef {
  readonly solution: SolutionRef;
  readonly bps?: number;
}

/** The group of each account; linked accounts have the same one. */
export type Groups = ReadonlyMap<Account, string>;

interface Pick {
  readonly attempt: Attempt;
  readonly bps: number;
  readonly amount: Atomic;
}

export function award(
  aggregate: TaskAggregate,
  by: Account,
  { winners, groups }: { readonly winners: readonly WinnerRef[]; readonly groups: Groups },
  now: Instant,
): Change | Refused {
  const { task } = aggregate;
  const stranger = notRequester(task, by);
  if (stranger !== undefined) return stranger;
  const { shares } = task;
  if (shares === undefined) {
    const hint = 'Send the call again with the id of the result that wins as solutionId.';
    return refused('wrong-mode', 'This task has one winner.', { field: 'body.winners', hint });
  }
  const named = waitingOf(aggregate, winners);
  if (isRefused(named)) return named;
  const parts = bpsOf(shares, winners);
  if (isRefused(parts)) return parts;
  const refusal =
    unfilled(aggregate, parts, now) ?? oneParty(task.requester, named.attempts, groups);
  if (refusal !== undefined) return refusal;
  const picks = picksOf(task, named.attempts, parts);
  const small = picks.findIndex(({ amount }) => amount < REWARD_MIN);
  if (small >= 0) {
    const why = `The part of winner ${small + 1} is below ${REWARD_MIN} atomic units.`;
    const hint = 'Give it more basis points or leave it out, and send the call again.';
    return wrong(why, `body.winners[${small}].bps`, hint);
  }
  return awarded(aggregate, picks, { event: 'task.accepted', actor: by }, now);
}

function waitingOf(
  aggregate: TaskAggregate,
  winners: readonly WinnerRef[],
): { readonly attempts: readonly Attempt[] } | Refused {
  const waiting = new Map(undecided(aggregate).map((attempt) => [attempt.id, attempt]));
  const attempts: Attempt[] = [];
  for (const [place, { solution }] of winners.entries()) {
    const field = `body.winners[${place}].solutionId`;
    const attempt = waiting.get(solution.id);
    if (attempt === undefined) return { ...alreadyDecided(solution), field };
    if (attempts.includes(attempt)) {
      return wrong(
        `Winner ${place + 1} is named twice.`,
        field,
        'Name each winning result once, and send the call again.',
      );
    }
    attempts.push(attempt);
  }
  return { attempts };
}

/** The basis points of each winner: by its place, or as the requester divides. */
function bpsOf({ places }: Shares, winners: readonly WinnerRef[]): readonly number[] | Refused {
  if (places !== undefined && winners.length > places.length) {
    const why = `This task has ${places.length} places, and the call names ${winners.length} winners.`;
    const hint = `Send the call again with at most ${places.length} winners.`;
    return wrong(why, 'body.winners', hint);
  }
  const parts: number[] = [];
  for (const [place, { bps }] of winners.entries()) {
    const part = places === undefined ? bps : places[place];
    if (part === undefined || (bps !== undefined && bps !== part)) {
      const why =
        places === undefined
          ? `Winner ${place + 1} has no basis points, and the requester divides this reward.`
          : `Place ${place + 1} pays ${part ?? 0} basis points, and the call says ${bps ?? 0}.`;
      const hint =
        places === undefined
          ? 'Send the call again with bps for each winner.'
          : 'Send the call again without bps: the places fix it.';
      return wrong(why, `body.winners[${place}].bps`, hint);
    }
    parts.push(part);
  }
  const sum = sumOf(parts);
  if (sum <= BPS_WHOLE) return parts;
  const why = `The winners take ${sum} basis points; the reward has ${BPS_WHOLE}.`;
  return wrong(why, 'body.winners', 'Lower the basis points, and send the call again.');
}

function unfilled(
  aggregate: TaskAggregate,
  parts: readonly number[],
  now: Instant,
): Refused | undefined {
  const { id, shares, deadline } = aggregate.task;
  const waiting = undecided(aggregate).length;
  const open = (shares?.places?.length ?? 0) - parts.length;
  if (open > 0 && waiting > parts.length) {
    const why = `${waiting} results wait, and the winners fill ${parts.length} places.`;
    const hint = `Send the call again with more winners; \`POST /api/v1/tasks/${id}/reject\` closes a result that deserves none.`;
    return wrong(why, 'body.winners', hint);
  }
  const sum = sumOf(parts);
  if (sum === BPS_WHOLE || now >= deadline) return undefined;
  const why = `Until the deadline the whole reward is given, and the winners take ${sum} of ${BPS_WHOLE} basis points.`;
  const hint = `Send the call again with winners for all of it, or after ${iso(deadline)}, when the rest goes back to you.`;
  return { ...wrong(why, 'body.winners', hint), until: deadline };
}

/** One party takes at most one place, and the requester none. */
function oneParty(
  requester: Account,
  winners: readonly Attempt[],
  groups: Groups,
): Refused | undefined {
  const taken = new Map([[groupOf(groups, requester), 'the requester']]);
  for (const [place, attempt] of winners.entries()) {
    const own = partiesOf(attempt, groups);
    const other = own.map((group) => taken.get(group)).find((name) => name !== undefined);
    if (other !== undefined) {
      const why = `Winner ${place + 1}, or its payee, is linked to ${other}: one party takes at most one place.`;
      const field = `body.winners[${place}].solutionId`;
      const hint = 'Send the call again with another result in its place.';
      return refused('self-dealing', why, { field, hint });
    }
    for (const group of own) taken.set(group, `winner ${place + 1}`);
  }
  return undefined;
}

function partiesOf({ worker, payee }: Attempt, groups: Groups): readonly string[] {
  return [...new Set([groupOf(groups, worker), groupOf(groups, payee)])];
}

function groupOf(groups: Groups, account: Account): string {
  return groups.get(account) ?? account;
}

function picksOf(task: Task, attempts: readonly Attempt[], parts: readonly number[]): Pick[] {
  const reward = task.reward?.amount ?? ZERO;
  // The parts of all places are fixed at publication, however many of them are filled.
  const amounts = isEqual(task, parts)
    ? equalParts(reward, parts.length).map(atomic)
    : partsOf(reward, task.shares?.places ?? parts);
  return attempts.map((attempt, place) => ({
    attempt,
    bps: parts[place] ?? 0,
    amount: amounts[place] ?? ZERO,
  }));
}

/** Results that are looked at when silence divides; they are the first that arrived. */
const CANDIDATES_MAX = 100;

export function candidates(aggregate: TaskAggregate): readonly Attempt[] {
  return undecided(aggregate).slice(0, CANDIDATES_MAX);
}

/**
 * Divides the reward when the requester named no winners: the first results take the places, or
 * equal parts, in the order of their arrival (T28). Returns undefined if none of them may win.
 */
export function divideUndecided(
  aggregate: TaskAggregate,
  groups: Groups,
  now: Instant,
): Change | undefined {
  const { task } = aggregate;
  const { shares, requester } = task;
  if (shares === undefined) return undefined;
  const room = roomOf(task);
  const winners: Attempt[] = [];
  for (const attempt of candidates(aggregate)) {
    if (winners.length === room) break;
    if (oneParty(requester, [...winners, attempt], groups) === undefined) winners.push(attempt);
  }
  if (winners.length === 0) return undefined;
  const parts = shares.places?.slice(0, winners.length) ?? equalBps(winners.length);
  return awarded(aggregate, picksOf(task, winners, parts), { event: 'task.auto-accepted' }, now);
}

function roomOf({ shares, reward }: Task): number {
  const paid = Number((reward?.amount ?? ZERO) / REWARD_MIN);
  return shares?.places?.length ?? Math.min(WINNERS_MAX, paid);
}

/** The first results that wait as winners, as the requester may name them now, or none. */
export function firstWinners(aggregate: TaskAggregate, now: Instant): readonly WinnerRef[] {
  const { task } = aggregate;
  const waiting = undecided(aggregate).slice(0, roomOf(task));
  const parts = task.shares?.places === undefined ? equalBps(waiting.length) : [];
  const winners = waiting.map((attempt, nth): WinnerRef => ({
    solution: { id: attempt.id, attempt },
    ...defined({ bps: parts[nth] }),
  }));
  if (winners.length === 0) return [];
  const decision = award(aggregate, task.requester, { winners, groups: new Map() }, now);
  return isRefused(decision) ? [] : winners;
}

/** The basis points of equal parts, the odd ones to the first. */
function equalBps(count: number): readonly number[] {
  return equalParts(BigInt(BPS_WHOLE), count).map(Number);
}

/**
 * Whether the basis points are as equal as they can be. Such parts are equal to the unit, because a
 * basis point of a large reward is worth more than any rounding should move.
 */
function isEqual({ shares }: Task, parts: readonly number[]): boolean {
  if (shares?.places !== undefined || sumOf(parts) !== BPS_WHOLE) return false;
  return Math.max(...parts) - Math.min(...parts) <= 1;
}

function awarded(
  aggregate: TaskAggregate,
  picks: readonly Pick[],
  by: { readonly event: 'task.accepted' | 'task.auto-accepted'; readonly actor?: Account },
  now: Instant,
): Change {
  const { task } = aggregate;
  const winners = picks.map(({ attempt, bps, amount }, place) => ({
    ...closed(attempt, 'accepted', now),
    place: place + 1,
    shareBps: bps,
    award: amount,
  }));
  const won = new Set(winners.map(({ id }) => id));
  const others = undecided(aggregate)
    .filter(({ id }) => !won.has(id))
    .map((other) => closed(other, 'superseded', now, 'other results were accepted'));
  const [first] = winners;
  const paid = winners.reduce((sum, { award: part }) => sum + part, 0n);
  const rest = atomic((task.reward?.amount ?? ZERO) - paid);
  const events = winners.flatMap(({ id: attemptId }): TaskEvent[] => [
    { at: now, ...by, state: 'accepted', attemptId },
  ]);
  const payments = winners.map(({ id: attemptId }): TaskEvent => ({
    at: now,
    event: 'task.paid',
    state: 'paid',
    attemptId,
  }));
  return {
    task: {
      ...task,
      state: 'paid',
      ...(first !== undefined && { accepted: { attemptId: first.id, at: now, payoutAt: now } }),
    },
    attempts: [...winners, ...others],
    events: [...events, ...payments],
    money: { step: 'share', winners, rest },
  };
}
