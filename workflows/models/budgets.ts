import { need, type Need } from '../../db/batch/need.ts';
import type { Decider } from '../../db/batch/transaction.ts';
import { API_KEY_BUDGETS, API_KEYS, budgetSpent } from '../../db/wallet/apiKeys.ts';
import type { Offer } from '../../domain/models/offer.ts';
import type { ModelReceipt } from '../../domain/models/receipt.ts';
import { ZERO, type Atomic } from '../../domain/money.ts';
import {
  limitsOf,
  overLimit,
  take,
  takeAgain,
  whyForbidden,
  type Spent,
} from '../../domain/wallet/policy.ts';
import { refuseApiKey } from '../kernel/apiKey.ts';
import { refuseSpending } from '../kernel/keyRuling.ts';

/**
 * Budgets of API keys (choices models.budgets). What is held counts as used until it is back, in the
 * transaction that holds it, so that calls at once cannot pass a limit together.
 */
export interface Spending {
  readonly apiKeyId: string;
}

/** The reads of a call that begins. */
export function spendingNeeds(key: Spending | undefined): readonly Need[] {
  if (key === undefined) return [];
  return [need(API_KEYS, key.apiKeyId), need(API_KEY_BUDGETS, key.apiKeyId)];
}

export function budgetNeeds({ budget }: Pick<ModelReceipt, 'budget'>): readonly Need[] {
  return budget === undefined ? [] : [need(API_KEY_BUDGETS, budget)];
}

/**
 * Counts what a call may cost as used; refuses it when a limit of its key has no room. Returns the
 * key whose budget it is; undefined for a key that has none now.
 */
export function takeBudget(
  db: Decider,
  receipt: ModelReceipt,
  key: Spending | undefined,
  offer: Offer,
): string | undefined {
  const id = key?.apiKeyId;
  const policy = id === undefined ? undefined : db.find(API_KEYS, id)?.policy;
  if (id === undefined || policy === undefined) return undefined;
  const { at, held, model } = receipt;
  const fallbacks = offer.providers.flatMap(({ offerId }) => offerId ?? []);
  if (policy.expiresAt !== undefined && policy.expiresAt <= at) {
    refuseApiKey('This API key has expired.');
  }
  const text = whyForbidden(policy, {
    operation: 'models.completions',
    isRead: false,
    model,
    fallbacks,
  });
  if (text !== undefined) refuseSpending({ why: 'forbids', text });
  const spent = budgetSpent(db, id);
  const over = overLimit(limitsOf(policy, spent, at), held);
  if (over !== undefined) refuseSpending({ why: 'limit', over, amount: held });
  put(db, id, take(spent, held, at));
  return id;
}

/** Counts out what a call that ended did not cost, as far as its hour, day and month still run. */
export function giveBackBudget(db: Decider, { budget, at }: ModelReceipt, amount: Atomic): void {
  if (budget === undefined || amount === ZERO) return;
  put(db, budget, takeAgain(budgetSpent(db, budget), -amount, at));
}

function put(db: Decider, id: string, { at, hour, day, month }: Spent): void {
  const revision = (db.find(API_KEY_BUDGETS, id)?.revision ?? 0) + 1;
  const used = { spentAt: at, hourUsed: hour, dayUsed: day, monthUsed: month };
  db.put(API_KEY_BUDGETS, id, { id, ...used, revision });
}
