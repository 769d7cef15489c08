import { accountClass } from './account.ts';
import type { Account } from './account.ts';
import { plus, seconds } from './instant.ts';
import type { Instant } from './instant.ts';
import { atomic, bps, bpsFloor, ZERO } from './money.ts';
import type { Atomic } from './money.ts';
import type { NetworkId, NetworkKind } from './network.ts';
import { collect, lesser } from './settlement.ts';
import type { LoanDue, Settlement } from './settlement.ts';
import type { Change } from './tasks/change.ts';

/**
 * Advances on claimed work (choices credit.limit). Invariant: a limit grows by at most the fees
 * that the borrower paid, so defaulting on loans against one's own tasks never pays
 * (threats.bad-loans).
 */
const ADVANCE_BPS = bps(3_300);
export const ORIGINATION_BPS = bps(200);
/** Part of the principal repaid from settlements that the limit grows by. */
const GROWTH_BPS = bps(1_000);
const EARNED_MAX = atomic(25_000_000n);
/** The test money that every account may borrow, the addition for each karma, and the maximum. */
const TEST_FIRST = 3_300_000n;
const TEST_EACH_KARMA = 670_000n;
const TEST_MOST = atomic(10_000_000n);
/** A loan that is due this long and unpaid is a default. */
export const DEFAULT_AFTER = seconds(7 * 86_400);

export const LOAN_STATES = ['open', 'due', 'repaid', 'defaulted'] as const;
type LoanState = (typeof LOAN_STATES)[number];

export interface Loan {
  readonly id: string;
  readonly borrower: Account;
  readonly taskId: string;
  readonly attemptId: string;
  readonly network: NetworkId;
  readonly lent: LoanDue;
  /** The amount still to be collected. */
  readonly left: LoanDue;
  readonly state: LoanState;
  readonly takenAt: Instant;
  readonly dueAt?: Instant;
  /** Kept when a defaulted loan is collected after all. */
  readonly defaultedAt?: Instant;
  readonly repaidAt?: Instant;
  /** The transfer that paid it out. */
  readonly transferId: string;
  /** The part of the principal that no fees of the borrower vouched for (choices credit.shares). */
  readonly onTrust: Atomic;
  /** The network address block that asked for it. */
  readonly site: string;
}

export interface CreditLine {
  readonly earned: Atomic;
  readonly defaultedAt?: Instant;
}

export function total({ principal, origination }: LoanDue): Atomic {
  return atomic(principal + origination);
}

/** Rounded up, since the borrower chooses the size (choices ledger.rounding). */
export function originationOf(principal: Atomic): Atomic {
  return atomic((principal * BigInt(ORIGINATION_BPS) + 9_999n) / 10_000n);
}

export function advanceMax(reward: Atomic): Atomic {
  return bpsFloor(reward, ADVANCE_BPS);
}

/** The amount that a reward still secures: unpaid advances of earlier claims use it up. */
export function securedBy(reward: Atomic, unpaidOnTask: Atomic): Atomic {
  const most = advanceMax(reward);
  return most > unpaidOnTask ? atomic(most - unpaidOnTask) : ZERO;
}

/** Returns the amount that the borrower's own fees secure. */
export function earnedOf({ earned }: CreditLine): Atomic {
  return lesser(earned, EARNED_MAX);
}

/** The most principal that may be open at once; nothing for ever after a default. */
export function limitOf(line: CreditLine, kind: NetworkKind, karma: number): Atomic {
  if (line.defaultedAt !== undefined) return ZERO;
  return atomic(earnedOf(line) + (kind === 'test' ? testLimit(karma) : ZERO));
}

function testLimit(karma: number): Atomic {
  const vouched = BigInt(Math.max(0, karma)) * TEST_EACH_KARMA;
  return lesser(TEST_MOST, atomic(TEST_FIRST + vouched));
}

export function outstanding(loans: readonly Loan[]): Atomic {
  return owed(loans).principal;
}

