import assert from 'node:assert/strict';
import type { Agent } from '../harness/agents.ts';
import { accountAt } from '../harness/chain/anvil.ts';
import { openChainFixture, TREASURY, type ChainFixture } from '../harness/chain/hub.ts';
import { at, mustOk } from '../harness/must.ts';
import { cancelWithdrawal, releaseWithdrawal } from '../../workflows/rails/operator.ts';
import { walletPath } from '../wallet/_signed.ts';

/** Decisions of `hubctl withdrawals release` and `hubctl withdrawals cancel`. */
describe('an operator', () => {
  let world: ChainFixture;
  let agent: Agent;
  const bela = accountAt(2).address;
  before(async () => {
    world = await openChainFixture();
    agent = world.alice;
    const made = mustOk(await agent.post(`${walletPath(agent)}/deposit-address`));
    await world.chain.mint(made['address'] as `0x${string}`, 900_000_000n);
    await world.chain.mint(TREASURY.address, 900_000_000n);
    await world.settle('deposits');
  });
  after(() => world.close());

  const withdraw = async (amount: string): Promise<string> =>
    String(
      mustOk(await agent.post(`${walletPath(agent)}/withdraw`, { address: bela, amount }))['id'],
    );
  const newest = async (): Promise<unknown> =>
    at(mustOk(await agent.get(`${walletPath(agent)}/withdrawals?limit=1`)), 'withdrawals', 0);
  const decide = (work: typeof releaseWithdrawal, id: string) => {
    const { hub } = world.hub.running;
    return hub.store.write((tx) => work(hub, tx, id));
  };
  const run = (): Promise<void> => world.hub.runJob('hotWallet');

  it('lets a large withdrawal go, once', async () => {
    const id = await withdraw('600000000');
    await run();
    assert.equal(at(await newest(), 'waitsForOperator'), true);
    assert.ok('done' in (await decide(releaseWithdrawal, id)));
    assert.ok('refused' in (await decide(releaseWithdrawal, id)));
    await run();
    await world.settle('hotWallet');
    await world.hub.runJob('withdrawals');
    assert.equal(at(await newest(), 'state'), 'confirmed');
    assert.equal(await world.chain.balanceOf(bela), 599_990_000n);
  });

  it('spends the nonce of a stuck one on nothing, and the money is back when that is final', async () => {
    const before = await world.chain.balanceOf(bela);
    const id = await withdraw('2000000');
    assert.ok('refused' in (await decide(cancelWithdrawal, id)), 'it is not signed yet');
    await world.chain.client.setAutomine(false);
    await run();
    assert.equal(at(await newest(), 'stage'), 'broadcast');
    assert.ok('done' in (await decide(cancelWithdrawal, id)));
    await run();
    await world.chain.client.setAutomine(true);
    await world.chain.mine(1);
    await run();
    await world.hub.runJob('withdrawals');
    assert.equal(at(await newest(), 'state'), 'pending', 'it is not final yet');
    await world.chain.mine(3);
    await run();
    await world.hub.runJob('withdrawals');
    const failed = await newest();
    assert.deepEqual([at(failed, 'state'), at(failed, 'failureProof')], ['failed', 'nonce-spent']);
    assert.equal(await world.chain.balanceOf(bela), before);
    const wallet = mustOk(await agent.get(walletPath(agent)));
    assert.equal(wallet['spendable'], '300000000');
  });
});
