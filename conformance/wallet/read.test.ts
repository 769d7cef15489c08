import assert from 'node:assert/strict';
import type { Agent } from '../harness/agents.ts';
import { at, mustOk, mustRefuse } from '../harness/must.ts';
import { openFixture, type Fixture } from '../harness/fixture.ts';
import { submit } from '../tasks/_work.ts';
import { onlyTheOwner, walletPath } from './_signed.ts';
import { cancel, publishPaid } from './_work.ts';

const REWARD = 40_000n;

describe('wallet.read', () => {
  let world: Fixture;
  before(async () => {
    world = await openFixture();
  });
  after(() => world.close());

  const read = async (agent: Agent, query = ''): Promise<Record<string, unknown>> =>
    mustOk(await agent.get(`${walletPath(agent)}${query}`));

  it('reads as zeros for an account that was never used', async () => {
    const wallet = await read(await world.agent());
    assert.deepEqual(
      [wallet['balance'], wallet['held'], wallet['spendable'], wallet['summary30d']],
      ['0', { total: '0', by: [] }, '0', []],
    );
    assert.deepEqual(wallet['inFlight'], { payouts: '0', deposits: '0', withdrawals: '0' });
  });

  it('shows what is held and for what, oldest first, adding up to the total', async () => {
    const agent = await world.agent();
    await world.fund(agent, '100000');
    const first = await publishPaid(agent);
    world.hub.clock.advance(1);
    const second = await publishPaid(agent, { rewardAmount: '15000' });
    const wallet = await read(agent);
    assert.deepEqual(
      [wallet['balance'], at(wallet, 'held', 'total'), wallet['spendable']],
      ['100000', '55000', '45000'],
    );
    const by = at(wallet, 'held', 'by') as readonly Record<string, unknown>[];
    assert.deepEqual(
      by.map((hold) => [hold['kind'], hold['ref'], hold['amount']]),
      [
        ['task', { kind: 'task', id: first }, '40000'],
        ['task', { kind: 'task', id: second }, '15000'],
      ],
    );
    await cancel(agent, first);
    assert.equal(at(await read(agent), 'held', 'total'), '15000');
  });

  it('spends no held money', async () => {
    const agent = await world.agent();
    await world.fund(agent, '50000');
    await publishPaid(agent);
    const pay = (amount: string) =>
      agent.post(`${walletPath(agent)}/pay`, {
        to: world.bob.account,
        amount,
        idempotencyKey: `held-${amount}`,
      });
    mustRefuse(await pay('10001'), 400, 'insufficient-funds');
    assert.equal(mustOk(await pay('10000'))['spendableAfter'], '0');
  });

  it("shows a worker's share in flight until its window ends", async () => {
    const [requester, worker] = [await world.agent(), await world.agent()];
    await world.fund(requester, '100000');
    const id = await publishPaid(requester, { disputeWindowSeconds: 3600 });
    mustOk(await submit(worker, id, 'done'));
    const waiting = await read(worker);
    const share = `${REWARD - (REWARD * 300n) / 10_000n}`;
    assert.deepEqual([at(waiting, 'inFlight', 'payouts'), waiting['balance']], [share, '0']);
    assert.equal(at(await read(requester), 'held', 'by', 0, 'kind'), 'payout');
    world.hub.clock.advance(3600);
    mustOk(await world.anyone.get(`/api/v1/tasks/${id}`));
    const paid = await read(worker);
    assert.deepEqual([at(paid, 'inFlight', 'payouts'), paid['balance']], ['0', share]);
  });

  it('is one network at a time', async () => {
    const agent = await world.agent();
    await world.fund(agent, '10');
    assert.equal((await read(agent, '?network=sandbox&asset=USDC'))['balance'], '10');
    assert.equal((await read(agent, '?network=play'))['balance'], '0');
  });

  it('shows what a withdrawal takes on the simulated rail', async () => {
    const wallet = await read(world.alice, '?network=sandbox');
    const terms = at(wallet, 'withdrawalTerms');
    assert.deepEqual([at(terms, 'available'), at(terms, 'minimum')], [true, '10000']);
    assert.deepEqual([at(terms, 'fee'), at(terms, 'automaticEach')], ['1000', undefined]);
    assert.equal(at(wallet, 'depositAddress', 'address'), null);
  });

  for (const network of ['base', 'play']) {
    it(`promises no rail on ${network} that does not exist`, async () => {
      const wallet = await read(world.alice, `?network=${network}`);
      assert.equal(at(wallet, 'depositAddress', 'address'), null);
      assert.ok((at(wallet, 'depositAddress', 'missing') as readonly string[]).length > 0);
      assert.equal(at(wallet, 'withdrawalTerms', 'available'), false);
      assert.equal(at(wallet, 'withdrawalTerms', 'minimum'), undefined);
    });
  }

  it('refuses an unknown network and an unknown asset with the list that works', async () => {
    const network = await world.alice.get(`${walletPath(world.alice)}?network=moon`);
    const { allowed } = mustRefuse(network, 400, 'network-unknown');
    assert.deepEqual(allowed, ['sandbox', 'base', 'play']);
    const asset = await world.alice.get(`${walletPath(world.alice)}?asset=DOGE`);
    assert.deepEqual(mustRefuse(asset, 400, 'unknown-filter')['allowed'], ['USDC']);
  });

  onlyTheOwner(() => world, 'GET', '');
});
