import { agentOf, least, spendableOf } from './books.ts';
import { settleDue } from './clock.ts';
import { isRestricted } from './karma.ts';
import { isUnpaid, lend, limitOf, loansOf, principalOut, sweep } from './loans.ts';
import { heldBy } from './settle.ts';
import { isCrowded, onTrust, securedBy } from './shares.ts';
import type { Expected, Model, Task } from './types.ts';

/**
 * Payments, test money and advances (choices ledger.idempotency, wallet.faucet, credit.advance).
 */
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
