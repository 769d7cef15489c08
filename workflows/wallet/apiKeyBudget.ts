import { need } from '../../db/batch/need.ts';
import type { Transaction } from '../../db/batch/transaction.ts';
import { MODEL_CEILINGS } from '../../db/models/spend.ts';
import { API_KEY_BUDGETS, API_KEYS, budgetSpent } from '../../db/wallet/apiKeys.ts';
import type { Account, KeyId } from '../../domain/account.ts';
import { defined } from '../../domain/defined.ts';
import type { Instant } from '../../domain/instant.ts';
import { HUB_DAY } from '../../domain/models/ceilings.ts';
import type { KeyPolicy, LimitState } from '../../domain/wallet/policy.ts';
import { limitsOf, NOTHING_SPENT } from '../../domain/wallet/policy.ts';
import { refuse } from '../kernel/errors.ts';

/** A change of what an API key, or the account by all of them, may spend on models. */
export interface BudgetChange {
  readonly account: Account;
  readonly by: KeyId;
  readonly at: Instant;
  /** Absent lifts it. */
  readonly policy?: KeyPolicy;
}

export interface BudgetSet {
  readonly policy?: KeyPolicy;
  readonly limits: readonly LimitState[];
}

type Unit<T> = Omit<Transaction<T>, 'admit' | 'name'>;

/** Stands in place of a key for the account's own ceiling of model calls. */
export const OF_ACCOUNT = 'models';

const KEY_MEMBERS = ['perCall', 'perHour', 'perDay', 'perMonth', 'models', 'expiresAt'];

/** Replaces the budget of an API key; what it used stays counted. */
export function settingBudget(id: string, { account, at, policy }: BudgetChange): Unit<BudgetSet> {
  mustHaveOnly(policy, KEY_MEMBERS, 'An API key');
  return {
    needs: [need(API_KEYS, id), need(API_KEY_BUDGETS, id)],
    decide(db) {
      const found = db.find(API_KEYS, id);
      if (found?.account !== account) return refuseUnknown(account, id);
      const { policy: _former, ...rest } = found;
      db.put(API_KEYS, id, { ...rest, ...defined({ policy }) });
      const limits = limitsOf(policy ?? {}, budgetSpent(db, id), at);
      return { limits, ...defined({ policy }) };
    },
  };
}

/** Sets how much the account spends on models in a day, or gives it the usual ceiling again. */
export function settingCeiling({ account, by, at, policy }: BudgetChange): Unit<BudgetSet> {
  mustHaveOnly(policy, ['perDay'], 'The account');
  const { perDay } = policy ?? {};
  if (perDay !== undefined && perDay > HUB_DAY) refuseAbove();
  return {
    needs: [need(MODEL_CEILINGS, account)],
    decide(db) {
      const revision = (db.find(MODEL_CEILINGS, account)?.revision ?? 0) + 1;
      const row = { account, setBy: by, setAt: at, revision, ...defined({ perDay }) };
      db.put(MODEL_CEILINGS, account, row);
      return { limits: limitsOf(policy ?? {}, NOTHING_SPENT, at), ...defined({ policy }) };
    },
  };
}

function mustHaveOnly(
  policy: KeyPolicy | undefined,
  members: readonly string[],
  who: string,
): void {
  const strange = Object.keys(policy ?? {}).find((name) => !members.includes(name));
  if (strange === undefined) return;
  refuse('bad-request', {
    error: `${who} has no limit ${strange}.`,
    hint: `Send only ${members.join(', ')}, or {"lifted": true}.`,
    field: `body.${strange}`,
    allowed: [...members],
  });
}

function refuseAbove(): never {
  refuse('bad-request', {
    error: `body.perDay is above the ${HUB_DAY} atomic units that the whole hub sells in a day.`,
    hint: `Send at most ${HUB_DAY}.`,
    field: 'body.perDay',
  });
}

function refuseUnknown(account: Account, id: string): never {
  return refuse('not-found', {
    error: `The account has no API key ${id}.`,
    hint: `GET /api/v1/wallet/${account}/api-keys lists its keys.`,
    field: 'path.keyId',
  });
}
