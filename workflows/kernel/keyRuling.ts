import type { SpendingRefusal } from '../../db/ledger/judgeTaking.ts';
import { endOf, type KeyRule } from '../../db/wallet/policies.ts';
import type { Account } from '../../domain/account.ts';
import { defined } from '../../domain/defined.ts';
import { iso, type Instant } from '../../domain/instant.ts';
import { display } from '../../domain/money.ts';
import { whyForbidden, type PolicyCall } from '../../domain/wallet/policy.ts';
import { HubError, refuse } from './errors.ts';

/** The policy of a signing key against its call, in the transaction that takes the nonce. */
export interface Ruling {
  readonly account: Account;
  /** Refuses a revoked key, and what the policy of the key forbids. */
  judge(rule: KeyRule | undefined, at: Instant): void;
}

/** The ruling of a call; without one, of a request that runs no operation. */
export function rulingOf(account: Account, call?: PolicyCall): Ruling {
  return {
    account,
    judge(rule, at) {
      if (rule === undefined) return;
      const ended = endOf(rule, at);
      if (ended !== undefined) refuseSpending({ why: 'revoked', at: ended });
      const text = rule.policy && call && whyForbidden(rule.policy, call);
      if (text !== undefined) refuseSpending({ why: 'forbids', text });
    },
  };
}

export function refuseSpending(refusal: SpendingRefusal): never {
  switch (refusal.why) {
    case 'revoked':
      return refuse('key-revoked', {
        error: `This key was revoked or expired at ${iso(refusal.at)}.`,
      });
    case 'forbids':
      return refuse('policy-forbids', { error: refusal.text });
    case 'limit': {
      const { window, limit, left, resetsAt } = refusal.over;
      const until = resetsAt === undefined ? '' : ` until ${iso(resetsAt)}`;
      return refuse('policy-limit', {
        error:
          `This takes ${refusal.amount} atomic units (${display(refusal.amount)} USDC), and the ` +
          `policy of this key leaves ${left} of ${limit} per ${window}${until}.`,
        window,
        limit: `${limit}`,
        left: `${left}`,
        ...(resetsAt !== undefined && { resetsAt: iso(resetsAt) }),
      });
    }
    case 'approval': {
      const { amount, above, network, seen } = refusal;
      const error = `This takes ${amount} atomic units (${display(amount)} USDC); above ${above} the owner of the account approves each call of this key.`;
      throw new HubError(
        'approval-needed',
        { error },
        {},
        { amount, network, ...defined({ seen }) },
      );
    }
  }
}
