import { agentOf, bpsOf, least, spendableOf } from './books.ts';
import { giveKarma, karmaOf } from './karma.ts';
import { DAY, type Agent, type Loan, type Model } from './types.ts';

/** Credit (choices credit.limit): advances on live claims, collected first from the settlement. */
const FLAT_LIMIT = 3_300_000n;
const EACH_KARMA = 670_000n;
const FLAT_MOST = 10_000_000n;
const GROWN_LIMIT = 25_000_000n;
const DEFAULT_AFTER = 7 * DAY;

export function isUnpaid(loan: Loan): boolean {
  return loan.state !== 'repaid';
}

export function loansOf(model: Model, borrower: number): readonly Loan[] {
  return model.loans.filter((loan) => loan.borrower === borrower);
}

export function limitOf(model: Model, borrower: number): bigint {
  if (loansOf(model, borrower).some(({ hadDefault }) => hadDefault)) return 0n;
  const agent = agentOf(model, borrower);
  const standing = BigInt(Math.max(0, karmaOf(agent)));
  const flat = least(FLAT_MOST, FLAT_LIMIT + standing * EACH_KARMA);
  return flat + least(agent.grown, GROWN_LIMIT);
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
  agent.balance -= collect(model, [loan], spendableOf(agent)).taken;
}

/**
 * The part of a worker's share that loans take: the loan of this very task first, then every loan
 * that is due or in default, the longest first; all principal before any origination. What a
 * settlement repays grows the limit, never by more than fee and origination taken in it.
 */
export function collectFrom(
  model: Model,
  { worker, name }: { readonly worker: number; readonly name: string },
  share: bigint,
  fee: bigint,
): bigint {
  callLate(model, worker);
  const agent = agentOf(model, worker);
  const mine = loansOf(model, worker).filter(isUnpaid);
  const own = mine.filter((loan) => loan.attempt === name);
  const late = mine.filter((loan) => loan.attempt !== name && loan.state !== 'open');
  const loans = [...own, ...late.sort((a, b) => a.dueAt - b.dueAt)];
  const { taken, principal } = collect(model, loans, share);
  const origination = taken - principal;
  const earned = model.loans.some((loan) => loan.attempt === name) ? 0n : fee;
  agent.grown += least(fee + origination, earned + bpsOf(principal, 1_000n));
  return taken;
}

interface Collected {
  readonly taken: bigint;
  readonly principal: bigint;
}

function collect(model: Model, loans: readonly Loan[], most: bigint): Collected {
  let [principal, origination] = [0n, 0n];
  for (const loan of loans) {
    const part = least(loan.principalLeft, most - principal);
    loan.principalLeft -= part;
    principal += part;
  }
  for (const loan of loans) {
    const part = least(loan.originationLeft, most - principal - origination);
    loan.originationLeft -= part;
    origination += part;
    if (loan.principalLeft + loan.originationLeft === 0n) loan.state = 'repaid';
  }
  model.lent -= principal;
  model.fees += origination;
  return { taken: principal + origination, principal };
}

export function defaultsAt({ dueAt }: Loan): number {
  return dueAt + DEFAULT_AFTER;
}

/**
 * Makes late loans of a borrower defaults: by the job, before a settlement pays them, and before
 * an advance (choices credit.collection). They stay defaults when they are paid after all.
 */
export function callLate(model: Model, borrower: number): void {
  for (const loan of loansOf(model, borrower)) {
    if (loan.state !== 'due' || model.now < defaultsAt(loan)) continue;
    loan.state = 'defaulted';
    loan.hadDefault = true;
    giveKarma(model, borrower, -5, { why: 'loan.defaulted' });
  }
}

/** The job: calls a default what is seven days late, and collects what is due. */
export function loanClock(model: Model): void {
  for (const loan of model.loans) {
    callLate(model, loan.borrower);
    sweep(model, loan);
  }
}

/** The job: half of the fees, and no more than defaults took. */
export function refill(model: Model): void {
  const standing = model.loans
    .filter(({ state }) => state === 'open' || state === 'due')
    .reduce((sum, { principalLeft }) => sum + principalLeft, 0n);
  const amount = least(model.lent - standing, model.fees / 2n);
  if (amount <= 0n) return;
  model.lent -= amount;
  model.fees -= amount;
}

/** Lends on a live claim; the amount is the least of what is wanted, a third and the line. */
export function lend(
  model: Model,
  loan: Pick<Loan, 'name' | 'borrower' | 'task' | 'attempt' | 'principal' | 'onTrust'>,
): Loan {
  const borrower: Agent = agentOf(model, loan.borrower);
  const origination = (loan.principal * 200n + 9_999n) / 10_000n;
  const made: Loan = {
    ...loan,
    takenAt: model.now,
    principalLeft: loan.principal,
    originationLeft: origination,
    state: 'open',
    dueAt: 0,
    hadDefault: false,
  };
  borrower.balance += loan.principal;
  model.lent += loan.principal;
  model.loans.push(made);
  return made;
}
