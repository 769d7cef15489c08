import { need } from '../../db/batch/need.ts';
import { NONCES, type Nonce } from '../../db/nonces.ts';
import type { Store } from '../../db/store.ts';
import { KEY_POLICIES } from '../../db/wallet/policies.ts';
import type { Clock } from '../../workflows/kernel/clock.ts';
import type { Ruling } from '../../workflows/kernel/keyRuling.ts';

/**
 * Takes nonces in one batch with all other transactions. A request goes on only after the commit
 * that holds its nonce, so a killed hub replays nothing either.
 */
export interface Nonces {
  /** False when the key used the nonce before; throws what the policy of the key refuses. */
  consume(nonce: Nonce, ruling: Ruling): Promise<boolean>;
}

export function openNonces(store: Store, clock: Clock): Nonces {
  return {
    consume: (nonce, ruling) => {
      const key = { keyId: nonce.keyId, account: ruling.account };
      return store.decide({
        needs: [need(NONCES, nonce), need(KEY_POLICIES, key)],
        decide(db) {
          ruling.judge(db.find(KEY_POLICIES, key), clock.now());
          if (db.find(NONCES, nonce) !== undefined) return false;
          db.put(NONCES, nonce, { ...nonce, seenAt: clock.now() });
          return true;
        },
      });
    },
  };
}
