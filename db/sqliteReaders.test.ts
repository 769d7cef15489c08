import { strict as assert } from 'node:assert';
import { parseKeyId } from '../domain/account.ts';
import { instant } from '../domain/instant.ts';
import type { Reader } from './connection.ts';
import { consumeNonce, nonceUsed } from './nonces.ts';
import { openStore, type Store } from './store.ts';

const AT = instant(1_800_000_000_000);
const KEY = parseKeyId('8qbHbw2BbbTHBW1sbeqakYXVKRQM8Ne7pLK7m6CVfeR') ?? assert.fail();

describe('reads on SQLite, whose transactions are begun before they are needed', () => {
  let store: Store;
  beforeEach(async () => {
    store = await openStore('sqlite::memory:', { readers: 1 });
  });
  afterEach(() => store.close());
  const take = (nonce: string): Promise<boolean> =>
    store.write((tx) => consumeNonce(tx, KEY, nonce, AT));
  const isUsed = (db: Reader, nonce: string): Promise<boolean> => nonceUsed(db, KEY, nonce);

  it('see what was committed before they asked', async () => {
    for (const nonce of ['first', 'second', 'third']) {
      assert.equal(await store.read((db) => isUsed(db, nonce)), false);
      await take(nonce);
      assert.equal(await store.read((db) => isUsed(db, nonce)), true);
    }
  });

  it('see one snapshot from their first statement to their last', async () => {
    await store.read(async (db) => {
      assert.equal(await isUsed(db, 'meanwhile'), false);
      await take('meanwhile');
      assert.equal(await isUsed(db, 'meanwhile'), false);
    });
    assert.equal(await store.read((db) => isUsed(db, 'meanwhile')), true);
  });

  it('see nothing of the snapshot of one that failed before all it had asked', async () => {
    const asked: Promise<unknown>[] = [];
    const failing = store.read((db) => {
      for (let nth = 0; nth < 20; nth += 1) asked.push(isUsed(db, `${nth}`));
      return Promise.reject(new Error('it gave up'));
    });
    await assert.rejects(failing, /it gave up/);
    await Promise.all(asked);
    await take('after');
    assert.equal(await store.read((db) => isUsed(db, 'after')), true);
  });

  it('end before the store is closed', async () => {
    const reads = Array.from({ length: 10 }, () => store.read((db) => isUsed(db, 'any')));
    await Promise.all(reads);
    const other = await openStore('sqlite::memory:', { readers: 2 });
    await other.read((db) => isUsed(db, 'any'));
    await other.close();
    await assert.rejects(other.read((db) => isUsed(db, 'any')));
  });
});
