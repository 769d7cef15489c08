import assert from 'node:assert/strict';
import { sharedPostgres } from '../../conformance/harness/databases.ts';
import { assertBooksBalance } from '../../conformance/ledger/auditor.ts';
import { AT, fund, pay, person, spendable, transfer, uuid } from '../../conformance/ledger/book.ts';
import type { Account } from '../../domain/account.ts';
import { onceIn } from '../idempotency.ts';
import { accountKey, ACCOUNTS } from '../ledger/accountsTable.ts';
import { openLedgerMemory } from '../ledger/memory.ts';
import { post, readsOf } from '../ledger/post.ts';
import { MARKETS } from '../predictions/markets.ts';
import { batchLink, freeWay, isRefused } from '../postgresBatch.ts';
import { connect, postgresPool } from '../postgresConnection.ts';
import { openStore, type Store } from '../store.ts';
import type { BatchParts } from './batch.ts';
import type { FreeWay } from './free.ts';
import { need } from './need.ts';
import { openPassCounts } from './passCounts.ts';
import type { Transaction } from './transaction.ts';
import { runUnits } from './ways.ts';

const PLACE = { network: 'sandbox', asset: 'USDC' } as const;

function payment(from: Account, to: Account, amount: bigint): Transaction<boolean> {
  const moved = transfer([pay(from, to, amount)]);
  const needs = readsOf('postgres', moved);
  return { needs, decide: (db) => 'posted' in post(db, moved) };
}

