import { agentOf, bpsOf, least, spendableOf } from './books.ts';
import { giveKarma } from './karma.ts';
import { DAY, type Agent, type Loan, type Model } from './types.ts';

/** Credit (choices 4.2): advances on live claims, collected first from the settlement. */
const FLAT_LIMIT = 10_000_000n;
const GROWN_LIMIT = 25_000_000n;
const DEFAULT_AFTER = 7 * DAY;

export function isUnpaid(loan: Loan): boolean {
  return loan.state !== 'repaid';
}

export function loansOf(model: Model, borrower: number): readonly Loan[] {
  return model.loans.filter((loan) => loan.borrower === borrower);
}

export function limitOf(model: Model, borrower: number): bigint {
  if (loansOf(model, borrower).some((loan) => loan.state === 'defaulted')) return 0n;
  const agent = agentOf(model, borrower);
  return FLAT_LIMIT + least(agent.feesPaid + bpsOf(agent.repaid, 1_000n), GROWN_LIMIT);
}

export function principalOut(model: Model, borrower: number): bigint {
  return loansOf(model, borrower).reduce((sum, loan) => sum + loan.principalLeft, 0n);
}

/** The claim behind a loan ended unpaid: the debt is due at once and the balance is swept. */
export function claimEnded(model: Model, attempt: string): void {
  for (const loan of model.loans) {
    if (loan.attempt !== attempt || loan.state !== 'open') continue;
    loan.state = 'due';
    loan.dueAt = model.now;
    sweep(model, loan);
  }
}

/** Takes what can be taken of a due loan from the borrower's spendable balance. */
export function sweep(model: Model, loan: Loan): void {
  const agent = agentOf(model, loan.borrower);
  if (loan.state !== 'due') return;
  agent.balance -= collect(model, loan, spendableOf(agent)).taken;
}

/**
 * The part of a worker's share that loans take: the loan of this very task first, then every loan
 * that is due or in default, oldest first. What a settlement repays grows the limit again.
 */
export function collectFrom(
  model: Model,
  borrower: number,
  share: bigint,
  attempt: string,
): bigint {
  const agent = agentOf(model, borrower);
  const own = loansOf(model, borrower).filter((loan) => loan.attempt === attempt);
  const others = loansOf(model, borrower).filter(
    (loan) => loan.attempt !== attempt && (loan.state === 'due' || loan.state === 'defaulted'),
  );
  let left = share;
  for (const loan of [...own, ...others.sort((a, b) => a.dueAt - b.dueAt)]) {
    const { taken, principal } = collect(model, loan, left);
    left -= taken;
    agent.repaid += principal;
  }
  return share - left;
}

interface Collected {
  readonly taken: bigint;
  readonly principal: bigint;
}

/** Principal before origination (CHOICES 14, credit). */
function collect(model: Model, loan: Loan, most: bigint): Collected {
  const principal = least(loan.principalLeft, most);
  const origination = least(loan.originationLeft, most - principal);
  loan.principalLeft -= principal;
  loan.originationLeft -= origination;
  model.lent -= principal;
  model.fees += origination;
  const left = loan.principalLeft + loan.originationLeft;
  if (left === 0n && loan.state !== 'repaid') loan.state = 'repaid';
  return { taken: principal + origination, principal };
}

/** The job: collects what is due, and calls a default what is seven days late. */
export function loanClock(model: Model): void {
  for (const loan of model.loans) {
    sweep(model, loan);
    if (loan.state !== 'due' || model.now < loan.dueAt + DEFAULT_AFTER) continue;
    loan.state = 'defaulted';
    giveKarma(model, loan.borrower, -5, 'loan.defaulted');
  }
}

/** Lends on a live claim; the amount is the least of what is wanted, a third and the line. */
export function lend(
  model: Model,
  loan: Omit<Loan, 'principalLeft' | 'originationLeft' | 'state' | 'dueAt'>,
): Loan {
  const borrower: Agent = agentOf(model, loan.borrower);
  const origination = (loan.principal * 200n + 9_999n) / 10_000n;
  const made: Loan = {
    ...loan,
    principalLeft: loan.principal,
    originationLeft: origination,
    state: 'open',
    dueAt: 0,
  };
  borrower.balance += loan.principal;
  model.lent += loan.principal;
  model.loans.push(made);
  return made;
}
