import { strict as assert } from 'node:assert';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onBothDatabases } from '../conformance/harness/databases.ts';
import { assertBooksBalance } from '../conformance/ledger/auditor.ts';
import { fund, pay, person, run, spendable, transfer, uuid } from '../conformance/ledger/book.ts';
import { paying, type Answer } from '../conformance/ledger/paying.ts';
import type { Account } from '../domain/account.ts';
import { post, readsOf } from './ledger/post.ts';
import { openPassCounts } from './batch/passCounts.ts';
import { openLedgerMemory } from './ledger/memory.ts';
import { openSqliteConnection } from './sqliteConnection.ts';
import { openSqliteLine } from './sqliteLine.ts';
import { groupCommit, openWriterLine } from './sqliteWriter.ts';
import { openStore, type Store } from './store.ts';

const TURNS = 20;

onBothDatabases('units that come while a batch is written', (open) => {
  let store: Store;
  let people: readonly [Account, Account];
  before(async () => {
    store = await open();
    people = [person(), person()];
    for (const each of people) await fund(store, each, 1_000n);
  });
  afterEach(() => assertBooksBalance(store));

  it('are decided as if after it', async () => {
    const [rich, poor] = people;
    const steps = [pay(rich, poor, 1n)];
    for (let turn = 0; turn < TURNS; turn += 1) {
      const [nonce, key] = [uuid(), uuid()];
      const first = paying(store, { steps, nonce, key });
      let later: Promise<readonly PromiseSettledResult<Answer>[]> | undefined;
      const ended = await store.decide<Answer>({
        ...first,
        decide(db) {
          const again = [{ steps, nonce }, { steps, key }, { steps }].map((each) =>
            paying(store, each),
          );
          later ??= new Promise((resolve) => {
            setImmediate(() =>
              resolve(Promise.allSettled(again.map((each) => store.decide(each)))),
            );
          });
          return first.decide(db);
        },
      });
      const [replay, twin, third] = (await later) ?? assert.fail();
      assert.deepEqual([replay?.status, third?.status], ['rejected', 'fulfilled']);
      assert.ok('result' in ended && twin?.status === 'fulfilled');
      assert.deepEqual(twin.value, { result: ended.result, repeated: true });
    }
    assert.equal(await spendable(store, rich), 1_000n - 2n * BigInt(TURNS));
  });
});

onBothDatabases('a payment between accounts that the process remembers', (open) => {
  let store: Store;
  let other: Store;
  let people: readonly [Account, Account];
  beforeEach(async () => {
    [store, other] = [await open(), await open()];
    people = [person(), person()];
    for (const each of people) await fund(store, each, 10n);
    await paid(store, 1n);
  });
  afterEach(() => assertBooksBalance(store));

  const paid = (through: Store, amount: bigint, given = {}): Promise<Answer> =>
    through.decide(paying(through, { steps: [pay(...people, amount)], ...given }));

  it('is decided on what another process did meanwhile', async () => {
    await paid(other, 9n);
    await assert.rejects(paid(store, 1n), /insufficient/);
    await fund(other, people[0], 5n);
    await paid(store, 5n);
    assert.equal(await spendable(store, people[1]), 25n);
  });

  it('is decided on what single statements of the same process did meanwhile', async () => {
    const [from, to] = people;
    const bare = (amount: bigint): Promise<ReturnType<typeof post>> =>
      store.decide({
        needs: readsOf(store.dialect, transfer([pay(from, to, amount)])),
        decide: (db) => post(db, transfer([pay(from, to, amount)])),
      });
    await run(store, [pay(from, to, 8n)]);
    assert.ok('refused' in (await bare(2n)));
    await run(store, [pay(to, from, 10n)]);
    assert.ok('transferId' in (await bare(11n)));
    assert.equal(await spendable(store, from), 0n);
  });

  it('answers a repeated key as before, also when it could not be paid again', async () => {
    const key = uuid();
    const first = await paid(store, 9n, { key });
    assert.ok('result' in first);
    const repeated = { result: first.result, repeated: true };
    assert.deepEqual(await paid(store, 9n, { key }), repeated);
    assert.deepEqual(await paid(other, 9n, { key }), repeated);
  });

  it('is refused when its nonce is replayed, alone and among others', async () => {
    await fund(store, people[0], 100n);
    const nonce = uuid();
    await paid(store, 1n, { nonce });
    await assert.rejects(paid(store, 1n, { nonce }), /replayed/);
    const ended = await Promise.allSettled([
      paid(store, 1n),
      paid(store, 1n, { nonce }),
      paid(store, 1n),
    ]);
    assert.deepEqual(
      ended.map(({ status }) => status),
      ['fulfilled', 'rejected', 'fulfilled'],
    );
  });

  it('goes on beside another process that pays from the same account', async () => {
    for (const each of people) await fund(store, each, 1_000n);
    const calls = Array.from({ length: 200 }, (_, nth) => paid(nth % 2 ? store : other, 1n));
    await Promise.all(calls);
    for (let nth = 0; nth < 100; nth += 1) await paid(nth % 3 ? store : other, 1n);
    assert.equal(await spendable(other, people[0]), 1_009n - 300n);
  });
});

