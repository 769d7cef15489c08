import { strict as assert } from 'node:assert';
import { setTimeout as sleep } from 'node:timers/promises';
import { onBothDatabases, sharedPostgres } from '../conformance/harness/databases.ts';
import { parseKeyId, type KeyId } from '../domain/account.ts';
import { instant } from '../domain/instant.ts';
import { atomic, ZERO, type Atomic } from '../domain/money.ts';
import { parseNetworkId } from '../domain/network.ts';
import { decideIn } from './batch/inside.ts';
import { need } from './batch/need.ts';
import { EVERYBODY, MODEL_SPEND, spendOf } from './models/spend.ts';
import type { Writer } from './connection.ts';
import { consumeNonce, NONCE_KEPT_SECONDS, sweepNonces } from './nonces.ts';
import { openStore, type Store } from './store.ts';

const AT = instant(1_800_000_000_000);
const NETWORK = parseNetworkId('sandbox') ?? assert.fail();
const KEY = known('8qbHbw2BbbTHBW1sbeqakYXVKRQM8Ne7pLK7m6CVfeR');

onBothDatabases('store', (open) => {
  let store: Store;
  before(async () => {
    store = await open();
  });
  const nonces = (): Promise<readonly string[]> =>
    store.read(async ({ knex }) => (await knex('nonces').orderBy('seen_at')).map(nonceOf));
  beforeEach(() => store.write(async ({ knex }) => void (await knex('nonces').delete())));

  it('keeps what a unit wrote and forgets what a failed one wrote', async () => {
    await store.write((tx) => consumeNonce(tx, KEY, 'kept', AT));
    const failed = store.write(async (tx) => {
      await consumeNonce(tx, KEY, 'lost', AT);
      throw new Error('refused');
    });
    await assert.rejects(failed, /refused/);
    assert.deepEqual(await nonces(), ['kept']);
  });

  it('rolls a failed unit back alone when others share its commit', async () => {
    const units = Array.from({ length: 40 }, (_, index) =>
      store.write(async (tx) => {
        await consumeNonce(tx, KEY, `n${index}`, instant(AT + index));
        if (index % 4 === 3) throw new Error(`unit ${index}`);
        return index;
      }),
    );
    const ends = await Promise.allSettled(units);
    ends.forEach((end, index) => {
      if (index % 4 !== 3) assert.deepEqual(end, { status: 'fulfilled', value: index });
      else assert.equal(end.status === 'rejected' && String(end.reason), `Error: unit ${index}`);
    });
    const kept = ends.flatMap((_, index) => (index % 4 === 3 ? [] : [`n${index}`]));
    assert.deepEqual(await nonces(), kept);
  });

  it('survives a broken statement: that unit fails and the next works', async () => {
    await assert.rejects(store.write(({ knex }) => knex.raw('SELECT nothing FROM nowhere')));
    assert.equal(await store.write((tx) => consumeNonce(tx, KEY, 'next', AT)), true);
  });

  it('runs a unit again whose row another one inserted after it had looked', async () => {
    const day = { day: AT, payer: EVERYBODY, network: NETWORK } as const;
    const add = (amount: Atomic) =>
      store.write(async (tx) => {
        await decideIn(tx, {
          needs: [need(MODEL_SPEND, day)],
          decide: (db) =>
            db.put(MODEL_SPEND, day, {
              ...day,
              amount: atomic(amount + (db.find(MODEL_SPEND, day)?.amount ?? ZERO)),
            }),
        });
        // On PostgreSQL the other one looks now, and its write waits for this commit.
        await sleep(100);
      });
    await Promise.all([add(atomic(3n)), add(atomic(4n))]);
    assert.equal(await store.read((db) => spendOf(db, day)), 7n);
  });

  it('never shows a reader what is not committed', async () => {
    let seen: readonly string[] = ['never read'];
    await store.write(async (tx) => {
      await consumeNonce(tx, KEY, 'mine', AT);
      seen = await nonces();
    });
    assert.deepEqual(seen, []);
    assert.deepEqual(await nonces(), ['mine']);
  });

  it('gives a reader one snapshot', async () => {
    await store.read(async ({ knex }) => {
      const count = async (): Promise<number> => (await knex('nonces')).length;
      assert.equal(await count(), 0);
      await outside(() => store.write((tx) => consumeNonce(tx, KEY, 'later', AT)));
      assert.equal(await count(), 0);
    });
    assert.deepEqual(await nonces(), ['later']);
  });

  it('refuses a unit inside a unit, or inside a read, at once', async () => {
    const inner = (): Promise<boolean> => store.write((tx) => consumeNonce(tx, KEY, 'in', AT));
    await assert.rejects(store.write(inner), /called inside store.write/);
    await assert.rejects(store.read(inner), /called inside store.read/);
    await assert.rejects(store.read(nonces), /called inside store.read/);
    assert.deepEqual(await nonces(), []);
  });

  it('refuses to write on a reader', async () => {
    await assert.rejects(
      store.read(({ knex }) => knex('nonces').delete()),
      /read-?only/i,
    );
  });

  it('refuses a unit that is used after it ended', async () => {
    let kept: Writer | undefined;
    await store.write((tx) => Promise.resolve((kept = tx)));
    assert.throws(() => kept?.knex, /after it had ended/);
    assert.throws(() => kept?.publish('late'), /after it had ended/);
  });

  it('runs hooks and rings after the commit, and none of a failed unit', async () => {
    const listened: string[] = [];
    const stop = store.onPublish((topic) => listened.push(`rang ${topic}`));
    await store.write(async (tx) => {
      tx.publish('task:1');
      tx.publish('task:1');
      tx.afterCommit(() => listened.push('hook'));
      await consumeNonce(tx, KEY, 'rung', AT);
      assert.deepEqual(listened, []);
    });
    const failed = store.write((tx) => {
      tx.publish('never');
      tx.afterCommit(() => listened.push('never'));
      return Promise.reject(new Error('no'));
    });
    await assert.rejects(failed);
    await until(() => listened.length === 2);
    assert.deepEqual([...listened].sort(), ['hook', 'rang task:1']);
    stop();
  });

  it('takes a nonce once, however many try at once, and lets another key use it', async () => {
    const tries = Array.from({ length: 20 }, () =>
      store.write((tx) => consumeNonce(tx, KEY, 'twice', AT)),
    );
    assert.equal((await Promise.all(tries)).filter(Boolean).length, 1);
    const other = known('4vJ9JU1bJJE96FWSJKvHsmmFADCg4gpZQff4P3bkLKi');
    assert.equal(await store.write((tx) => consumeNonce(tx, other, 'twice', AT)), true);
  });

  it('forgets a nonce only after every signature that carries it is too old', async () => {
    await store.write((tx) => consumeNonce(tx, KEY, 'old', AT));
    const edge = AT + NONCE_KEPT_SECONDS * 1000;
    assert.equal(await store.write((tx) => sweepNonces(tx, instant(edge))), 0);
    assert.equal(await store.write((tx) => sweepNonces(tx, instant(edge + 1))), 1);
  });

  it('opens again on what it wrote', async () => {
    await store.write((tx) => consumeNonce(tx, KEY, 'stays', AT));
    const again = await open();
    assert.equal(await again.write((tx) => consumeNonce(tx, KEY, 'stays', AT)), false);
  });
});

