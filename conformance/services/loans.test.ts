import assert from 'node:assert/strict';
import { DATABASES } from '../harness/databases.ts';
import { at, mustOk, mustRefuse } from '../harness/must.ts';
import { openFixture, type Fixture } from '../harness/fixture.ts';
import {
  bookOf,
  borrow,
  DAY,
  deliver,
  earn,
  giveBack,
  held,
  loansOf,
  reasonsOf,
  refused,
  spendableOf,
  SUITE_MS_MAX,
} from './_lend.ts';

/**
 * The fate of a loan that is not repaid, and the result of the audit when its books are spoiled.
 */
for (const [name, url] of DATABASES) {
  describe(`loans that go wrong (${name})`, function suite() {
    this.timeout(SUITE_MS_MAX);
    let world: Fixture;
    before(async () => {
      world = await openFixture({ databaseUrl: await url() });
      await world.fund(world.alice, '900000000');
    });
    after(() => world.close());

    it('default after seven days due: karma, no credit for ever, still collected', async () => {
      const bob = await world.agent();
      await earn(world.alice, bob);
      await world.fund(world.bob, '2000000');
      await earn(world.bob, bob);
      const lost = await held(world.alice, bob, { rewardAmount: '2000000' });
      mustOk(await borrow(bob, lost.taskId));
      const away = { to: world.alice.account, amount: '2600000', idempotencyKey: 'away' };
      mustOk(await bob.post(`/api/v1/wallet/${bob.account}/pay`, away));
      mustOk(await giveBack(bob, lost));
      world.hub.clock.advance(7 * DAY - 1);
      await world.hub.runJob('loanCollection');
      assert.equal((await loansOf(bob))[0]?.['state'], 'due');
      world.hub.clock.advance(1);
      assert.equal((await loansOf(bob))[0]?.['state'], 'defaulted', 'no job has run yet');
      const reported = await bookOf(world);
      await world.hub.runJob('loanCollection');
      const after = await bookOf(world);
      assert.deepEqual(reported, after, 'nor does the public book wait for the job');
      assert.equal(after['defaulted'], '660000');
      assert.equal(after['defaults'], 1);
      await world.hub.runJob('loanCollection');
      assert.deepEqual((await reasonsOf(world, bob))[0], ['loan.defaulted', -5, -5, undefined]);
      assert.equal((await reasonsOf(world, bob)).length, 3, 'once');
      await world.fund(bob, '5');
      await world.hub.runJob('loanCollection');
      assert.equal(await spendableOf(bob), '5', 'a default is collected from settlements only');
      const next = await held(world.alice, bob);
      refused(
        await borrow(bob, next.taskId),
        'limit-zero',
        /Your limit on sandbox is 0 since the default of 20/,
        /It stays 0/,
      );
      assert.equal(at(mustOk(await deliver(bob, next)), 'split', 'loan'), '673200');
      assert.deepEqual(await loansOf(bob), []);
      const last = await held(world.alice, bob);
      mustRefuse(await borrow(bob, last.taskId), 400, 'limit-zero');
      assert.equal((await bookOf(world))['defaults'], after['defaults']);
    });

    it('stay defaults when a settlement pays them before any job looks', async () => {
      const bob = await world.agent();
      await earn(world.alice, bob);
      const lost = await held(world.alice, bob, { rewardAmount: '2000000' });
      mustOk(await borrow(bob, lost.taskId));
      const away = { to: world.alice.account, idempotencyKey: 'gone' };
      const amount = String(await spendableOf(bob));
      mustOk(await bob.post(`/api/v1/wallet/${bob.account}/pay`, { ...away, amount }));
      mustOk(await giveBack(bob, lost));
      world.hub.clock.advance(7 * DAY);
      const again = await held(world.alice, bob, { rewardAmount: '9000000' });
      assert.equal(at(mustOk(await deliver(bob, again)), 'split', 'loan'), '673200');
      assert.deepEqual(
        (await reasonsOf(world, bob))
          .map((each) => (each as unknown[])[0])
          .filter((r) => r === 'loan.defaulted'),
        ['loan.defaulted'],
      );
      const last = await held(world.alice, bob);
      refused(await borrow(bob, last.taskId), 'limit-zero', /since the default of/, /It stays 0/);
      await world.hub.runJob('loanCollection');
      assert.equal(
        (await reasonsOf(world, bob)).filter((each) => (each as unknown[])[0] === 'loan.defaulted')
          .length,
        1,
        'once',
      );
    });

    it('are taken off what a claim promises, and a lowered advance says why', async () => {
      const bob = await world.agent();
      const lost = await held(world.alice, bob, { rewardAmount: '2000000' });
      const loan = mustOk(await borrow(bob, lost.taskId, { wantedAtomic: '900000' }));
      assert.deepEqual(loan['lowered'], {
        wanted: '900000',
        why: 'An advance is at most 33% of the escrowed reward, which is 660000.',
      });
      const path = `/api/v1/tasks/${lost.taskId}/claim`;
      const { deliver: promise } = mustOk(await bob.post(path, { agentId: bob.account }));
      const pays = at(promise, 'pays') as Record<string, unknown>;
      assert.deepEqual([pays['worker'], pays['loan']], ['1266800', '673200']);
      const { split } = mustOk(await deliver(bob, lost));
      assert.deepEqual([at(split, 'worker'), at(split, 'loan')], ['1266800', '673200']);
    });

    it('show in a read of standing before any job looks', async () => {
      const bob = await world.agent();
      await earn(world.alice, bob);
      const lost = await held(world.alice, bob, { rewardAmount: '2000000' });
      mustOk(await borrow(bob, lost.taskId));
      const away = { to: world.alice.account, idempotencyKey: 'gone' };
      const amount = String(await spendableOf(bob));
      mustOk(await bob.post(`/api/v1/wallet/${bob.account}/pay`, { ...away, amount }));
      mustOk(await giveBack(bob, lost));
      world.hub.clock.advance(7 * DAY);
      assert.deepEqual((await reasonsOf(world, bob))[0], ['loan.defaulted', -5, -5, undefined]);
      await world.fund(bob, '900000');
      const next = await held(world.alice, bob);
      mustRefuse(await borrow(bob, next.taskId), 400, 'limit-zero');
      assert.equal(
        await spendableOf(bob),
        '900000',
        'a default is collected from settlements only',
      );
    });

    const broken = async (): Promise<readonly unknown[]> => {
      const { checks } = mustOk(await world.anyone.get('/api/v1/economy/conservation'));
      const found = checks as Readonly<Record<string, unknown>>[];
      return found.filter(({ ok }) => ok === false).map(({ check }) => check);
    };

    /** A row by its key, and the change that is made of it behind the hub's back and taken back. */
    type Values = Readonly<Record<string, string | number>>;
    type Spoil = readonly [says: string, table: string, row: Values, change: Values];

    it('are found by the audit, whether their rows or the ledger was changed', async () => {
      const { store } = world.hub.running.hub;
      const bob = await world.agent();
      const lost = await held(world.alice, bob);
      const { id } = mustOk(await borrow(bob, lost.taskId));
      const away = { to: world.alice.account, amount: '325000', idempotencyKey: 'spoil' };
      const paid = mustOk(await bob.post(`/api/v1/wallet/${bob.account}/pay`, away));
      mustOk(await giveBack(bob, lost));
      assert.deepEqual(await broken(), []);
      const entry = await store.read(async ({ knex }) => {
        const lender = knex('accounts').where({ name: 'hub:credit', network: 'sandbox' });
        const rows: readonly { readonly account_id: number; readonly account_seq: number }[] =
          await knex('entries')
            .select('account_id', 'account_seq')
            .whereIn('account_id', lender.select('id'))
            .orderBy('account_seq', 'desc')
            .limit(1);
        return rows[0];
      });
      assert.ok(entry !== undefined);
      const loan = { id: String(id) };
      const spoils: readonly Spoil[] = [
        ['a debt that shrank', 'loans', loan, { principal_left: 1, origination_left: 1 }],
        ['a payment that shrank', 'loan_payments', { loan_id: loan.id }, { principal: 4_000 }],
        ['an advance of another size', 'loans', loan, { principal: 330_001 }],
        ['another borrower', 'loans', loan, { borrower: world.alice.account }],
        ['another network', 'loans', loan, { network: 'play' }],
        ['money for no loan', 'entries', { ...entry }, { reason: 'pay' }],
        ['another transfer', 'loans', loan, { transfer_id: String(paid['transferId']) }],
      ];
      for (const [says, table, row, change] of spoils) {
        const kept = await store.write(async ({ knex }) => {
          const rows: readonly Values[] = await knex(table).where(row);
          await knex(table).where(row).update(change);
          return Object.fromEntries(Object.keys(change).map((each) => [each, rows[0]?.[each]]));
        });
        try {
          assert.deepEqual(await broken(), ['loans-match'], says);
        } finally {
          await store.write(async ({ knex }) => void (await knex(table).where(row).update(kept)));
        }
      }
      assert.deepEqual(await broken(), []);
    });
  });
}
