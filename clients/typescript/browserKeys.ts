import { base58 } from '@scure/base';

/**
 * A key of a page. WebCrypto generates and stores it, so no script reads the secret, not even an
 * injected one, which can only request signatures while the page is open. It cannot be copied, and
 * clearing the storage loses the account: before it holds money, bind a second key (`bindKey`), or
 * use an exportable key and store a copy.
 */
export interface BrowserKey {
  readonly keyId: string;
  readonly account: string;
  readonly isExportable: boolean;
  readonly sign: (message: Uint8Array) => Promise<Uint8Array>;
}

/** Pairs of WebCrypto keys by name, returned as they were put; the page's IndexedDB by default. */
export interface KeyStorage {
  get(name: string): Promise<object | undefined>;
  /** Keeps the pair unless there is one of this name, and gives the one that is kept. */
  add(name: string, pair: object): Promise<object>;
  remove(name: string): Promise<void>;
}

export interface KeyOptions {
  /** False unless said: a key that can be backed up is one that any script of the page can read. */
  readonly isExportable?: boolean;
  readonly storage?: KeyStorage;
}

/** This browser has no Ed25519 in WebCrypto; `generateKey` makes a key that scripts can read. */
export class NoEd25519 extends Error {
  override readonly name = 'NoEd25519';
}

/** There is another key of this name; it stays. */
export class KeyExists extends Error {
  override readonly name = 'KeyExists';
}

export const browserKeys = {
  isSupported,
  load,
  loadOrGenerate,
  importSecret,
  exportSecret,
  remove,
};

async function isSupported(): Promise<boolean> {
  try {
    await makePair();
    return true;
  } catch {
    return false;
  }
}

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
  { isExportable = false }: Pick<KeyOptions, 'isExportable'> = {},
): Promise<BrowserKey> {
  const kept = await storage.get(name);
  if (kept !== undefined) return keyOf(asPair(kept));
  let pair: CryptoKeyPair;
  try {
    pair = await makePair(isExportable);
  } catch (cause) {
    throw new NoEd25519('WebCrypto here makes no Ed25519 keys', { cause });
  }
  return keyOf(asPair(await storage.add(name, pair)));
}

/** Bytes of PKCS #8 that come before the 32-byte seed of an Ed25519 key (RFC 8410). */
const PKCS8_HEAD = Uint8Array.from([
  0x30, 0x2e, 0x02, 0x01, 0x00, 0x30, 0x05, 0x06, 0x03, 0x2b, 0x65, 0x70, 0x04, 0x22, 0x04, 0x20,
]);
const SECRET_BYTES = 32;

/** Keeps a key from elsewhere, by its 32-byte seed. Throws KeyExists, TypeError and NoEd25519. */
async function importSecret(
  name: string,
  secretKey: Uint8Array,
  { isExportable = false, storage = indexedDbStorage() }: KeyOptions = {},
): Promise<BrowserKey> {
  if (secretKey.length !== SECRET_BYTES) throw new TypeError('a secret key has 32 bytes');
  const pkcs8 = Uint8Array.from([...PKCS8_HEAD, ...secretKey]);
  const usages = ['sign'] as const;
  let pair: CryptoKeyPair;
  try {
    const readable = await crypto.subtle.importKey('pkcs8', pkcs8, 'Ed25519', true, usages);
    const { x = '' } = await crypto.subtle.exportKey('jwk', readable);
    const shared = { kty: 'OKP', crv: 'Ed25519', x };
    pair = {
      publicKey: await crypto.subtle.importKey('jwk', shared, 'Ed25519', true, ['verify']),
      privateKey: await crypto.subtle.importKey('pkcs8', pkcs8, 'Ed25519', isExportable, usages),
    };
  } catch (cause) {
    throw new NoEd25519('WebCrypto here takes no Ed25519 keys', { cause });
  }
  const wanted = await keyOf(pair);
  const kept = await keyOf(asPair(await storage.add(name, pair)));
  if (kept.keyId !== wanted.keyId) throw new KeyExists(`${name} is the key ${kept.keyId}`);
  return kept;
}

/** The 32-byte seed of an exportable key; undefined when no script may read it, or there is none. */
async function exportSecret(
  name: string,
  storage: KeyStorage = indexedDbStorage(),
): Promise<Uint8Array | undefined> {
  const kept = await storage.get(name);
  if (kept === undefined) return undefined;
  const { privateKey } = asPair(kept);
  if (!privateKey.extractable) return undefined;
  const pkcs8 = new Uint8Array(await crypto.subtle.exportKey('pkcs8', privateKey));
  return pkcs8.slice(PKCS8_HEAD.length, PKCS8_HEAD.length + SECRET_BYTES);
}

/** Forgets the key of this name; without a copy or a second key the account is lost. */
async function remove(name: string, storage: KeyStorage = indexedDbStorage()): Promise<void> {
  await storage.remove(name);
}

async function makePair(isExportable = false): Promise<CryptoKeyPair> {
  const algorithm = { name: 'Ed25519' };
  const made = await crypto.subtle.generateKey(algorithm, isExportable, ['sign', 'verify']);
  if (!('privateKey' in made)) throw new TypeError('no pair of keys was made');
  return made;
}

async function keyOf({ publicKey, privateKey }: CryptoKeyPair): Promise<BrowserKey> {
  const keyId = base58.encode(new Uint8Array(await crypto.subtle.exportKey('raw', publicKey)));
  const sign = async (message: Uint8Array): Promise<Uint8Array> =>
    new Uint8Array(await crypto.subtle.sign('Ed25519', privateKey, Uint8Array.from(message)));
  return { keyId, account: `key:${keyId}`, isExportable: privateKey.extractable, sign };
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
    remove: async (name) => {
      await within(database, 'readwrite', (store) => store.delete(name));
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
