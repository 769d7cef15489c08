import { base58 } from '@scure/base';

/**
 * Keys of a page: WebCrypto makes and holds them, so that no script reads the secret, not even one
 * that was smuggled in; it can only ask for signatures while the page is open. A key that cannot be
 * read cannot be copied either: whoever clears the storage loses the account, so bind a second key
 * (`bindKey`) before it holds money.
 */
export interface BrowserKey {
  readonly keyId: string;
  readonly account: string;
  readonly sign: (message: Uint8Array) => Promise<Uint8Array>;
}

/**
 * Where pairs of WebCrypto keys are kept by name; the default is the page's IndexedDB. To the storage
 * a pair is an object that it gives back as it was.
 */
export interface KeyStorage {
  get(name: string): Promise<object | undefined>;
  /** Keeps the pair unless there is one of this name, and gives the one that is kept. */
  add(name: string, pair: object): Promise<object>;
}

/** This browser has no Ed25519 in WebCrypto; `generateKey` makes a key that scripts can read. */
export class NoEd25519 extends Error {
  override readonly name = 'NoEd25519';
}

export const browserKeys = { isSupported, load, loadOrGenerate };

async function isSupported(): Promise<boolean> {
  try {
    await makePair();
    return true;
  } catch {
    return false;
  }
}

/** The key of this name; undefined when there is none. */
async function load(
  name: string,
  storage: KeyStorage = indexedDbStorage(),
): Promise<BrowserKey | undefined> {
  const pair = await storage.get(name);
  return pair === undefined ? undefined : keyOf(asPair(pair));
}

/** The key of this name, made when it is missing. Throws NoEd25519. */
async function loadOrGenerate(
  name: string,
  storage: KeyStorage = indexedDbStorage(),
): Promise<BrowserKey> {
  const kept = await storage.get(name);
  if (kept !== undefined) return keyOf(asPair(kept));
  let pair: CryptoKeyPair;
  try {
    pair = await makePair();
  } catch (cause) {
    throw new NoEd25519('WebCrypto here makes no Ed25519 keys', { cause });
  }
  return keyOf(asPair(await storage.add(name, pair)));
}

async function makePair(): Promise<CryptoKeyPair> {
  const made = await crypto.subtle.generateKey({ name: 'Ed25519' }, false, ['sign', 'verify']);
  if (!('privateKey' in made)) throw new TypeError('no pair of keys was made');
  return made;
}

async function keyOf({ publicKey, privateKey }: CryptoKeyPair): Promise<BrowserKey> {
  const keyId = base58.encode(new Uint8Array(await crypto.subtle.exportKey('raw', publicKey)));
  const sign = async (message: Uint8Array): Promise<Uint8Array> =>
    new Uint8Array(await crypto.subtle.sign('Ed25519', privateKey, Uint8Array.from(message)));
  return { keyId, account: `key:${keyId}`, sign };
}

const STORE = 'keys';

/** Key pairs in the page's IndexedDB, which keeps them without showing them. */
export function indexedDbStorage(database = 'agent-exchange'): KeyStorage {
  return {
    get: async (name) => within(database, 'readonly', (store) => store.get(name)).then(asObject),
    add: async (name, pair) => {
      const key = await within(database, 'readwrite', (store) => store.add(pair, name)).catch(
        (error: unknown) => {
          // Another tab was first; its key is the account.
          if (error instanceof Error && error.name === 'ConstraintError') return undefined;
          throw error;
        },
      );
      if (key !== undefined) return pair;
      const kept = asObject(await within(database, 'readonly', (store) => store.get(name)));
      if (kept === undefined) throw new Error(`the key ${name} is gone`);
      return kept;
    },
  };
}

async function within<T>(
  name: string,
  mode: IDBTransactionMode,
  work: (store: IDBObjectStore) => IDBRequest<T>,
): Promise<T> {
  const opening = indexedDB.open(name, 1);
  opening.onupgradeneeded = () => {
    opening.result.createObjectStore(STORE);
  };
  const database = await settled(opening);
  try {
    return await settled(work(database.transaction(STORE, mode).objectStore(STORE)));
  } finally {
    database.close();
  }
}

function settled<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error ?? new Error('IndexedDB failed'));
  });
}

function asObject(value: unknown): object | undefined {
  return typeof value === 'object' && value !== null ? value : undefined;
}

function asPair(value: object): CryptoKeyPair {
  const publicKey: unknown = Reflect.get(value, 'publicKey');
  const privateKey: unknown = Reflect.get(value, 'privateKey');
  if (publicKey instanceof CryptoKey && privateKey instanceof CryptoKey) {
    return { publicKey, privateKey };
  }
  throw new TypeError('what the storage kept is no pair of keys');
}