describe('batches without a lock, of two processes on PostgreSQL', () => {
  let url = '';
  let one: Store;
  let other: Store;
  let [payer, payee] = [person(), person()];
  before(async () => {
    const { freshDatabase } = await sharedPostgres();
    url = await freshDatabase();
    [one, other] = [await openStore(url), await openStore(url)];
  });
  beforeEach(async () => {
    [payer, payee] = [person(), person()];
    await fund(one, payer, 10n);
    // Both processes remember the rows from here on.
    for (const store of [one, other])
      assert.equal(await store.decide(payment(payer, payee, 1n)), true);
  });
  after(async () => {
    await assertBooksBalance(one);
    await Promise.all([one.close(), other.close()]);
  });

  it('spend nothing that the other process has spent meanwhile', async () => {
    assert.equal(await other.decide(payment(payer, payee, 6n)), true);
    assert.equal(await one.decide(payment(payer, payee, 3n)), false);
    assert.equal(await one.decide(payment(payer, payee, 2n)), true);
    assert.equal(await spendable(one, payer), 0n);
    assert.equal(await spendable(one, payee), 10n);
  });

  it('refuse nothing for want of money that came meanwhile', async () => {
    assert.equal(await one.decide(payment(payer, payee, 8n)), true);
    assert.equal(await other.decide(payment(payee, payer, 9n)), true);
    assert.equal(await one.decide(payment(payer, payee, 9n)), true);
    assert.equal(await spendable(one, payer), 0n);
  });

  it('report no error of a decision on what has changed', async () => {
    await other.decide(payment(payer, payee, 5n));
    const needs = readsOf('postgres', transfer([pay(payer, payee, 1n)]));
    const found = await one.decide({
      needs,
      decide(db) {
        const row = db.find(ACCOUNTS, accountKey({ ...PLACE, account: payer }));
        if (row?.posted !== 3n) throw new Error(`the row is old: ${row?.posted}`);
        return row.posted;
      },
    });
    assert.equal(found, 3n);
  });

  it('answer a call that the other process has done, and do it once', async () => {
    const call = { account: payer, operation: 'pay', key: uuid(), digest: 'd' };
    const called = (amount: bigint): Transaction<unknown> => {
      const { needs, decide } = payment(payer, payee, amount);
      return { needs, decide: (db) => onceIn(db, call, AT, () => decide(db)) };
    };
    assert.deepEqual(await one.decide(called(8n)), { result: true, repeated: false });
    // It could not pay again; the answer is the one that counted all the same.
    assert.deepEqual(await other.decide(called(8n)), { result: true, repeated: true });
    assert.equal(await spendable(one, payer), 0n);
  });

  it('make a receiver once when both pay it first', async () => {
    for (let round = 0; round < 5; round += 1) {
      const newcomer = person();
      await fund(one, payer, 2n);
      await Promise.all([one, other].map((store) => store.decide(payment(payer, newcomer, 1n))));
      assert.equal(await spendable(one, newcomer), 2n);
    }
  });

  it('make no receiver for a payment that is refused', async () => {
    const newcomer = person();
    assert.equal(await one.decide(payment(payer, newcomer, 99n)), false);
    const rows = await one.read(({ knex }) => knex('accounts').where({ name: newcomer }));
    assert.deepEqual(rows, []);
  });

  it('decide again when a row changes between the read and the commit', async () => {
    const { parts, counts, close } = await wayWith(() => other.decide(payment(payer, payee, 6n)));
    const [paid, refused] = await runUnits(
      [payment(payer, payee, 1n), payment(payer, payee, 2n)],
      parts,
    );
    await close();
    assert.deepEqual(
      [paid, refused],
      [
        { ok: true, answer: true },
        { ok: true, answer: false },
      ],
    );
    assert.deepEqual(counts, { free: 2, locked: 0 });
    assert.deepEqual([...parts.passCounts.stale()], [['accounts', 1]]);
    assert.equal(await spendable(one, payer), 1n);
  });

  it('compare what a first pass read when a later one decides on it', async () => {
    const { parts, counts, close } = await wayWith(() => other.decide(payment(payer, payee, 6n)));
    const read: unknown[] = [];
    const key = accountKey({ ...PLACE, account: payer });
    const [found] = await runUnits(
      [
        {
          needs: [need(ACCOUNTS, key)],
          decide(db) {
            const row = db.find(ACCOUNTS, key);
            db.find(MARKETS, 'none');
            return row?.posted;
          },
        },
      ],
      { ...parts, trace: (pass) => read.push(pass['read']) },
    );
    await close();
    assert.deepEqual(found, { ok: true, answer: 2n });
    assert.deepEqual(read, ['accounts', 'markets', 'accounts', 'markets']);
    assert.deepEqual(counts, { free: 2, locked: 0 });
    assert.deepEqual([...parts.passCounts.stale()], [['accounts', 1]]);
  });

  it('take their locks first once they lost twice', async () => {
    const { parts, counts, close } = await wayWith(
      () => other.decide(payment(payer, payee, 1n)),
      2,
    );
    const [paid] = await runUnits([payment(payer, payee, 6n)], parts);
    await close();
    assert.deepEqual(paid, { ok: true, answer: true });
    assert.deepEqual(counts, { free: 2, locked: 1 });
    assert.deepEqual([...parts.passCounts.stale()], [['accounts', 2]]);
    assert.equal(await spendable(one, payer), 0n);
  });

  /** A process of its own, before whose first commits something happens. */
  async function wayWith(happens: () => Promise<unknown>, times = 1) {
    const counts = { free: 0, locked: 0 };
    let left = times;
    const pool = postgresPool(url, 1, (error) => assert.fail(String(error)));
    const client = await pool.connect();
    const connection = await connect(client);
    const way = freeWay((work) => work(connection));
    const free: FreeWay = {
      ...way,
      within: (work) =>
        way.within((link) =>
          work({
            ...link,
            async commit(effects) {
              counts.free += 1;
              left -= 1;
              if (left >= 0) await happens();
              return link.commit(effects);
            },
          }),
        ),
    };
    const parts: BatchParts = {
      ledger: openLedgerMemory(),
      passCounts: openPassCounts(),
      free,
      isRefused,
      report: (error) => assert.fail(String(error)),
      publish: () => undefined,
      within(work) {
        counts.locked += 1;
        return work(batchLink(connection));
      },
    };
    const close = (): Promise<void> => {
      client.release(true);
      return pool.end();
    };
    return { parts, counts, close };
  }
});
