import assert from 'node:assert/strict';
import { searchStatement } from '../../db/ledger/statement.ts';
import { keyAccount, type KeyId } from '../../domain/account.ts';
import { ASSET } from '../../domain/network.ts';
import { DATABASES } from '../harness/databases.ts';
import { openFixture, type Fixture } from '../harness/fixture.ts';
import { mustOk, mustRefuse } from '../harness/must.ts';
import { walletPath } from './_signed.ts';
import { cancel, publishPaid } from './_work.ts';

type Body = Readonly<Record<string, unknown>>;

for (const [name, url] of DATABASES) {
  describe(`filters of wallet.statement (${name})`, () => {
    let world: Fixture;
    let task = '';
    const moments: string[] = [];
    before(async function start() {
      this.timeout(60_000);
      world = await openFixture({ databaseUrl: await url() });
      const { alice, bob, hub } = world;
      const carol = await world.agent();
      await world.fund(alice, '1000000');
      for (const [to, amount, memo] of [
        [bob, '1000', 'rent of May'],
        [bob, '2000', 'rent of June 100%'],
        [carol, '3000', 'a gift'],
      ] as const) {
        hub.clock.advance(60);
        moments.push(new Date(hub.clock.now()).toISOString());
        mustOk(
          await alice.post(`${walletPath(alice)}/pay`, {
            to: to.account,
            amount,
            memo,
            idempotencyKey: memo,
          }),
        );
      }
      hub.clock.advance(60);
      const published = await publishPaid(alice);
      task = published;
      await cancel(alice, published);
    });
    after(() => world.close());

    const read = async (query: string): Promise<Body> =>
      mustOk(await world.alice.get(`${walletPath(world.alice)}/statement?${query}`));
    const seqs = (body: Body): readonly unknown[] =>
      (body['entries'] as Body[]).map(({ seq }) => seq);

    it('finds entries by each filter, and by several at once', async () => {
      const [, second = '', third = ''] = moments;
      for (const [query, found] of [
        ['reason=pay', [4, 3, 2]],
        ['reason=faucet', [1]],
        ['reason=loan.repay', []],
        [`counterparty=${world.bob.account}`, [3, 2]],
        [`counterparty=${world.bob.keyId}`, [3, 2]],
        [`from=${third}`, [6, 5, 4]],
        [`to=${second}`, [2, 1]],
        [`from=${second}&to=${third}`, [3]],
        ['from=2100-01-01T00:00:00Z', []],
        ['to=2000-01-01T00:00:00Z', []],
        ['minAmount=3000', [6, 5, 4, 1]],
        ['memo=rent', [3, 2]],
        ['memo=Rent', []],
        ['memo=100%25', [3]],
        ['memo=%25', [3]],
        [`task=${task}`, [6, 5]],
        [`reason=task.refund&task=${task}`, [6]],
        [`memo=rent&counterparty=${world.bob.account}&minAmount=2000`, [3]],
      ] as const) {
        assert.deepEqual(seqs(await read(query)), found, query);
        const alias = await world.alice.get(`${walletPath(world.alice)}/transactions?${query}`);
        assert.deepEqual(seqs(mustOk(alias)), found, query);
      }
    });

    it('follows its cursor through what fits', async () => {
      const first = await read('reason=pay&limit=2');
      assert.deepEqual([seqs(first), first['hasMore']], [[4, 3], true]);
      const rest = await read(`reason=pay&limit=2&cursor=${String(first['nextCursor'])}`);
      assert.deepEqual([seqs(rest), rest['hasMore']], [[2], false]);
    });

    it('refuses a stretch of time that ends before it begins, and values of no entry', async () => {
      const path = `${walletPath(world.alice)}/statement`;
      const [first = '', second = ''] = moments;
      const refused = mustRefuse(
        await world.alice.get(`${path}?from=${second}&to=${first}`),
        400,
        'not-together',
      );
      assert.equal(refused['field'], 'query.to');
      for (const query of ['reason=gift', 'task=no', 'from=May', 'counterparty=bob', 'memo=']) {
        assert.equal((await world.alice.get(`${path}?${query}`)).status, 400, query);
      }
      mustRefuse(await world.alice.get(`${path}?minAmount=-1`), 400, 'bad-amount');
    });

    it('takes letters that mean something in SQL as letters', async () => {
      for (const memo of ["'; DROP TABLE entries; --", '_ent', 'r%nt', '\\', '\u{1f4b8}']) {
        assert.deepEqual(seqs(await read(`memo=${encodeURIComponent(memo)}`)), [], memo);
      }
    });

    it('looks at so many entries in one answer, and leads on behind them', async () => {
      const { store } = world.hub.running.hub;
      const place = { network: 'sandbox', asset: ASSET } as const;
      const page = { limit: 10, filter: { reason: 'faucet' } as const, searched: 4 };
      const account = keyAccount(world.alice.keyId as KeyId);
      const first = await store.read((db) => searchStatement(db, account, place, page));
      assert.deepEqual(first, { entries: [], next: 3 });
      const next = await store.read((db) =>
        searchStatement(db, account, place, { ...page, before: 3 }),
      );
      assert.deepEqual([next.entries.map(({ seq }) => seq), next.next], [[1], undefined]);
    });
  });
}
