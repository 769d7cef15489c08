import assert from 'node:assert/strict';
import { setImmediate as turn } from 'node:timers/promises';
import { onBothDatabases } from '../../conformance/harness/databases.ts';
import { fund, person, uuid } from '../../conformance/ledger/book.ts';
import type { Account } from '../../domain/account.ts';
import type { Loan } from '../../domain/credit.ts';
import { instant } from '../../domain/instant.ts';
import { atomic, ZERO } from '../../domain/money.ts';
import { insertRow } from './write.ts';
import { CREDIT_LINES } from '../credit/lines.ts';
import { LOANS, UNPAID_LOANS } from '../credit/loans.ts';
import type { Store } from '../store.ts';
import { BREAKERS } from '../router/calls.ts';
import { need } from './need.ts';
import type { Decider, Transaction } from './transaction.ts';

const NETWORK = 'sandbox';
const ONE = atomic(1n);
const NOTHING = { principal: ZERO, origination: ZERO };

onBothDatabases('lists of rows in a batch', (open) => {
  let store: Store;
  let borrower: Account;
  before(async () => {
    store = await open();
  });
  beforeEach(() => {
    borrower = person();
  });

  const run = <T>(decide: (db: Decider) => T, more: Partial<Transaction<T>> = {}): Promise<T> =>
    store.decide({ needs: [], ...more, decide });
  const line = () => ({ account: borrower, network: NETWORK }) as const;
  const loan = (id: string): Loan => ({
    id,
    borrower,
    network: NETWORK,
    taskId: 't',
    attemptId: 'a',
    transferId: id,
    site: 's',
    state: 'open',
    takenAt: instant(1),
    onTrust: ZERO,
    lent: { principal: atomic(5n), origination: ONE },
    left: { principal: atomic(5n), origination: ONE },
  });
  const unpaid = (db: Decider) => db.list(UNPAID_LOANS, { borrower, network: NETWORK });
  /** A loan with the task, the claim and the transfer that it names. */
  const insert = async (id: string): Promise<void> => {
    await fund(store, borrower, 5n);
    const never = { deadline: 1, created_at: 1, comments: 0, queued: 0, events: 0, attempts: 0 };
    await store.write(async (tx) => {
      const { knex } = tx;
      await knex('tasks').insert({
        id,
        requester: person(),
        mode: 'open',
        state: 'withdrawn',
        verification: 'automatic',
        title: 't',
        description: 'd',
        required_skills: '[]',
        tags: '[]',
        judges: '[]',
        hub_bps: 0,
        judges_bps: 0,
        dispute_window_seconds: 0,
        max_attempts: 1,
        terms_digest: 'd',
        terms_revision: 1,
        ...never,
      });
      await knex('attempts').insert({
        id,
        task_id: id,
        worker: borrower,
        payee: borrower,
        state: 'failed',
        terms_digest: 'd',
        started_at: 1,
      });
      const [newest] = await knex<{ id: string }>('transfers').orderBy('seq', 'desc').limit(1);
      const transferId = newest?.id ?? assert.fail();
      await insertRow(tx, LOANS, { ...loan(id), taskId: id, attemptId: id, transferId });
    });
  };

  it('show their rows in order, and rows that are changed as they stand', async () => {
    const ids = [uuid(), uuid(), uuid()].sort();
    for (const id of [...ids].reverse()) await insert(id);
    const seen = await run((db) => {
      const [first] = unpaid(db);
      assert.ok(first !== undefined);
      db.put(LOANS, first.id, { ...first, left: { ...first.left, principal: atomic(1n) } });
      return unpaid(db).map(({ id, left }) => `${ids.indexOf(id)} ${left.principal}`);
    });
    assert.deepEqual(seen, ['0 1', '1 5', '2 5']);
    assert.deepEqual(await run((db) => unpaid(db).map(({ left }) => left.principal)), [1n, 5n, 5n]);
  });

  it('refuse a row that is written without its parent', async () => {
    const alone = run((db) => db.insert(LOANS, 'x', loan('x')));
    await assert.rejects(alone, /credit_lines .* is locked before/);
  });

  it('are read again by a transaction whose batch has written under their parent', async () => {
    const [id, other] = [uuid(), uuid()];
    await insert(id);
    let runs = 0;
    const repaying = run((db) => {
      const [first] = unpaid(db);
      assert.ok(first !== undefined);
      db.put(LOANS, id, { ...first, left: NOTHING, state: 'repaid', repaidAt: instant(2) });
    });
    const reading = run((db) => {
      runs += 1;
      db.find(BREAKERS, other);
      return unpaid(db).length;
    });
    await repaying;
    assert.equal(await reading, 0);
    assert.ok(runs >= 3, `${runs} runs: the last one is after the batch`);
  });

  it('are read again by a batch that was read before the one ahead of it had written', async () => {
    for (let nth = 0; nth < 10; nth += 1) {
      const id = uuid();
      await insert(id);
      let isDecided = false;
      const repaying = run((db) => {
        const [first] = unpaid(db);
        if (first === undefined) return;
        db.put(LOANS, id, { ...first, left: NOTHING, state: 'repaid', repaidAt: instant(2) });
        isDecided = true;
      });
      // The next batch is read beside this one, which is decided and not yet committed.
      while (!isDecided) await turn();
      const needs = [need(UNPAID_LOANS, { borrower, network: NETWORK })];
      const reading = run((db) => unpaid(db).length, { needs });
      await repaying;
      // PostgreSQL may decide it ahead of the first, whose line has no row to lock yet.
      assert.ok((await reading) === 0 || store.dialect === 'postgres');
      assert.deepEqual(await run(unpaid), []);
    }
  });

  it('leave what the batch has changed already as it is', async () => {
    const count = 8;
    const add = (): Promise<void> =>
      run((db) => {
        assert.deepEqual(unpaid(db), []);
        const { earned } = db.find(CREDIT_LINES, line()) ?? { earned: ZERO };
        db.put(CREDIT_LINES, line(), { ...line(), earned: atomic(earned + 1n) });
      });
    const known = run((db) => db.put(CREDIT_LINES, line(), { ...line(), earned: atomic(100n) }), {
      needs: [need(CREDIT_LINES, line())],
    });
    await Promise.all([known, ...Array.from({ length: count }, add)]);
    const found = await run((db) => db.find(CREDIT_LINES, line())?.earned);
    assert.equal(found, BigInt(100 + count));
  });

  it('give a transaction the same ids and the same start in every run', async () => {
    const given: string[] = [];
    const endpoint = uuid();
    let ticks = 0;
    const clock = { now: () => instant((ticks += 1)) };
    await run((db) => {
      given.push(`${db.newId({ uuid })} ${db.newId({ uuid })} ${db.startedAt(clock)}`);
      db.find(CREDIT_LINES, line());
      db.find(BREAKERS, endpoint);
    });
    assert.ok(given.length > 1);
    assert.equal(new Set(given).size, 1, given.join());
  });

  it('delete a row that was found, and none that another has changed', async () => {
    const endpoint = `https://${uuid()}`;
    await run((db) => db.insert(BREAKERS, endpoint, { endpoint, faults: 1 }));
    await run((db) => db.remove(BREAKERS, endpoint));
    assert.equal(await run((db) => db.find(BREAKERS, endpoint)), undefined);
    await run((db) => {
      db.insert(BREAKERS, endpoint, { endpoint, faults: 2 });
      db.remove(BREAKERS, endpoint);
    });
    assert.equal(await run((db) => db.find(BREAKERS, endpoint)), undefined);
  });
});
