import { agentOf, least, spendableOf, bpsOf } from './books.ts';
import { settleDue } from './clock.ts';
import { isRestricted } from './karma.ts';
import { callLate, isUnpaid, lend, limitOf, loansOf, principalOut, sweep } from './loans.ts';
import { heldBy } from './settle.ts';
import { type Expected, type Model, type Task, DAY, type Agent, type Loan } from './types.ts';

/** Payments, test money, advances (choices ledger.idempotency, wallet.faucet, credit.advance). */
const LEASE_LEFT_MIN = 300_000;

export function pay(model: Model, by: number, to: number, amount: bigint): Expected {
  const payer = agentOf(model, by);
  if (spendableOf(payer) < amount) return { refused: 'insufficient-funds' };
  payer.balance -= amount;
  agentOf(model, to).balance += amount;
  return { ok: {} };
}

export function faucet(model: Model, to: number, amount: bigint): Expected {
  agentOf(model, to).balance += amount;
  return { ok: {} };
}

export function borrow(
  model: Model,
  task: Task,
  by: number,
  wanted: bigint | undefined,
  name: string,
): Expected {
  settleDue(model, task);
  if (wanted === 0n) return { refused: 'below-minimum' };
  callLate(model, by);
  const attempt = heldBy(task);
  const lasts = attempt !== undefined && attempt.leaseEndsAt - model.now >= LEASE_LEFT_MIN;
  if (task.state !== 'held' || attempt?.worker !== by || !lasts || task.reward === 0n) {
    return { refused: 'no-live-claim' };
  }
  for (const loan of loansOf(model, by)) sweep(model, loan);
  const mine = loansOf(model, by).filter(isUnpaid);
  const limit = isRestricted(agentOf(model, by)) ? 0n : limitOf(model, by);
  const isBlocked = mine.some((loan) => loan.task === task.name || loan.state === 'due');
  if (limit === 0n) return { refused: 'limit-zero' };
  if (isBlocked) return { refused: 'loan-open' };
  const left = limit - principalOut(model, by);
  if (left <= 0n) return { refused: 'over-limit' };
  const secured = securedBy(model, task.name, task.reward);
  if (secured === 0n) return { refused: 'loan-open' };
  const principal = least(secured, left, wanted ?? left);
  const trusted = onTrust(model, by, agentOf(model, by), principal);
  if (isCrowded(model, principal, trusted)) return { refused: 'credit-unavailable' };
  const { attempt: behind, ...made } = { name, borrower: by, task: task.name, attempt, principal };
  lend(model, { ...made, attempt: behind.name, onTrust: trusted });
  return { ok: { state: 'open', principal: String(principal) }, made: name };
}

/**
 * The funds that the lender leaves others (choices credit.shares). All agents here have one
 * address, and what their fees vouched for is not bounded by it.
 */
const LENDER_FUNDS = 10_000_000_000n;
const HOUR = 3_600_000;

/** The part of an advance that the borrower's fees do not vouch for. */
function onTrust(model: Model, by: number, agent: Agent, principal: bigint): bigint {
  const vouched = least(agent.grown, 25_000_000n) - principalOut(model, by);
  const rest = principal - (vouched > 0n ? vouched : 0n);
  return rest > 0n ? rest : 0n;
}

/** The part of a reward that still secures: a third, less what earlier claims left unpaid. */
function securedBy(model: Model, task: string, reward: bigint): bigint {
  const unpaid = sumOf(
    model.loans.filter((loan) => loan.task === task && isUnpaid(loan)),
    ({ principalLeft }) => principalLeft,
  );
  const left = bpsOf(reward, 3_300n) - unpaid;
  return left > 0n ? left : 0n;
}

function isCrowded(model: Model, principal: bigint, trusted: bigint): boolean {
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
