import { consumeNonces, nonceName, NONCES_AT_ONCE_MAX, type Nonce } from '../db/nonces.ts';
import type { Store } from '../db/store.ts';
import type { Clock } from './hub.ts';

/**
 * Takes nonces in the database, all that wait in one statement. A request goes on only after the
 * commit that holds its nonce, so a killed hub replays nothing either.
 */
export interface Nonces {
  /** False when the key used the nonce before. */
  consume(nonce: Nonce): Promise<boolean>;
}

interface Waiting {
  readonly nonce: Nonce;
  readonly answer: (fresh: boolean) => void;
  readonly fail: (error: unknown) => void;
}

export function openNonces(store: Store, clock: Clock): Nonces {
  const waiting = new Map<string, Waiting>();
  let running = false;

  const takeSome = async (): Promise<void> => {
    const batch = [...waiting.values()].slice(0, NONCES_AT_ONCE_MAX);
    for (const { nonce } of batch) waiting.delete(nonceName(nonce));
    const nonces = batch.map((each) => each.nonce);
    try {
      const fresh = await store.write((tx) => consumeNonces(tx, nonces, clock.now()));
      for (const each of batch) each.answer(fresh.has(nonceName(each.nonce)));
    } catch (error) {
      for (const each of batch) each.fail(error);
    }
  };
  const takeAll = async (): Promise<void> => {
    running = true;
    while (waiting.size > 0) await takeSome();
    running = false;
  };
  return {
    consume(nonce) {
      // A twin of one that waits is its replay; whether that one succeeds changes nothing.
      if (waiting.has(nonceName(nonce))) return Promise.resolve(false);
      return new Promise((answer, fail) => {
        waiting.set(nonceName(nonce), { nonce, answer, fail });
        if (!running) void takeAll();
      });
    },
  };
}