describe('store on SQLite', () => {
  it('runs units in the order in which they came', async () => {
    const store = await openStore('sqlite::memory:');
    const order: number[] = [];
    const units = Array.from({ length: 100 }, (_, index) =>
      store.write(async (tx) => {
        await consumeNonce(tx, KEY, `n${index}`, AT);
        order.push(index);
      }),
    );
    await Promise.all(units);
    assert.deepEqual(
      order,
      Array.from(order, (_, index) => index),
    );
    await store.close();
  });

  it('finishes the units that wait when it closes, and takes no more', async () => {
    const store = await openStore('sqlite::memory:');
    const units = [1, 2, 3].map((n) => store.write((tx) => consumeNonce(tx, KEY, `${n}`, AT)));
    const closed = store.close();
    assert.deepEqual(await Promise.all(units), [true, true, true]);
    await closed;
    await assert.rejects(
      store.write((tx) => consumeNonce(tx, KEY, 'late', AT)),
      /store is closed/,
    );
  });

  it('fails every unit of a group whose commit failed', async () => {
    const store = await openStore('sqlite::memory:');
    await store.write(async ({ knex }) => {
      await knex.raw('CREATE TABLE parent (id INTEGER PRIMARY KEY) STRICT');
      await knex.raw(`CREATE TABLE child (
        parent INTEGER REFERENCES parent (id) DEFERRABLE INITIALLY DEFERRED) STRICT`);
    });
    // The deferred foreign key is looked at by COMMIT alone, which refuses.
    const units = [
      store.write((tx) => consumeNonce(tx, KEY, 'innocent', AT)),
      store.write(({ knex }) => knex('child').insert({ parent: 7 })),
    ];
    for (const end of await Promise.allSettled(units)) assert.equal(end.status, 'rejected');
    assert.equal(await store.write((tx) => consumeNonce(tx, KEY, 'innocent', AT)), true);
    await store.close();
  });

  it('refuses an address that is no database', async () => {
    await assert.rejects(openStore('mysql://x'), /not a database address/);
  });
});

