import { strict as assert } from 'node:assert';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Knex } from 'knex';
import { parseKeyId } from '../domain/account.ts';
import { instant } from '../domain/instant.ts';
import type { Writer } from './connection.ts';
import { consumeNonce } from './nonces.ts';
import { openStore, type Store } from './store.ts';

/** Tests the one writer of SQLite when a unit never ends, or the disk reports an error. */
const AT = instant(1_800_000_000_000);
const KEY = parseKeyId('8qbHbw2BbbTHBW1sbeqakYXVKRQM8Ne7pLK7m6CVfeR') ?? assert.fail();
/** Far more than what an idle unit needs on a busy machine, since the others here must end in it. */
const UNIT_MS_MAX = 500;

const nothing = (): void => undefined;
const take = (tx: Writer, nonce: string): Promise<boolean> => consumeNonce(tx, KEY, nonce, AT);

async function nonces(store: Store): Promise<readonly string[]> {
  const rows = await store.read(({ knex }) => knex<{ nonce: string }>('nonces').select('nonce'));
  return rows.map(({ nonce }) => nonce).sort();
}

describe('a unit on SQLite that does not end', () => {
  let store: Store;
  beforeEach(async () => {
    store = await openStore('sqlite::memory:', { unitMsMax: UNIT_MS_MAX });
  });
  afterEach(() => store.close());
  const never = new Promise<never>(() => undefined);

  it('is rolled back alone, and its call rejects', async () => {
    const before = store.write((tx) => take(tx, 'before'));
    const stuck = store.write(async (tx) => {
      await take(tx, 'stuck');
      await never;
    });
    const behind = store.write((tx) => take(tx, 'behind'));
    await assert.rejects(stuck, /did not end within 500 ms/);
    assert.deepEqual([await before, await behind], [true, true]);
    assert.deepEqual(await nonces(store), ['before', 'behind']);
  });

  it('can write nothing when it wakes up, in its own name or by what it kept', async () => {
    let wake = (): void => undefined;
    const woken = new Promise<void>((resolve) => (wake = resolve));
    const refusals: unknown[] = [];
    let ended = (): void => undefined;
    const isEnded = new Promise<void>((resolve) => (ended = resolve));
    const late = { key_id: KEY, nonce: 'late', seen_at: AT };
    const stuck = store.write(async (tx) => {
      await take(tx, 'first');
      const kept: Knex = tx.knex;
      await woken;
      for (const again of [() => take(tx, 'late'), () => kept('nonces').insert(late)]) {
        await again().then(
          () => refusals.push('not refused'),
          (error: unknown) => refusals.push(error),
        );
      }
      ended();
    });
    await assert.rejects(stuck);
    // It wakes up while another unit has the writer.
    await store.write(async (tx) => {
      await take(tx, 'other');
      wake();
      await isEnded;
    });
    assert.match(String(refusals[0]), /after it had ended/);
    assert.match(String(refusals[1]), /taken from its unit/);
    assert.deepEqual(await nonces(store), ['other']);
  });

  it('does not pass statements sent just before the end to another unit', async () => {
    const sent: Promise<unknown>[] = [];
    const stuck = store.write(async ({ knex }) => {
      await sleep(UNIT_MS_MAX - 5);
      for (let count = 0; count < 200; count += 1) {
        const row = { key_id: KEY, nonce: `n${count}`, seen_at: AT };
        sent.push(knex('nonces').insert(row).then(nothing, nothing));
      }
      await never;
    });
    const next = store.write((tx) => take(tx, 'next'));
    await assert.rejects(stuck);
    await next;
    await Promise.all(sent);
    assert.deepEqual(await nonces(store), ['next']);
  });

  it('does not keep the store from closing', async () => {
    const stuck = store.write(() => never);
    const rejected = assert.rejects(stuck);
    await store.close();
    await rejected;
    store = await openStore('sqlite::memory:');
  });
});

describe('a full disk under SQLite', () => {
  let store: Store;
  beforeEach(async () => {
    store = await openStore('sqlite::memory:');
    await store.write((tx) => take(tx, 'old'));
    await limit(store, 'full');
  });
  afterEach(() => store.close());

  it('rejects the unit that met it, and the next works when there is room', async () => {
    await assert.rejects(
      store.write(async (tx) => {
        await take(tx, 'half');
        await fill(tx);
      }),
      /SQLITE_FULL/,
    );
    await limit(store, 'free');
    assert.equal(await store.write((tx) => take(tx, 'next')), true);
    assert.deepEqual(await nonces(store), ['next', 'old']);
  });

  it('commits no half of a unit that swallowed it, whatever it does then', async () => {
    const swallowed = store.write(async (tx) => {
      await take(tx, 'before');
      await fill(tx).catch(() => undefined);
      await take(tx, 'after').catch(() => undefined);
      const row = { key_id: KEY, nonce: 'after by knex', seen_at: AT };
      await tx
        .knex('nonces')
        .insert(row)
        .then(undefined, () => undefined);
      return 'done';
    });
    await assert.rejects(swallowed, /SQLITE_FULL/);
    assert.deepEqual(await nonces(store), ['old']);
  });

  it('nor of one that had sent more statements beside the one that met it', async () => {
    const swallowed = store.write(async (tx) => {
      await Promise.allSettled([fill(tx), take(tx, 'beside'), take(tx, 'also')]);
    });
    await assert.rejects(swallowed, /SQLITE_FULL/);
    assert.deepEqual(await nonces(store), ['old']);
  });

  it('answers every unit that shares the commit by what was kept of it', async () => {
    const units = ['a', 'full', 'b'].map((name) =>
      store.write(async (tx) => {
        await take(tx, name);
        if (name === 'full') await fill(tx).catch(() => undefined);
        return name;
      }),
    );
    const ends = await Promise.allSettled(units);
    const kept = ends.flatMap((end) => (end.status === 'fulfilled' ? [end.value] : []));
    assert.ok(!kept.includes('full'));
    assert.deepEqual(await nonces(store), [...kept, 'old'].sort());
  });
});

/** Lets the database grow no further, or sets it free; a page is 4096 bytes. */
async function limit(store: Store, room: 'full' | 'free'): Promise<void> {
  await store.write(async ({ knex }) => {
    await knex.raw(`PRAGMA max_page_count = ${room === 'free' ? 1_000_000 : 1}`);
  });
}

/** Writes more than any page that is there has room for, by many rows in one statement. */
async function fill(tx: Writer): Promise<void> {
  await tx.knex.raw(
    `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 5000)
      INSERT INTO nonces (key_id, nonce, seen_at) SELECT 'filler', hex(randomblob(100)), ${AT} FROM n`,
  );
}
