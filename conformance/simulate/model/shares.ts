import { bpsOf, least } from './books.ts';
import { isUnpaid, principalOut } from './loans.ts';
import { DAY, type Agent, type Loan, type Model } from './types.ts';

/**
 * The funds that the lender leaves others (choices credit.shares). Everybody here has one address,
 * and what their fees vouched for is not bounded by it.
 */
const LENDER_FUNDS = 10_000_000_000n;
const HOUR = 3_600_000;

/** The part of an advance that the borrower's fees do not vouch for. */
export function onTrust(model: Model, by: number, agent: Agent, principal: bigint): bigint {
  const vouched = least(agent.grown, 25_000_000n) - principalOut(model, by);
  const rest = principal - (vouched > 0n ? vouched : 0n);
  return rest > 0n ? rest : 0n;
}

/**
 * Returns what the reward of a task still secures: a third, less what earlier claims left unpaid.
 */
export function securedBy(model: Model, task: string, reward: bigint): bigint {
  const unpaid = sumOf(
    model.loans.filter((loan) => loan.task === task && isUnpaid(loan)),
    ({ principalLeft }) => principalLeft,
  );
  const left = bpsOf(reward, 3_300n) - unpaid;
  return left > 0n ? left : 0n;
}

export function isCrowded(model: Model, principal: bigint, trusted: bigint): boolean {
  const has = LENDER_FUNDS - model.lent;
  const unpaid = model.loans.filter(isUnpaid);
  const recent = unpaid.filter(({ takenAt }) => takenAt > model.now - HOUR);
  const overdue = unpaid.filter(
    ({ state, takenAt }) => state !== 'open' && takenAt > model.now - DAY,
  );
  const inHour = sumOf(recent, ({ principalLeft }) => principalLeft);
  const trust = sumOf(recent, trustIn);
  const ofAddress = sumOf([...new Set([...recent, ...overdue])], trustIn);
  const fund = has + trust;
  return (
    principal > has ||
    principal > (has + inHour) / 2n - inHour ||
    (trusted > 0n && (trusted > fund / 100n - trust || trusted > fund / 100n / 5n - ofAddress))
  );
}

function trustIn(loan: Loan): bigint {
  return least(loan.onTrust, loan.principalLeft);
}

function sumOf(loans: readonly Loan[], of: (loan: Loan) => bigint): bigint {
  return loans.reduce((sum, loan) => sum + of(loan), 0n);
}
