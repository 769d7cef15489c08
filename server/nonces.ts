import { need } from '../db/batch/need.ts';
import { NONCES, type Nonce } from '../db/nonces.ts';
import type { Store } from '../db/store.ts';
import type { Clock } from './hub/clock.ts';

/**
 * Takes nonces in the database, all that wait in one batch with every other transaction. A
 * request goes on only after the commit that holds its nonce, so a killed hub replays nothing
 * either.
 */
export interface Nonces {
  /** False when the key used the nonce before. */
  consume(nonce: Nonce): Promise<boolean>;
}

export function openNonces(store: Store, clock: Clock): Nonces {
  return {
    consume: (nonce) =>
      store.decide({
        needs: [need(NONCES, nonce)],
        decide(db) {
          if (db.find(NONCES, nonce) !== undefined) return false;
          db.put(NONCES, nonce, { ...nonce, seenAt: clock.now() });
          return true;
        },
      }),
  };
}