describe('store on PostgreSQL', () => {
  it('rings in every process that shares the database, and only after the commit', async () => {
    const url = await (await sharedPostgres()).emptyDatabase();
    const [here, there] = await Promise.all([openStore(url), openStore(url)]);
    const listened: string[] = [];
    here.onPublish((topic) => listened.push(`here ${topic}`));
    there.onPublish((topic) => listened.push(`there ${topic}`));
    await here.write(async (tx) => {
      tx.publish('a');
      await consumeNonce(tx, KEY, 'x', AT);
      await sleep(50);
      assert.deepEqual(listened, []);
    });
    await until(() => listened.length === 2);
    assert.deepEqual([...listened].sort(), ['here a', 'there a']);
    await Promise.all([here.close(), there.close()]);
  });

  it('receives rings again after its listening connection was cut', async () => {
    const url = await (await sharedPostgres()).freshDatabase();
    const store = await openStore(url, { report: () => undefined });
    const listened: string[] = [];
    store.onPublish((topic) => listened.push(topic));
    await store.write(async ({ knex }) => {
      await knex.raw(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
        WHERE datname = current_database() AND query LIKE 'LISTEN%'`);
    });
    await until(async () => {
      await store.write((tx) => Promise.resolve(tx.publish('again')));
      return listened.length > 0;
    });
    await store.close();
  });

  it('runs a unit again that lost a deadlock', async () => {
    const url = await (await sharedPostgres()).freshDatabase();
    const store = await openStore(url);
    await store.write(async (tx) => {
      for (const nonce of ['a', 'b']) await consumeNonce(tx, KEY, nonce, AT);
    });
    let [runs, holding] = [0, 0];
    let release: () => void = () => undefined;
    const bothHoldOne = new Promise<void>((resolve) => (release = resolve));
    const both = [
      ['a', 'b'],
      ['b', 'a'],
    ].map((order) =>
      store.write(async ({ knex }) => {
        runs += 1;
        for (const nonce of order) {
          await knex('nonces').where({ nonce }).increment('seen_at', 1);
          // Each has locked what the other wants next, however slow the machine is.
          if ((holding += 1) === 2) release();
          await bothHoldOne;
        }
      }),
    );
    await Promise.all(both);
    assert.ok(runs > 2, 'one of them ran again');
    await store.read(async ({ knex }) => {
      assert.deepEqual(await knex('nonces').distinct('seen_at'), [{ seen_at: AT + 2 }]);
    });
    await store.close();
  });

  it('does not call a unit done whose transaction the server had given up', async () => {
    const store = await openStore(await (await sharedPostgres()).freshDatabase());
    const hidden = store.write(async ({ knex }) => {
      await knex.raw('SELECT 1 / 0').catch(() => undefined);
    });
    await assert.rejects(hidden, /ended with ROLLBACK/);
    await store.close();
  });
});

function nonceOf(row: unknown): string {
  if (typeof row === 'object' && row !== null && 'nonce' in row) return String(row.nonce);
  throw new Error('not a nonce row');
}

function known(text: string): KeyId {
  const keyId = parseKeyId(text);
  assert.ok(keyId !== undefined);
  return keyId;
}

/** Leaves the reader's own context, as another request would be. */
function outside<T>(run: () => Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    outsiders.push(() => void run().then(resolve, reject));
  });
}
const outsiders: (() => void)[] = [];
const pump = setInterval(() => outsiders.shift()?.(), 1);
after(() => clearInterval(pump));

async function until(reached: () => boolean | Promise<boolean>): Promise<void> {
  for (let tries = 0; tries < 500; tries += 1) {
    if (await reached()) return;
    await sleep(10);
  }
  assert.fail('waited in vain');
}
