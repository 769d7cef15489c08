import { createHash } from 'node:crypto';
import { bindKey, accountOfKey } from '../db/wallet/keys.ts';
import type { Store } from '../db/store.ts';
import { keyAccount, type Account, type KeyId } from '../domain/account.ts';
import { inspect, type Inspection } from '../domain/httpsig/inspect.ts';
import type { RawRequest } from '../domain/httpsig/message.ts';
import { seconds } from '../domain/instant.ts';
import { createVerify } from './hub/keys/ed25519.ts';
import type { Clock } from './hub/clock.ts';

/** Who signed: verification of a request, and the account that its key acts for. */
export interface Identities {
  /** Checks a request's signature and consumes nothing. */
  inspect(request: RawRequest): Inspection;
  /** The account of a key whose binding this process has met. */
  boundAccount(keyId: KeyId): Account | undefined;
  /** The account of a key that has just signed correctly; its first use binds it (Authentication 1). */
  accountOf(keyId: KeyId): Promise<Account>;
}

export const SIGNATURE_AGE_MAX_SECONDS = seconds(300);
const KNOWN_KEYS_MAX = 50_000;
const HASHES = {
  sha256: (bytes: Uint8Array) => createHash('sha256').update(bytes).digest(),
  sha512: (bytes: Uint8Array) => createHash('sha512').update(bytes).digest(),
};

export function openIdentities(
  store: Store,
  clock: Clock,
  trust: { readonly origins: readonly string[]; readonly allowTestKey: boolean },
): Identities {
  const fixed = { ...trust, ...HASHES, verify: createVerify() };
  // A binding never changes once made, so a key read once need not be read again.
  const known = new Map<KeyId, Account>();
  const remember = (keyId: KeyId, account: Account): Account => {
    if (known.size >= KNOWN_KEYS_MAX) known.clear();
    known.set(keyId, account);
    return account;
  };
  return {
    inspect: (request) =>
      inspect(request, { ...fixed, now: clock.now(), maxAgeSeconds: SIGNATURE_AGE_MAX_SECONDS }),
    boundAccount: (keyId) => known.get(keyId),
    async accountOf(keyId) {
      const cached = known.get(keyId);
      if (cached !== undefined) return cached;
      const bound = await store.read((db) => accountOfKey(db, keyId));
      if (bound !== undefined) return remember(keyId, bound);
      return remember(
        keyId,
        await store.write((tx) => bindKey(tx, keyId, keyAccount(keyId), clock.now())),
      );
    },
  };
}
