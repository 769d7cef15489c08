import assert from 'node:assert/strict';
import { sharedPostgres } from '../../conformance/harness/databases.ts';
import { assertBooksBalance } from '../../conformance/ledger/auditor.ts';
import { AT, fund, pay, person, transfer, uuid } from '../../conformance/ledger/book.ts';
import type { Account } from '../../domain/account.ts';
import type { StandingCause } from '../../domain/karma.ts';
import { atomic, ZERO } from '../../domain/money.ts';
import { CREDIT_LINES } from '../credit/lines.ts';
import { karmaReads, recordKarma } from '../karma/record.ts';
import type { Row } from '../connection.ts';
import { openLedgerMemory } from '../ledger/memory.ts';
import { post, readsOf } from '../ledger/post.ts';
import { openStore, type Store } from '../store.ts';
import type { BatchLink } from './batch.ts';
import { runUnits } from './ways.ts';
import { need } from './need.ts';
import { openPassCounts } from './passCounts.ts';

const NETWORK = 'sandbox';
const PROCESSES = 3;
const EACH = 64;
const PEOPLE = 20;

/** Pays, notes standing and counts on a credit line, so that three tables are locked. */
function mixed(store: Store, from: Account, to: Account, hasHint: boolean): Promise<void> {
  const moved = transfer([pay(from, to, 1n)]);
  const [one, other] = [
    { account: from, network: NETWORK } as const,
    { account: to, network: NETWORK } as const,
  ];
  const occasion = uuid();
  const cause: StandingCause = {
    subject: to,
    reason: 'claim.lapsed',
    occasion,
    counterparty: from,
    ref: { kind: 'task', id: occasion },
  };
  const needs = [
    need(CREDIT_LINES, one),
    need(CREDIT_LINES, other),
    ...karmaReads(cause, AT),
    ...readsOf(store.dialect, moved),
  ];
  return store.decide({
    needs: hasHint ? needs : [],
    decide(db) {
      for (const line of [other, one]) {
        const { earned } = db.find(CREDIT_LINES, line) ?? { earned: ZERO };
        db.put(CREDIT_LINES, line, { ...line, earned: atomic(earned + 1n) });
      }
      post(db, moved);
      recordKarma(db, cause, { id: uuid(), at: AT, money: 'real', startedAt: AT });
    },
  });
}

describe('a row that appears between the lock and the read of a batch', () => {
  it('is locked by a second pass before the transaction decides', async () => {
    const account = person();
    const line = { account, network: NETWORK } as const;
    const read = { credit_lines: JSON.stringify([[account, NETWORK, 5, null]]) };
    const answers: Row[] = [{ credit_lines: 0 }, read, { credit_lines: 1 }, read];
    let passes = 0;
    const link = {
      dialect: 'postgres',
      rows: () => Promise.resolve([answers.shift()]),
      abandon: () => Promise.resolve(),
    } as Partial<BatchLink> as BatchLink;
    const [ended] = await runUnits(
      [{ needs: [need(CREDIT_LINES, line)], decide: (db) => db.find(CREDIT_LINES, line)?.earned }],
      {
        ledger: openLedgerMemory(),
        passCounts: openPassCounts(),
        within(work) {
          passes += 1;
          return work(link);
        },
        isRefused: () => false,
        report: (error) => assert.fail(String(error)),
        publish: () => undefined,
      },
    );
    assert.deepEqual(ended, { ok: true, answer: atomic(5n) });
    assert.deepEqual([passes, answers], [2, []]);
  });
});

describe('transactions of three processes over the same rows (PostgreSQL)', () => {
  it('all count, and none is ended by a deadlock', async function run() {
    this.timeout(120_000);
    const postgres = await sharedPostgres();
    const url = await postgres.freshDatabase();
    const stores = await Promise.all(Array.from({ length: PROCESSES }, () => openStore(url)));
    const [first] = stores;
    assert.ok(first !== undefined);
    const people = Array.from({ length: PEOPLE }, person);
    for (const each of people) await fund(first, each, 1_000n);
    const at = (nth: number): Account => people[nth % PEOPLE] ?? assert.fail();
    await Promise.all(
      stores.flatMap((store, place) =>
        Array.from({ length: EACH }, (_, nth) => {
          // Opposite directions meet in every pair of rows.
          const [from, to] = [nth * 7 + place, nth * 3 + place + 1];
          if (from % PEOPLE === to % PEOPLE)
            return mixed(store, at(from), at(to + 1), nth % 2 === 0);
          return mixed(store, at(from), at(to), nth % 2 === 0);
        }),
      ),
    );
    await assertBooksBalance(first);
    const sums = await first.read(async ({ knex }) => [
      await knex('credit_lines').sum({ earned: 'earned' }).first(),
      await knex('karma_entries').count({ entries: '*' }).first(),
      await knex('karma_totals').sum({ total: 'total' }).first(),
    ]);
    const count = PROCESSES * EACH;
    assert.deepEqual(
      sums.map((sum) => Number(Object.values(sum ?? {})[0])),
      [2 * count, count, -5 * count],
    );
    // A server counts the deadlocks of a connection when that ends.
    await Promise.all(stores.map((store) => store.close()));
    const after = await openStore(url);
    const [found] = await after.read(({ knex }) =>
      knex('pg_stat_database')
        .whereRaw('datname = current_database()')
        .select<{ deadlocks: number }[]>('deadlocks'),
    );
    await after.close();
    assert.equal(Number(found?.deadlocks), 0);
  });
});
