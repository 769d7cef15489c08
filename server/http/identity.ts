import { createHash } from 'node:crypto';
import { apiKeyOf } from '../../db/wallet/apiKeys.ts';
import { defined } from '../../domain/defined.ts';
import { sha256Hex } from '../../domain/digest.ts';
import { need, needNew } from '../../db/batch/need.ts';
import { KEY_HOMES, ownKey, settleHome, settleKey } from '../../db/wallet/homes.ts';
import { bindOwn, BOUND_KEYS, signerOf } from '../../db/wallet/keys.ts';
import type { Store, Writer } from '../../db/store.ts';
import { keyAccount, type Account, type KeyId } from '../../domain/account.ts';
import {
  inspect,
  inspectBody,
  inspectHead,
  type Inspection,
  type Policy,
  type Refused,
  type Verified,
} from '../../domain/httpsig/inspect.ts';
import type { RawRequest } from '../../domain/httpsig/message.ts';
import { plus, seconds, type Instant } from '../../domain/instant.ts';
import { createVerify } from '../../workflows/kernel/keys/ed25519.ts';
import type { Clock } from '../../workflows/kernel/clock.ts';
import type { Settling } from '../../workflows/kernel/hub.ts';

/** Who signed: verification of a request, and the account that its key acts for. */
export interface Identities {
  /** Checks a request's signature and consumes nothing. */
  inspect(request: RawRequest): Inspection;
  /** The same by the headers alone, before the body is read. */
  inspectHead(request: RawRequest): Inspection;
  /** Does the remaining check: whether the body is the one that the headers name. */
  inspectBody(seen: Verified, request: RawRequest): Verified | Refused;
  boundAccount(keyId: KeyId): Account | undefined;
  /** Settles the key in an account's name, as `Callers` in hub.ts says (choices wallet.binding). */
  settle(tx: Writer, account: Account): Promise<Account>;
  settling(account: Account): Settling;
  /**
   * The account of a key that has just signed correctly; its first use binds it (Authentication 1).
   * @param admit Called before that; what it throws keeps a new key out.
   */
  accountOf(keyId: KeyId, admit?: () => void): Promise<Account>;
  /** Whether this signature was not counted on this process before; its nonce stays unspent. */
  isFirstCount(keyId: KeyId, nonce: string): boolean;
  /**
   * The account that a public call of this key counts against; it binds nothing.
   * @param admit Called for a key that is new here; what it throws keeps it out.
   */
  readerOf(keyId: KeyId, admit: () => void): Promise<Account>;
  /** Returns the holder of an API key; undefined when it is unknown or revoked. */
  keyHolder(key: string): Promise<KeyFound | undefined>;
}

interface KeyFound {
  readonly account: Account;
  readonly hint: string;
  readonly digest: string;
  readonly mintedBy?: KeyId;
  readonly apiKeyId: string;
  /** Read within the last half minute; it may have been revoked since. */
  readonly isRemembered: boolean;
}