describe('the line of batches (SQLite)', () => {
  it('reads a batch beside the write of the one before, and no row that it remembers, unless units of single statements come between', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'hub-line-'));
    const path = join(folder, 'hub.sqlite');
    const store = await openStore(`sqlite:${path}`);
    const [from, to] = [person(), person()];
    await fund(store, from, 100n);
    const ledger = openLedgerMemory();
    const report = (error: unknown): void => assert.fail(String(error));
    const passCounts = openPassCounts();
    const options = { ledger, passCounts, jitter: () => 0.5, report, guardNesting: true };
    const size = { notice: () => undefined, connections: 8, readers: 1, unitMsMax: 1_000 };
    const writers = await openWriterLine(path, { ...options, ...size });
    const groups = groupCommit(writers);
    const real = await openSqliteConnection(path, 'read');
    const reads = { beside: 0, within: 0 };
    const beside = {
      ...real,
      rows: (...asked: Parameters<typeof real.rows>) => {
        reads.beside += 1;
        return real.rows(...asked);
      },
    };
    const writer = await writers.writer();
    const { rows } = writer;
    writer.rows = (text, values) => {
      if (text.reads) reads.within += 1;
      return rows(text, values);
    };
    const line = openSqliteLine(groups, beside, {
      ledger,
      passCounts,
      report,
      publish: () => undefined,
    });
    const unit = (then?: () => void) => {
      const made = paying(store, { steps: [pay(from, to, 1n)] });
      return {
        ...made,
        decide: (db: Parameters<typeof made.decide>[0]) => {
          then?.();
          return made.decide(db);
        },
      };
    };
    /** Two batches; the second one comes when the first one decides. */
    const twoBatches = async (also: () => void): Promise<readonly [number, number]> => {
      Object.assign(reads, { beside: 0, within: 0 });
      let second: Promise<unknown> | undefined;
      await line.add(unit(() => void ((second ??= line.add(unit())), also())));
      await second;
      return [reads.beside, reads.within];
    };
    assert.deepEqual(await twoBatches(() => undefined), [1, 1]);
    const free = (): void => {
      const outcome = { failed: false, answer: () => undefined };
      groups.add({ run: () => Promise.resolve(outcome), lost: report });
    };
    assert.deepEqual(await twoBatches(() => undefined), [0, 0]);
    assert.deepEqual(await twoBatches(free), [0, 1]);
    assert.equal(await spendable(store, to), 6n);
    await line.close();
    await real.close();
    await groups.idle();
    await writers.close();
    await store.close();
    await rm(folder, { recursive: true });
  });
});
