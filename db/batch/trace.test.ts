import assert from 'node:assert/strict';
import { DATABASES } from '../../conformance/harness/databases.ts';
import { fund, pay, person, transfer } from '../../conformance/ledger/book.ts';
import { post, readsOf } from '../ledger/post.ts';
import { openStore } from '../store.ts';

type Pass = Readonly<Record<string, string | number>>;

describe('the trace of batches', () => {
  for (const [database, freshUrl] of DATABASES) {
    it(`names the work, its rows by their tables and the way, and no account (${database})`, async function run() {
      this.timeout(60_000);
      const passes: Pass[] = [];
      const store = await openStore(await freshUrl(), { trace: (pass) => passes.push(pass) });
      const [payer, payee] = [person(), person()];
      await fund(store, payer, 5n);
      const moved = transfer([pay(payer, payee, 1n)]);
      await store.decide({
        name: 'test.pay',
        needs: readsOf(store.dialect, moved),
        decide: (db) => post(db, moved),
      });
      await store.close();
      const pass = passes.at(-1);
      assert.equal(pass?.['units'], 'test.pay');
      assert.match(String(pass?.['read']), /accounts 2/);
      assert.match(String(pass?.['wrote']), /accounts.*transfers, entries 2/);
      assert.equal(pass?.['way'], store.dialect === 'sqlite' ? 'in turn' : 'free');
      assert.ok(Number(pass?.['ms']) > 0);
      assert.ok(!JSON.stringify(passes).includes(payer));
    });
  }
});