export function owed(loans: readonly Loan[]): LoanDue {
  return loans.reduce<LoanDue>(
    ({ principal, origination }, { left }) => ({
      principal: atomic(principal + left.principal),
      origination: atomic(origination + left.origination),
    }),
    { principal: ZERO, origination: ZERO },
  );
}

/**
 * Returns the loans that a settlement collects: the one on its claim, then due ones, longest due
 * first. Loans against other live claims wait for their own settlement.
 */
export function collectable(loans: readonly Loan[], taskId: string): readonly Loan[] {
  const own = loans.filter((loan) => isOwn(loan, taskId));
  const due = loans
    .filter(({ state }) => state === 'due' || state === 'defaulted')
    .sort((a, b) => (a.dueAt ?? a.takenAt) - (b.dueAt ?? b.takenAt));
  return [...own, ...due];
}

function isOwn(loan: Loan, taskId: string): boolean {
  return loan.taskId === taskId && loan.state === 'open';
}

export interface Payment {
  readonly loan: Loan;
  readonly paid: LoanDue;
}

/** Shares the collected sum among the loans, in their order; omits a part that gets nothing. */
export function apportion(collected: LoanDue, loans: readonly Loan[]): readonly Payment[] {
  let { principal, origination } = collected;
  return loans.flatMap((loan) => {
    const paid = {
      principal: lesser(principal, loan.left.principal),
      origination: lesser(origination, loan.left.origination),
    };
    principal = atomic(principal - paid.principal);
    origination = atomic(origination - paid.origination);
    return total(paid) === 0n ? [] : [{ loan, paid }];
  });
}

/** The part of a loan that `spendable` covers, principal first; undefined when none. */
export function coveredBy(spendable: bigint, loan: Loan): Payment | undefined {
  if (spendable <= 0n || total(loan.left) === 0n) return undefined;
  const share = lesser(atomic(spendable), total(loan.left));
  return { loan, paid: collect(share, loan.left).loan };
}

/** The loan after a payment; repaid when nothing is left, however late. */
export function repaid({ loan, paid }: Payment, at: Instant): Loan {
  const left = {
    principal: atomic(loan.left.principal - paid.principal),
    origination: atomic(loan.left.origination - paid.origination),
  };
  if (total(left) > 0n) return { ...loan, left };
  return { ...loan, left, state: 'repaid', repaidAt: at };
}

/** The claim ended and something is left: it is owed at once. */
export function fallenDue(loan: Loan, at: Instant): Loan {
  return loan.state === 'open' ? { ...loan, state: 'due', dueAt: at } : loan;
}

export function isLate({ state, dueAt }: Pick<Loan, 'state' | 'dueAt'>, now: Instant): boolean {
  return state === 'due' && dueAt !== undefined && now >= plus(dueAt, DEFAULT_AFTER);
}

export function defaulted(loan: Loan, at: Instant): Loan {
  return { ...loan, state: 'defaulted', defaultedAt: at };
}

/**
 * Returns the growth of the line: the hub's fee if an outside account paid without a loan, and a
 * tenth of the principal repaid. The sum never exceeds the fees taken, since a loan that is
 * collected late or from a split would otherwise buy more limit than it cost.
 */
export function earnedBy(
  { hub, loan }: Pick<Settlement, 'hub' | 'loan'>,
  task: { readonly requester: Account; readonly carriesLoan: boolean },
): Atomic {
  const counts = !task.carriesLoan && accountClass(task.requester) === 'user';
  const fee = counts ? hub : ZERO;
  const uncounted = atomic(hub - fee + loan.origination);
  return atomic(fee + lesser(bpsFloor(loan.principal, GROWTH_BPS), uncounted));
}

/** Claims that a decision ended unpaid; the loans against them are due at once. */
export function endedUnpaid({ task, attempts }: Change): readonly string[] {
  const ended = attempts.filter(({ state }) => UNPAID_ENDS.includes(state)).map(({ id }) => id);
  const refunded = task.state === 'refunded' ? task.accepted?.attemptId : undefined;
  return refunded === undefined ? ended : [...ended, refunded];
}

const UNPAID_ENDS: readonly string[] = ['refused', 'rejected', 'failed', 'lapsed', 'superseded'];
