import assert from 'node:assert/strict';
import {
  browserKeys,
  indexedDbStorage,
  KeyExists,
  NoEd25519,
  type KeyStorage,
} from './browserKeys.ts';
import { scriptedHub } from './fixture.ts';
import { createHub, generateKey } from './index.ts';

/** Keys of a page, on the WebCrypto of Node and a storage that keeps what structured clones keep. */
function inMemory(): KeyStorage & { readonly kept: Map<string, object> } {
  const kept = new Map<string, object>();
  return {
    kept,
    get: (name) => Promise.resolve(kept.get(name)),
    add: (name, pair) => {
      if (!kept.has(name)) kept.set(name, pair);
      return Promise.resolve(kept.get(name) ?? pair);
    },
    remove: (name) => {
      kept.delete(name);
      return Promise.resolve();
    },
  };
}

describe('browser keys', () => {
  it('are made once, and no script can read them', async () => {
    assert.equal(await browserKeys.isSupported(), true);
    const storage = inMemory();
    assert.equal(await browserKeys.load('agent', storage), undefined);
    const made = await browserKeys.loadOrGenerate('agent', storage);
    const again = await browserKeys.loadOrGenerate('agent', storage);
    assert.equal(again.keyId, made.keyId);
    const secret: unknown = Reflect.get(storage.kept.get('agent') ?? {}, 'privateKey');
    assert.ok(secret instanceof CryptoKey);
    assert.equal(secret.extractable, false);
    for (const format of ['pkcs8', 'jwk'] as const) {
      await assert.rejects(async () => crypto.subtle.exportKey(format, secret));
    }
  });

  it('sign what the hub verifies', async () => {
    const scripted = await scriptedHub();
    try {
      scripted.play({ status: 200, body: {} });
      const key = await browserKeys.loadOrGenerate('agent', inMemory());
      await createHub({ baseUrl: scripted.baseUrl, key }).GET('/api/v1/me');
      const [sent] = scripted.received();
      assert.ok(sent?.inspection.kind === 'verified');
      assert.equal(sent.inspection.keyId, key.keyId);
    } finally {
      await scripted.close();
    }
  });

  it('give their secret back only when that was asked for beforehand', async () => {
    const storage = inMemory();
    await browserKeys.loadOrGenerate('closed', storage);
    assert.equal(await browserKeys.exportSecret('closed', storage), undefined);
    assert.equal(await browserKeys.exportSecret('none', storage), undefined);
    const made = await browserKeys.loadOrGenerate('open', storage, { isExportable: true });
    assert.equal(made.isExportable, true);
    const secret = await browserKeys.exportSecret('open', storage);
    assert.ok(secret !== undefined);
    const again = await browserKeys.importSecret('copy', secret, { storage });
    assert.deepEqual([again.keyId, again.isExportable], [made.keyId, false]);
    assert.equal(await browserKeys.exportSecret('copy', storage), undefined);
  });

  it('come from elsewhere by their secret, and replace none', async () => {
    const storage = inMemory();
    const { secretKey, keyId } = await generateKey();
    const imported = await browserKeys.importSecret('agent', secretKey, {
      storage,
      isExportable: true,
    });
    assert.equal(imported.keyId, keyId);
    assert.deepEqual(await browserKeys.exportSecret('agent', storage), secretKey);
    assert.equal((await browserKeys.importSecret('agent', secretKey, { storage })).keyId, keyId);
    const other = (await generateKey()).secretKey;
    await assert.rejects(browserKeys.importSecret('agent', other, { storage }), KeyExists);
    await assert.rejects(browserKeys.importSecret('b', other.slice(1), { storage }), TypeError);
    await browserKeys.remove('agent', storage);
    assert.equal(await browserKeys.load('agent', storage), undefined);
  });

  it('are one key for both tabs', async () => {
    const storage = inMemory();
    const tabs = await Promise.all([1, 2, 3].map(() => browserKeys.loadOrGenerate('a', storage)));
    assert.equal(new Set(tabs.map(({ keyId }) => keyId)).size, 1);
  });

  it('say so where the browser makes none', async () => {
    const generate = crypto.subtle.generateKey.bind(crypto.subtle);
    Reflect.set(crypto.subtle, 'generateKey', () =>
      Promise.reject(new DOMException('', 'NotSupportedError')),
    );
    try {
      assert.equal(await browserKeys.isSupported(), false);
      await assert.rejects(browserKeys.loadOrGenerate('a', inMemory()), NoEd25519);
    } finally {
      Reflect.set(crypto.subtle, 'generateKey', generate);
    }
  });

  it('lie in IndexedDB, where the key of the first tab stays', async () => {
    const rows = new Map<string, unknown>();
    Reflect.set(globalThis, 'indexedDB', fakeIndexedDb(rows));
    try {
      const made = await browserKeys.loadOrGenerate('agent');
      assert.equal((await browserKeys.load('agent'))?.keyId, made.keyId);
      const other = await crypto.subtle.generateKey({ name: 'Ed25519' }, false, ['sign', 'verify']);
      assert.ok('privateKey' in other);
      const kept = await indexedDbStorage().add('agent', other);
      assert.equal(kept, rows.get('agent'));
      await browserKeys.remove('agent');
      assert.equal(rows.size, 0);
    } finally {
      Reflect.deleteProperty(globalThis, 'indexedDB');
    }
  });
});

/** The three calls of IndexedDB that are used, over a map. */
function fakeIndexedDb(rows: Map<string, unknown>): object {
  const request = (work: () => unknown): object => {
    const made: Record<string, unknown> = {};
    setImmediate(() => {
      try {
        made['result'] = work();
        (made['onupgradeneeded'] as (() => void) | undefined)?.();
        (made['onsuccess'] as () => void)();
      } catch (error) {
        made['error'] = error;
        (made['onerror'] as () => void)();
      }
    });
    return made;
  };
  const store = {
    get: (name: string) => request(() => rows.get(name)),
    add: (pair: unknown, name: string) =>
      request(() => {
        if (rows.has(name)) throw new DOMException('', 'ConstraintError');
        rows.set(name, { ...(pair as object) });
        return name;
      }),
    delete: (name: string) => request(() => void rows.delete(name)),
  };
  const transaction = (): object => ({ objectStore: () => store });
  const database = { createObjectStore: () => store, close: () => undefined, transaction };
  return { open: () => request(() => database) };
}
