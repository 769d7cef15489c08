import type { Account } from '../account.ts';
import { defined } from '../defined.ts';
import { earliest, instant, iso, plus } from '../instant.ts';
import type { Instant } from '../instant.ts';
import { atomic } from '../money.ts';
import type { Atomic } from '../money.ts';
import type { NetworkId, NetworkKind } from '../network.ts';
import {
  BET_MINIMUM,
  BETTORS_MAXIMUM,
  CLOSES_MAXIMUM,
  COUNTED_AFTER,
  NO_POTS,
  OPEN_MAXIMUM,
  OPEN_MINIMUM,
  OPEN_MINIMUM_CHECK,
  VOID_AFTER,
  VOID_AFTER_CHECK,
  type Check,
  type CheckOp,
  type Market,
  type Outcome,
  type Position,
  type Sample,
  type Side,
  type VoidReason,
} from './model.ts';
import { returnOf, settled, voided, type Settlement } from './payout.ts';

/** The changes of a market as values (choices predictions.terms, predictions.transitions). */
type MarketRefusal =
  | 'deadline'
  | 'below-minimum'
  | 'market-closed'
  | 'market-moved'
  | 'creator-may-not'
  | 'ceiling-reached'
  | 'market-open'
  | 'already-resolved'
  | 'bad-check';
export interface Refused {
  readonly refused: MarketRefusal;
  readonly why: string;
  readonly field?: string;
}

export interface Draft {
  readonly id: string;
  readonly question: string;
  readonly source: string;
  readonly closesAt: Instant;
  readonly network: NetworkId;
  readonly kind: NetworkKind;
  readonly creator: Account;
  readonly check?: Check;
}

export function openMarket(draft: Draft, now: Instant): Market | Refused {
  const { kind, check, closesAt } = draft;
  const least = check === undefined ? OPEN_MINIMUM : OPEN_MINIMUM_CHECK;
  const real = kind === 'real';
  const from = real ? plus(now, least) : instant(now + 1);
  const to = real ? plus(now, OPEN_MAXIMUM) : instant(CLOSES_MAXIMUM);
  if (closesAt < from || closesAt > to) {
    return {
      refused: 'deadline',
      why: `closesAt lies from ${iso(from)} to ${iso(to)} on ${draft.network}; got ${iso(closesAt)}.`,
      field: 'body.closesAt',
    };
  }
  const { id, question, source, network, creator } = draft;
  return {
    id,
    question,
    source,
    network,
    creator,
    state: 'open',
    ...defined({ check }),
    pots: NO_POTS,
    bettors: { yes: 0, no: 0, all: 0 },
    version: 1,
    closesAt,
    resolveBy: plus(closesAt, check === undefined ? VOID_AFTER : VOID_AFTER_CHECK),
    createdAt: now,
  };
}

export interface Bet {
  readonly account: Account;
  readonly side: Side;
  readonly amount: Atomic;
  /** The version that the bettor saw; the bet is refused when the market moved since. */
  readonly ifVersion?: number;
  /** The least that the bet must bring back if its side comes true, right after it. */
  readonly minPayout?: Atomic;
}

export function placeBet(
  market: Market,
  before: Position | undefined,
  bet: Bet,
): { readonly market: Market; readonly position: Position } | Refused {
  const { account, side, amount } = bet;
  const refusal = mayBet(market, before, bet);
  if (refusal !== undefined) return refusal;
  const first = before ?? { account, yes: 0n, no: 0n, place: market.bettors.all + 1 };
  const position: Position = {
    account,
    place: first.place,
    yes: atomic(first.yes + (side === 'yes' ? amount : 0n)),
    no: atomic(first.no + (side === 'no' ? amount : 0n)),
  };
  const joins = first[side] === 0n ? 1 : 0;
  const after: Market = {
    ...market,
    pots: { ...market.pots, [side]: atomic(market.pots[side] + amount) },
    bettors: {
      ...market.bettors,
      [side]: market.bettors[side] + joins,
      all: market.bettors.all + (before === undefined ? 1 : 0),
    },
    version: market.version + 1,
  };
  const pays = returnOf(amount, side, after.pots, settledBy(market));
  if (bet.minPayout !== undefined && pays < bet.minPayout) {
    return {
      refused: 'market-moved',
      why: `This bet would bring back ${pays} if ${side} comes true, and minPayout asks for ${bet.minPayout}.`,
      field: 'body.minPayout',
    };
  }
  return { market: after, position };
}

