import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { DATABASES } from '../../conformance/harness/databases.ts';
import { fund, pay, person, transfer } from '../../conformance/ledger/book.ts';
import { post, readsOf } from '../ledger/post.ts';
import { openStore } from '../store.ts';

type Pass = Readonly<Record<string, string | number>>;

/** The members that the page shows in its traces. */
async function shown(): Promise<readonly string[]> {
  const page = await readFile('docs/batches.md', 'utf8');
  const blocks = [...page.matchAll(/```text\n([^`]*)```/g)].map(([, block = '']) => block);
  const members = blocks.flatMap((block) => [...block.matchAll(/(?:^| {2})(\w+):/gm)]);
  return [...new Set(members.map(([, name = '']) => name))];
}

describe('the trace of batches', () => {
  const seen = new Set<string>();
  for (const [database, freshUrl] of DATABASES) {
    it(`names the work, its rows by their tables and the way (${database})`, async function run() {
      this.timeout(60_000);
      const passes: Pass[] = [];
      const store = await openStore(await freshUrl(), { trace: (pass) => passes.push(pass) });
      const [payer, payee] = [person(), person()];
      await fund(store, payer, 5n);
      const moved = transfer([pay(payer, payee, 1n)]);
      const needs = readsOf(store.dialect, moved);
      const twice = {
        name: 'test.pay',
        needs,
        decide: (db: Parameters<typeof post>[0]) => post(db, moved),
      };
      await store.decide(twice);
      const paid = passes.at(-1);
      await assert.rejects(store.decide(twice), 'a transfer has one id');
      await store.close();
      assert.equal(paid?.['units'], 'test.pay');
      assert.match(String(paid?.['read']), /accounts 2/);
      assert.match(String(paid?.['wrote']), /accounts.*transfers, entries 2/);
      assert.equal(paid?.['way'], store.dialect === 'sqlite' ? 'in turn' : 'free');
      assert.ok(Number(paid?.['ms']) > 0);
      assert.ok(passes.some(({ refused }) => /unique/i.test(String(refused))));
      assert.ok(!JSON.stringify(passes).includes(payer), 'no account is named');
      for (const pass of passes) for (const name of Object.keys(pass)) seen.add(name);
    });
  }

  it('has the members that its page shows', async () => {
    const members = await shown();
    assert.ok(members.length > 5, members.join());
    assert.deepEqual(
      members.filter((name) => !seen.has(name)),
      [],
    );
  });
});
