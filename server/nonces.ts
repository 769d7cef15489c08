import { consumeNonces, nonceName, NONCES_AT_ONCE_MAX, type Nonce } from '../db/nonces.ts';
import type { Store } from '../db/store.ts';
import { openBatcher } from '../db/batcher.ts';
import type { Clock } from './hub/clock.ts';

/**
 * Takes nonces in the database, all that wait in one statement. A request goes on only after the
 * commit that holds its nonce, so a killed hub replays nothing either.
 */
export interface Nonces {
  /** False when the key used the nonce before. */
  consume(nonce: Nonce): Promise<boolean>;
}

export function openNonces(store: Store, clock: Clock): Nonces {
  const take = openBatcher<Nonce, boolean>(NONCES_AT_ONCE_MAX, (nonces) =>
    store.write(async (tx) => {
      const fresh = await consumeNonces(tx, nonces, clock.now());
      return nonces.map((nonce) => fresh.has(nonceName(nonce)));
    }),
  );
  const waiting = new Set<string>();
  return {
    async consume(nonce) {
      const name = nonceName(nonce);
      // A twin of one that waits is its replay; whether that one succeeds changes nothing.
      if (waiting.has(name)) return false;
      waiting.add(name);
      try {
        return await take(nonce);
      } finally {
        waiting.delete(name);
      }
    },
  };
}
