import assert from 'node:assert/strict';
import { DATABASES } from '../harness/databases.ts';
import { parseAccount, type Account } from '../../domain/account.ts';
import { run, sum } from '../ledger/book.ts';
import { at, mustOk, mustRefuse } from '../harness/must.ts';
import { joinAccount } from '../harness/agents.ts';
import { openFixture, type Fixture } from '../harness/fixture.ts';
import { act, publish, RULE, submit, type Body } from '../tasks/_work.ts';

const SUITE_MS_MAX = 60_000;
const DAY_SECONDS = 86_400;
const NOTHING = {
  paidNet: '0',
  hubFees: '0',
  judgesFees: '0',
  tasksPaid: 0,
  workers: 0,
  published: 0,
  filled: 0,
};

function account(name: string): Account {
  return parseAccount(name) ?? assert.fail(name);
}

for (const [name, url] of DATABASES) {
  describe(`discovery.earnings (${name})`, function suite() {
    this.timeout(SUITE_MS_MAX);
    let world: Fixture;
    before(async () => {
      world = await openFixture({ databaseUrl: await url() });
    });
    after(() => world.close());

    const earnings = async (): Promise<Body> =>
      mustOk(await world.anyone.get('/api/v1/earnings?network=sandbox'));
    const totals = (body: Body): readonly Body[] =>
      (body['totals'] as Body[]).map(({ from: _, ...total }) => total);

    it('begins with nothing, and says that balances are bookkeeping', async () => {
      const body = await earnings();
      assert.deepEqual(totals(body), [
        { window: '24h', ...NOTHING },
        { window: '7d', ...NOTHING },
      ]);
      assert.deepEqual(body['recent'], []);
      assert.equal(body['backing'], 'bookkeeping');
      assert.match(String(body['backingNote']), /Test money/);
      assert.equal(body['backingCheckedAt'], undefined);
    });

    it('counts what reached workers after fees, and what ended without paying', async () => {
      const { alice, bob } = world;
      await world.fund(alice, '10000000');
      const rule = { acceptance: RULE, disputeWindowSeconds: 0 };
      const paid = await publish(alice, { ...rule, title: 'First', rewardAmount: '400000' });
      mustOk(await submit(bob, paid.id, 'done'));
      world.hub.clock.advance(2 * DAY_SECONDS);
      const later = await publish(alice, { ...rule, title: 'Second', rewardAmount: '100000' });
      mustOk(await submit(await world.agent(), later.id, 'done'));
      const withdrawn = await publish(alice, { rewardAmount: '100000' });
      mustOk(await act(alice, withdrawn.id, 'cancel', { requester: alice.account }));
      await publish(alice, { rewardAmount: '100000' });

      const body = await earnings();
      const day = { paidNet: '97000', hubFees: '3000', tasksPaid: 1, workers: 1 };
      const week = { paidNet: '485000', hubFees: '15000', tasksPaid: 2, workers: 2 };
      assert.deepEqual(totals(body), [
        { window: '24h', ...NOTHING, ...day, published: 2, filled: 1, fillRate: 0.5 },
        { window: '7d', ...NOTHING, ...week, published: 3, filled: 2, fillRate: 2 / 3 },
      ]);
      const recent = body['recent'] as Body[];
      assert.deepEqual(
        recent.map(({ net, reason, taskId, title }) => [net, reason, taskId, title]),
        [
          ['97000', 'task.reward', later.id, 'Second'],
          ['388000', 'task.reward', paid.id, 'First'],
        ],
      );
      assert.equal(at(recent, 1, 'to'), bob.account);
    });

    it('counts in its totals what it lists as recent, whatever it was paid for', async () => {
      const { store } = world.hub.running.hub;
      const [payer, payee] = [account(world.alice.account), account(world.bob.account)];
      const paid = { verb: 'move', from: payer, to: payee, amount: sum(1_234n) } as const;
      const figure = (body: Body, name: string) => BigInt(String(at(body, 'totals', 0, name)));
      const before = await earnings();
      const now = { at: world.hub.clock.now() };
      for (const reason of ['call.charge', 'bonus.welcome'] as const) {
        await run(store, [{ ...paid, reason }], now);
      }
      const body = await earnings();
      assert.equal(figure(body, 'paidNet') - figure(before, 'paidNet'), 2n * 1_234n);
      const from = Date.parse(String(at(body, 'totals', 0, 'from')));
      const recent = (body['recent'] as Body[]).filter((p) => Date.parse(String(p['at'])) > from);
      const sumOf = recent.reduce((total, { net }) => total + BigInt(String(net)), 0n);
      assert.equal(`${sumOf}`, at(body, 'totals', 0, 'paidNet'));
      for (const reason of ['task.fee.judges', 'dispute.arbiter'] as const) {
        await run(store, [{ ...paid, reason }], now);
      }
      const judged = await earnings();
      assert.equal(figure(judged, 'judgesFees') - figure(body, 'judgesFees'), 2n * 1_234n);
      assert.equal(figure(judged, 'paidNet'), figure(body, 'paidNet'), 'a fee is no pay for work');
      assert.equal(figure(judged, 'hubFees'), figure(body, 'hubFees'));
      assert.deepEqual(judged['recent'], body['recent'], 'nor listed as a payout of its task');
    });

    it('leaves out what one party paid to itself', async () => {
      const before = await earnings();
      const { alice } = world;
      const spare = await world.agent();
      mustOk(await joinAccount(alice, spare));
      const [payer, payee] = [account(alice.account), account(spare.account)];
      const reward = { verb: 'move', amount: sum(70_000n), reason: 'task.reward' } as const;
      const now = { at: world.hub.clock.now() };
      const { store } = world.hub.running.hub;
      await run(store, [{ ...reward, from: payer, to: payee }], now);
      const { totals, recent } = await earnings();
      assert.deepEqual({ totals, recent }, { totals: before['totals'], recent: before['recent'] });
      await run(store, [{ ...reward, from: payer, to: account(world.bob.account) }], now);
      assert.equal(at((await earnings())['recent'], 0, 'net'), '70000');
    });

    it('refuses a network that is none', async () => {
      const answer = await world.anyone.get('/api/v1/earnings?network=moon');
      mustRefuse(answer, 400, 'network-unknown');
    });
  });
}
