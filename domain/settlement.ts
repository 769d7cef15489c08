import { atomic, bps, bpsFloor, ZERO } from './money.ts';
import type { Atomic, Bps } from './money.ts';

/**
 * The split of a reward. Invariant: the parts sum to it exactly. Fees floor and leave the dust to
 * the worker (choices ledger.rounding), whose loan is collected first (choices tasks.settlement).
 */
export interface LoanDue {
  readonly principal: Atomic;
  readonly origination: Atomic;
}

export interface SettlementTerms {
  readonly reward: Atomic;
  readonly hubBps: Bps;
  readonly judgesBps: Bps;
  /** Judges who voted in decided rounds; without any, the panel's share is nothing. */
  readonly judges: number;
  readonly loan: LoanDue;
}

export interface Settlement {
  readonly hub: Atomic;
  /** One share per judge, in draw order. */
  readonly judges: readonly Atomic[];
  readonly loan: LoanDue;
  readonly worker: Atomic;
}

export interface UnpaidEnd {
  readonly judges: readonly Atomic[];
  readonly requester: Atomic;
}

export type Ruling =
  | { readonly verdict: 'rejected' }
  | { readonly verdict: 'upheld'; readonly raisedBy: 'requester' | 'worker' }
  | { readonly verdict: 'split'; readonly workerShareBps: Bps };

export interface DisputeSettlement extends Settlement {
  readonly arbiter: Atomic;
  readonly requester: Atomic;
}

export const NO_LOAN: LoanDue = { principal: ZERO, origination: ZERO };

/** The arbiter's share of the disputed amount, whatever its ruling (choices disputes.money). */
export const ARBITER_BPS: Bps = bps(100);

/** Equal shares; the first `pot mod count` by draw get the odd units (choices ledger.rounding). */
export function shares(pot: Atomic, count: number): readonly Atomic[] {
  if (!Number.isSafeInteger(count) || count < 0) throw new RangeError(`not a count: ${count}`);
  if (count === 0) return [];
  const each = pot / BigInt(count);
  const odd = Number(pot % BigInt(count));
  return Array.from({ length: count }, (_, place) => atomic(place < odd ? each + 1n : each));
}

/** The split of a settled task; before release it is the plan that economics shows. */
export function settle(terms: SettlementTerms): Settlement {
  const { hub, pot, rest } = fees(terms);
  const judges = shares(pot, terms.judges);
  const { loan, worker } = collect(rest, terms.loan);
  const settlement: Settlement = { hub, judges, loan, worker };
  assertWhole(terms.reward, settlementParts(settlement));
  return settlement;
}

/**
 * A task that ends unpaid (T24 to T26). Judges who decided a round keep their share: a judge paid
 * only for "accepted" would be paid to accept (choices validators.pay). The hub takes nothing.
 */
export function endUnpaid(terms: Omit<SettlementTerms, 'hubBps' | 'loan'>): UnpaidEnd {
  const pot = panelPot(terms);
  const end: UnpaidEnd = {
    judges: shares(pot, terms.judges),
    requester: atomic(terms.reward - pot),
  };
  assertWhole(terms.reward, [...end.judges, end.requester]);
  return end;
}

/** The reward without what judges have earned: what the parties can divide between them. */
export function divisible(terms: Pick<SettlementTerms, 'reward' | 'judgesBps' | 'judges'>): Atomic {
  return atomic(terms.reward - panelPot(terms));
}

/**
 * The parties divide the reward by agreement (choices tasks.amendments). The hub's fee is of the
 * worker's part alone, and judges keep what they earned.
 */
export function settleParted(
  terms: SettlementTerms,
  part: Atomic,
): Settlement & { readonly requester: Atomic } {
  const hub = bpsFloor(part, terms.hubBps);
  const { loan, worker } = collect(atomic(part - hub), terms.loan);
  const requester = atomic(divisible(terms) - part);
  const settlement = {
    hub,
    judges: shares(panelPot(terms), terms.judges),
    loan,
    worker,
    requester,
  };
  assertWhole(terms.reward, [...settlementParts(settlement), requester]);
  return settlement;
}

/** The split a ruling orders (choices disputes.money). A void dispute is `settle` unchanged. */
export function settleDispute(terms: SettlementTerms, ruling: Ruling): DisputeSettlement {
  const { hub: fullFee, pot, rest: disputed } = fees(terms);
  const arbiter = bpsFloor(disputed, ARBITER_BPS);
  const remainder = atomic(disputed - arbiter);
  const workerBps = workerShare(ruling);
  const hub = bpsFloor(fullFee, workerBps);
  const { loan, worker } = collect(bpsFloor(remainder, workerBps), terms.loan);
  const workerSide = worker + loan.principal + loan.origination;
  const requester = atomic(terms.reward - hub - pot - arbiter - workerSide);
  const judges = shares(pot, terms.judges);
  const settlement: DisputeSettlement = { hub, judges, loan, worker, arbiter, requester };
  assertWhole(terms.reward, [...settlementParts(settlement), arbiter, requester]);
  return settlement;
}

function workerShare(ruling: Ruling): Bps {
  switch (ruling.verdict) {
    case 'rejected':
      return bps(10_000);
    case 'upheld':
      return bps(ruling.raisedBy === 'worker' ? 10_000 : 0);
    case 'split':
      return ruling.workerShareBps;
  }
}

function panelPot(terms: Pick<SettlementTerms, 'reward' | 'judgesBps' | 'judges'>): Atomic {
  return terms.judges === 0 ? ZERO : bpsFloor(terms.reward, terms.judgesBps);
}

function fees(terms: SettlementTerms): { hub: Atomic; pot: Atomic; rest: Atomic } {
  const hub = bpsFloor(terms.reward, terms.hubBps);
  const pot = panelPot(terms);
  return { hub, pot, rest: atomic(terms.reward - hub - pot) };
}

/** Principal before origination: what was lent comes back before what it earned. */
export function collect(share: Atomic, due: LoanDue): { loan: LoanDue; worker: Atomic } {
  const principal = lesser(share, due.principal);
  const origination = lesser(atomic(share - principal), due.origination);
  return { loan: { principal, origination }, worker: atomic(share - principal - origination) };
}

export function lesser(a: Atomic, b: Atomic): Atomic {
  return a < b ? a : b;
}

function settlementParts(settlement: Settlement): readonly Atomic[] {
  const { hub, judges, loan, worker } = settlement;
  return [hub, ...judges, loan.principal, loan.origination, worker];
}

/** A split that does not sum is a bug, never bad input: nothing may be posted from it. */
function assertWhole(reward: Atomic, parts: readonly Atomic[]): void {
  const sum = parts.reduce((total, part) => total + part, 0n);
  if (sum !== reward) throw new RangeError(`a split of ${reward} sums to ${sum}`);
}