const SIGNATURE_AGE_MAX_SECONDS = seconds(300);
const KNOWN_KEYS_MAX = 50_000;
const API_KEY_SECONDS_MAX = seconds(30);
const SIGNATURES_KEPT_SECONDS = seconds(600);
/** Signatures that each half of the memory holds; with both full, more count as seen. */
const COUNTED_MAX = 100_000;
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
  const policy = (): Policy => ({
    ...fixed,
    now: clock.wall(),
    maxAgeSeconds: SIGNATURE_AGE_MAX_SECONDS,
  });
  // Where a key is settled never changes, so a key read once need not be read again. One that may
  // still join another account is read each time: another process may be the one where it joins.
  const known = new Map<KeyId, Account>();
  // Bound by this process; where it is settled as well, the key is known without being read.
  const bound = new Map<KeyId, Account>();
  const settled = new Map<KeyId, Account>();
  const apiKeys = new Map<string, KeyFound & { readonly until: Instant }>();
  const remember = <K, V>(where: Map<K, V>, key: K, value: V): V => {
    if (where.size >= KNOWN_KEYS_MAX) where.clear();
    where.set(key, value);
    return value;
  };
  const find = async (keyId: KeyId): Promise<Account | undefined> => {
    const cached = known.get(keyId);
    if (cached !== undefined) return cached;
    const account = bound.get(keyId);
    if (account !== undefined && settled.get(keyId) === account) {
      bound.delete(keyId);
      return remember(known, keyId, account);
    }
    const signer = await store.readOne((db) => signerOf(db, keyId));
    return signer?.isSettled === true ? remember(known, keyId, signer.account) : signer?.account;
  };
  const readers = new Map<KeyId, Account>();
  const counted = openCounted(() => clock.wall());
  return {
    isFirstCount: (keyId, nonce) => counted(`${keyId} ${nonce}`),
    inspect: (request) => inspect(request, policy()),
    inspectHead: (request) => inspectHead(request, policy()),
    inspectBody: (seen, request) => inspectBody(seen, request, HASHES),
    boundAccount: (keyId) => known.get(keyId),
    async keyHolder(key) {
      const digest = sha256Hex(key);
      const cached = apiKeys.get(digest);
      if (cached !== undefined && clock.now() < cached.until) return cached;
      apiKeys.delete(digest);
      const found = await store.readOne((db) => apiKeyOf(db, digest));
      if (found === undefined) return undefined;
      const { id: apiKeyId, account, hint, mintedBy } = found;
      const good = { account, hint, digest, apiKeyId, ...defined({ mintedBy }) };
      const until = plus(clock.now(), API_KEY_SECONDS_MAX);
      remember(apiKeys, digest, { ...good, isRemembered: true, until });
      return { ...good, isRemembered: false };
    },
    async settle(tx, account) {
      const keyId = ownKey(account);
      if (keyId === undefined) return account;
      const cached = settled.get(keyId) ?? known.get(keyId);
      if (cached !== undefined) return cached;
      const home = await settleKey(tx, keyId, account, clock.now());
      tx.afterCommit(() => remember(settled, keyId, home));
      return home;
    },
    settling(account) {
      const keyId = ownKey(account);
      const cached = keyId === undefined ? account : (settled.get(keyId) ?? known.get(keyId));
      if (keyId === undefined || cached !== undefined)
        return { needs: [], settle: () => cached ?? account };
      return {
        needs: [need(KEY_HOMES, keyId)],
        settle(db) {
          const home = settleHome(db, keyId, account, clock.now());
          db.afterCommit(() => remember(settled, keyId, home));
          return home;
        },
      };
    },
    async readerOf(keyId, admit) {
      const found = await find(keyId);
      if (found !== undefined) return found;
      if (!readers.has(keyId)) admit();
      return remember(readers, keyId, keyAccount(keyId));
    },
    async accountOf(keyId, admit) {
      const found = await find(keyId);
      if (found !== undefined) return found;
      admit?.();
      return store.decide({
        name: 'keys.bind',
        needs: [needNew(BOUND_KEYS, keyId)],
        decide(db) {
          const account = bindOwn(db, keyId, clock.now());
          db.afterCommit(() => remember(bound, keyId, account));
          return account;
        },
      });
    },
  };
}

/** Remembers names for longer than a signature is fresh. Returns whether a name is a new one. */
function openCounted(now: () => Instant): (name: string) => boolean {
  let older = new Set<string>();
  let newer = new Set<string>();
  let since = now();
  return (name) => {
    // Each half is kept for twice the age, since a signature may be dated ahead.
    if (now() >= plus(since, SIGNATURES_KEPT_SECONDS)) {
      [older, newer, since] = [newer, new Set(), now()];
    }
    if (older.has(name) || newer.has(name) || newer.size >= COUNTED_MAX) return false;
    newer.add(name);
    return true;
  };
}