function mayBet(
  market: Market,
  before: Position | undefined,
  { account, amount, ifVersion }: Bet,
): Refused | undefined {
  if (amount < BET_MINIMUM) {
    return {
      refused: 'below-minimum',
      why: `A bet is at least ${BET_MINIMUM} atomic units; got ${amount}.`,
      field: 'body.amount',
    };
  }
  if (market.state !== 'open') {
    const closed = earliest(market.closesAt, market.ended?.at ?? market.closesAt);
    return { refused: 'market-closed', why: `The market closed at ${iso(closed)}.` };
  }
  if (account === market.creator) {
    return { refused: 'creator-may-not', why: 'You created this market.' };
  }
  if (!account.startsWith('key:')) {
    return { refused: 'creator-may-not', why: 'Only the account of a key may bet.' };
  }
  if (ifVersion !== undefined && ifVersion !== market.version) {
    return {
      refused: 'market-moved',
      why: `The market is at version ${market.version}, and ifVersion names ${ifVersion}.`,
      field: 'body.ifVersion',
    };
  }
  if (before === undefined && market.bettors.all >= BETTORS_MAXIMUM) {
    return {
      refused: 'ceiling-reached',
      why: `A market takes ${BETTORS_MAXIMUM} bettors, and this one has them.`,
    };
  }
  return undefined;
}

export function settledBy(market: Pick<Market, 'check'>): 'judge' | 'check' {
  return market.check === undefined ? 'judge' : 'check';
}

/** A market whose closing time has come takes no more bets. */
export function closedBy(market: Market, now: Instant): Market {
  if (market.state !== 'open' || now < market.closesAt) return market;
  return { ...market, state: 'closed', version: market.version + 1 };
}

/** When the clock has next to do with a market; undefined once it is settled. */
export function dueAt({ state, check, closesAt, resolveBy }: Market): Instant | undefined {
  if (state === 'open') return closesAt;
  if (state !== 'closed') return undefined;
  return check === undefined ? resolveBy : plus(closesAt, COUNTED_AFTER);
}

/** The check that decides by now, by its number at closesAt (choices predictions.checks). */
export function decidingCheck(market: Market, now: Instant): Check | undefined {
  const { state, check, closesAt, resolveBy } = market;
  if (state === 'resolved' || state === 'voided') return undefined;
  return now >= plus(closesAt, COUNTED_AFTER) && now < resolveBy ? check : undefined;
}

export interface Ending {
  readonly settlement: Settlement;
  readonly voidReason?: VoidReason;
}

/** A judge's word; refused unless the market waits for one. */
export function resolve(
  market: Market,
  positions: readonly Position[],
  outcome: Outcome,
): Ending | Refused {
  const refusal = mayResolve(market);
  if (refusal !== undefined) return refusal;
  if (outcome === 'void') {
    return { settlement: voided(positions), voidReason: 'unanswerable' };
  }
  return ending(settled(positions, outcome, 'judge'));
}

/** The creator takes back a market that has no bet, so nothing moves (choices predictions.exits). */
export function withdraw(market: Market): Ending | Refused {
  if (market.ended !== undefined) return alreadyEnded(market, market.ended);
  if (market.bettors.all > 0) {
    return {
      refused: 'creator-may-not',
      why: `You created this market, and ${market.bettors.all} accounts have bet in it.`,
    };
  }
  return { settlement: voided([]), voidReason: 'unanswerable' };
}

function alreadyEnded(
  { creator }: Market,
  { outcome, resolvedBy, at }: NonNullable<Market['ended']>,
): Refused {
  const voidedBy = resolvedBy === creator ? 'withdrawn' : 'voided';
  const how = outcome === 'void' ? voidedBy : `resolved ${outcome}`;
  return { refused: 'already-resolved', why: `The market was ${how} at ${iso(at)}.` };
}

export function mayResolve(market: Market): Refused | undefined {
  const { state, check, ended, closesAt } = market;
  if (state === 'open') {
    return { refused: 'market-open', why: `The market is open until ${iso(closesAt)}.` };
  }
  if (ended !== undefined) return alreadyEnded(market, ended);
  if (check !== undefined) {
    return { refused: 'bad-check', why: `${check.metric} settles this market, no judge does.` };
  }
  return undefined;
}

/** Ends a closed market by the clock: a number settles it, or it is voided. */
export function endedByClock(
  market: Market,
  positions: readonly Position[],
  sample: Sample | undefined,
  now: Instant,
): Ending | undefined {
  const { check, resolveBy, state } = market;
  if (state !== 'closed') return undefined;
  if (now >= resolveBy) {
    const voidReason = check === undefined ? 'unresolved' : 'no-sample';
    return { settlement: voided(positions), voidReason };
  }
  if (check === undefined || sample === undefined) return undefined;
  const outcome = holds(sample.value, check.op, check.value) ? 'yes' : 'no';
  return ending(settled(positions, outcome, 'check'));
}

function ending(settlement: Settlement): Ending {
  return settlement.outcome === 'void' ? { settlement, voidReason: 'empty-side' } : { settlement };
}

export function holds(sample: bigint, op: CheckOp, value: bigint): boolean {
  switch (op) {
    case 'gt':
      return sample > value;
    case 'gte':
      return sample >= value;
    case 'lt':
      return sample < value;
    case 'lte':
      return sample <= value;
    case 'eq':
      return sample === value;
  }
}
