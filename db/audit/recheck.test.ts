import { strict as assert } from 'node:assert';
import pg from 'pg';
import { onBothDatabases, sharedPostgres } from '../../conformance/harness/databases.ts';
import { fund, pay, person, run, transfer } from '../../conformance/ledger/book.ts';
import type { Account } from '../../domain/account.ts';
import type { TransferId } from '../../domain/ledger/transfer.ts';
import { openStore, type Reader, type Store } from '../store.ts';
import { once } from '../idempotency.ts';
import { postInside } from '../ledger/postInside.ts';
import type { HighWaterMark } from '../ledger/highWaterMark.ts';
import { recheck } from './recheck.ts';

const START_MS_MAX = 30_000;
const broken = async (db: Reader, mark?: HighWaterMark): Promise<readonly string[]> =>
  (await recheck(db, mark)).differences.map(({ invariant }) => invariant);

onBothDatabases('recheck', (open) => {
  let store: Store;
  let mark: HighWaterMark;
  const [alice, bob] = [person(), person()];
  before(async () => {
    store = await open();
    await fund(store, alice, 1_000n);
    await run(store, [pay(alice, bob, 1n)]);
    ({ mark } = await store.read((db) => recheck(db)));
    await run(store, [pay(alice, bob, 2n)]);
    await fund(store, bob, 7n);
    const key = { account: alice, operation: 'test', key: 'k', digest: 'd' };
    await store.write((tx) =>
      once(tx, key, transfer([]).at, async () => {
        await postInside(tx, transfer([pay(alice, bob, 3n)]));
        return {};
      }),
    );
  });

  it('finds nothing wrong with right books, whole or from a mark', async () => {
    assert.deepEqual(await store.read((db) => broken(db)), []);
    assert.deepEqual(await store.read((db) => broken(db, mark)), []);
  });

  it('looks at what is new and at no more of the journal', async () => {
    const now = await store.read((db) => recheck(db, mark));
    assert.ok(now.mark.auditedUpTo > mark.auditedUpTo);
    const old = `UPDATE entries SET reason = 'pay' WHERE reason = 'faucet' AND transfer_seq = 1`;
    assert.deepEqual(await spoiled(store, old, mark), []);
    assert.deepEqual(await spoiled(store, old), ['I7']);
  });

  const newest = `transfer_seq = (SELECT max(transfer_seq) FROM entries)`;
  const tamperings: readonly (readonly [invariant: string, sql: string])[] = [
    ['I1', `UPDATE entries SET delta = delta + 1 WHERE ${newest} AND delta > 0`],
    ['I1', `DELETE FROM entries WHERE ${newest}`],
    ['I2', `UPDATE accounts SET posted = posted + 1 WHERE name = 'external:faucet'`],
    ['I3', `UPDATE accounts SET held = held + 1 WHERE posted > held AND class = 'user'`],
    ['I5', `UPDATE entries SET posted_after = posted_after + 1 WHERE ${newest}`],
    ['I5', `UPDATE entries SET account_seq = account_seq + 1 WHERE ${newest}`],
    ['I5', `UPDATE accounts SET seq = seq + 1 WHERE seq > 0`],
    ['I6', `UPDATE transfers SET network = 'play' WHERE seq = (SELECT max(seq) FROM transfers)`],
    ['I7', `UPDATE entries SET reason = 'pay' WHERE reason = 'faucet' AND transfer_seq > 1`],
    ['I10', `UPDATE idempotency SET result = NULL`],
  ];
  for (const [invariant, sql] of tamperings) {
    it(`finds a broken ${invariant} behind the mark: ${sql.slice(0, 40)}`, async () => {
      assert.ok((await spoiled(store, sql, mark)).includes(invariant));
    });
  }
});

/** Spoils the books, looks, and rolls everything back. */
async function spoiled(
  store: Store,
  sql: string,
  mark?: HighWaterMark,
): Promise<readonly string[]> {
  let found: readonly string[] = ['never looked'];
  const undone = store.write(async (tx) => {
    await tx.knex.raw(sql);
    found = await broken(tx, mark);
    throw new Error('undone');
  });
  await assert.rejects(undone, /undone/);
  return found;
}

