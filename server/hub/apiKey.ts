import { need } from '../../db/batch/need.ts';
import type { Transaction } from '../../db/batch/transaction.ts';
import { GOOD_API_KEYS } from '../../db/wallet/apiKeys.ts';
import type { KeyHolder } from './call.ts';
import { refuse } from './errors.ts';

const NOBODYS = 'No account minted this API key, or it was revoked.';

/** Refuses an API key that is absent, unknown or revoked; `error` names which. */
export function refuseApiKey(error = NOBODYS): never {
  return refuse('api-key', { error }, { 'www-authenticate': 'Bearer' });
}

/**
 * Returns the transaction with a check that the API key is good: the database is asked in the read
 * that the unit makes in any case, so a key that this process remembers ends everywhere when it is
 * revoked.
 */
export function withGoodKey<T>({ digest }: KeyHolder, unit: Transaction<T>): Transaction<T> {
  return {
    ...unit,
    needs: [need(GOOD_API_KEYS, digest), ...unit.needs],
    decide(db) {
      if (db.find(GOOD_API_KEYS, digest) === undefined) refuseApiKey();
      return unit.decide(db);
    },
  };
}
