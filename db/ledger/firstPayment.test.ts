import { strict as assert } from 'node:assert';
import { sharedPostgres } from '../../conformance/harness/databases.ts';
import { assertBooksBalance } from '../../conformance/ledger/auditor.ts';
import {
  FEES,
  fund,
  pay,
  person,
  run,
  spendable,
  transfer,
} from '../../conformance/ledger/book.ts';
import type { Account } from '../../domain/account.ts';
import { openStore, type Store } from '../store.ts';
import { postInside } from './postInside.ts';
import { paying } from '../../conformance/ledger/paying.ts';

/** First payments on PostgreSQL: the row of the receiver is made before anything is locked. */
const START_MS_MAX = 30_000;

describe('first payments on PostgreSQL', () => {
  let url = '';
  let store: Store;
  /** Units that ran again: each lost a deadlock. */
  let retries = 0;
  before(async function start() {
    this.timeout(START_MS_MAX);
    url = await (await sharedPostgres()).freshDatabase();
    const jitter = (): number => {
      retries += 1;
      return 0;
    };
    store = await openStore(url, { jitter });
  });
  beforeEach(() => void (retries = 0));
  after(async () => {
    await assertBooksBalance(store);
    await store.close();
  });

  it('20 first credits of one account at once lose no deadlock', async () => {
    for (let round = 0; round < 3; round += 1) {
      const newcomer = person();
      await Promise.all(Array.from({ length: 20 }, () => fund(store, newcomer, 5n)));
      assert.equal(await spendable(store, newcomer), 100n);
    }
    assert.equal(retries, 0);
  });

  it('neither do first payments to several at once, named in any order', async () => {
    const payers = Array.from({ length: 12 }, person);
    await Promise.all(payers.map((each) => fund(store, each, 100n)));
    const [one, two, three] = [person(), person(), person()];
    const orders: readonly (readonly Account[])[] = [
      [one, two, three, FEES],
      [FEES, three, two, one],
      [two, FEES, one, three],
    ];
    await Promise.all(
      payers.map((from, index) =>
        run(
          store,
          (orders[index % orders.length] ?? []).map((to) => pay(from, to, 3n)),
        ),
      ),
    );
    assert.equal(await spendable(store, two), 36n);
    assert.equal(retries, 0);
  });

  it('a payment that rolled back leaves no row, and the next one makes it', async () => {
    const [payer, newcomer] = [person(), person()];
    await fund(store, payer, 10n);
    const failed = store.write(async (tx) => {
      await postInside(tx, transfer([pay(payer, newcomer, 10n)]));
      throw new Error('the unit failed');
    });
    await assert.rejects(failed, /the unit failed/);
    const rows = await store.read(({ knex }) => knex('accounts').where({ name: newcomer }));
    assert.deepEqual(rows, []);
    assert.ok('posted' in (await run(store, [pay(payer, newcomer, 10n)])));
    assert.equal(await spendable(store, newcomer), 10n);
  });

  it('share a transaction when they come at once', async () => {
    const payers = Array.from({ length: 16 }, person);
    for (const each of payers) await fund(store, each, 10n);
    const units = payers.map((from) => paying(store, { steps: [pay(from, person(), 1n)] }));
    const ids = await Promise.all(
      units.map(async (unit) => {
        const answer = await store.decide(unit);
        assert.ok('result' in answer);
        return String(answer.result);
      }),
    );
    const written = await store.read(
      async ({ knex }): Promise<readonly { readonly batch: string }[]> =>
        await knex('transfers')
          .whereIn('id', ids)
          .select({ batch: knex.raw('xmin::text') }),
    );
    const batches = new Set(written.map(({ batch }) => batch));
    assert.ok(batches.size <= 4, `${batches.size} transactions`);
  });
});
