import { need } from '../../db/batch/need.ts';
import type { Transaction } from '../../db/batch/transaction.ts';
import { SpendingRefused } from '../../db/ledger/judgeTaking.ts';
import { API_KEYS } from '../../db/wallet/apiKeys.ts';
import { endOf, KEY_POLICIES } from '../../db/wallet/policies.ts';
import { defined } from '../../domain/defined.ts';
import type { PolicyCall } from '../../domain/wallet/policy.ts';
import type { KeyHolder } from './call.ts';
import { refuse } from './errors.ts';
import type { Hub } from './hub.ts';
import { refuseSpending, rulingOf } from './keyRuling.ts';

const NOBODYS = 'No account minted this API key, or it was revoked.';

/** Refuses an API key that is absent, unknown or revoked; `error` names which. */
export function refuseApiKey(error = NOBODYS): never {
  return refuse('api-key', { error }, { 'www-authenticate': 'Bearer' });
}

/**
 * Checks the API key in the read that the transaction makes anyway, so a revoked key ends at once
 * in every process. The call spends under the minting key's policy (choices wallet.policies).
 */
export function decideWithKey<T>(
  { store, clock }: Pick<Hub, 'store' | 'clock'>,
  { apiKeyId, account, mintedBy: keyId }: KeyHolder,
  call: PolicyCall,
  unit: Transaction<T>,
): Promise<T> {
  const minter = keyId && { keyId, account };
  const spender = minter && { ...minter, digest: () => '' };
  const policy = minter === undefined ? [] : [need(KEY_POLICIES, minter)];
  return store
    .decide({
      ...unit,
      ...defined({ spender }),
      needs: [need(API_KEYS, apiKeyId), ...policy, ...unit.needs],
      decide(db) {
        const key = db.find(API_KEYS, apiKeyId);
        if (key === undefined || key.revokedAt !== undefined) refuseApiKey();
        if (minter !== undefined) {
          const rule = db.find(KEY_POLICIES, minter);
          if (rule !== undefined && endOf(rule, clock.now()) !== undefined) refuseApiKey();
          rulingOf(account, call).judge(rule, clock.now());
        }
        return unit.decide(db);
      },
    })
    .catch(refused);
}

/** A call that needs an approval has no signer who could be asked to send it again. */
function refused(thrown: unknown): never {
  if (!(thrown instanceof SpendingRefused)) throw thrown;
  const { refusal } = thrown;
  if (refusal.why !== 'approval') return refuseSpending(refusal);
  const text = `Above ${refusal.above} atomic units the owner approves each call, which only a signed call can ask for.`;
  return refuseSpending({ why: 'forbids', text });
}