describe('recheck on PostgreSQL', () => {
  it('looks at a transfer that commits after others with a higher number', async function late() {
    this.timeout(START_MS_MAX);
    const store = await openStore(await (await sharedPostgres()).freshDatabase());
    const people = Array.from({ length: 4 }, person);
    for (const each of people) await fund(store, each, 100n);
    const [one, two, three, four] = people;
    assert.ok(one && two && three && four);
    let posted = (): void => undefined;
    let release = (): void => undefined;
    const isPosted = new Promise<void>((resolve) => (posted = resolve));
    const isReleased = new Promise<void>((resolve) => (release = resolve));
    const slow = store.write(async (tx) => {
      const done = await postInside(tx, transfer([pay(one, two, 1n)]));
      assert.ok('posted' in done);
      const wrong = `UPDATE entries SET delta = delta + 1 WHERE delta > 0 AND transfer_seq = ?`;
      const seq = await seqOf(tx, done.transferId);
      await tx.knex.raw(wrong, [seq]);
      posted();
      await isReleased;
      return seq;
    });
    await isPosted;
    const quick = async (from: Account, to: Account): Promise<number> => {
      const done = await run(store, [pay(from, to, 1n)]);
      assert.ok('posted' in done);
      return store.read((db) => seqOf(db, done.transferId));
    };
    const higher = await quick(three, four);
    const first = await store.read((db) => recheck(db));
    await quick(four, three);
    const second = await store.read((db) => recheck(db, first.mark));
    assert.deepEqual([...first.differences, ...second.differences], []);
    release();
    assert.ok((await slow) < higher);
    assert.ok((await store.read((db) => broken(db, second.mark))).includes('I1'));
    await store.close();
  });

  it('goes on from where it was when all that ran has ended', async function settled() {
    this.timeout(START_MS_MAX);
    const store = await openStore(await (await sharedPostgres()).freshDatabase());
    const [alice, bob] = [person(), person()];
    await fund(store, alice, 100n);
    let release = (): void => undefined;
    const isReleased = new Promise<void>((resolve) => (release = resolve));
    let started = (): void => undefined;
    const isStarted = new Promise<void>((resolve) => (started = resolve));
    const slow = store.write(async (tx) => {
      await postInside(tx, transfer([pay(alice, bob, 1n)]));
      started();
      await isReleased;
    });
    await isStarted;
    const first = await store.read((db) => recheck(db));
    assert.equal(first.mark.auditedUpTo, 0, 'something was under way');
    release();
    await slow;
    const second = await store.read((db) => recheck(db, first.mark));
    assert.ok(second.mark.auditedUpTo >= 1);
    await store.close();
  });

  it('does not wait for a transaction of another database of the server', async function other() {
    this.timeout(START_MS_MAX);
    const server = await sharedPostgres();
    const [url, elsewhere] = [await server.freshDatabase(), await server.freshDatabase()];
    const client = new pg.Client({ connectionString: elsewhere });
    await client.connect();
    await client.query('BEGIN; CREATE TABLE long_work (n int)');
    const store = await openStore(url);
    const [alice, bob] = [person(), person()];
    await fund(store, alice, 100n);
    await run(store, [pay(alice, bob, 1n)]);
    // A role of its own shows that no right to see the work of others is needed.
    await store.write(async ({ knex }) => {
      await knex.raw('CREATE ROLE no_monitor');
      await knex.raw('GRANT SELECT ON ALL TABLES IN SCHEMA public TO no_monitor');
    });
    const { mark } = await store.read(async (db) => {
      await db.knex.raw('SET LOCAL ROLE no_monitor');
      return recheck(db);
    });
    await client.query('ROLLBACK');
    await client.end();
    await store.write(({ knex }) => knex.raw('DROP OWNED BY no_monitor; DROP ROLE no_monitor'));
    await store.close();
    assert.equal(mark.auditedUpTo, 2);
  });
});

async function seqOf({ knex }: Reader, id: TransferId): Promise<number> {
  const row: { readonly seq: number } | undefined = await knex('transfers')
    .where({ id })
    .first('seq');
  return row?.seq ?? assert.fail('the transfer is there');
}
