import assert from 'node:assert/strict';
import type { Agent } from '../harness/agents.ts';
import { accountAt } from '../harness/chain/anvil.ts';
import {
  depositKeyOf,
  openChainFixture,
  TREASURY,
  type ChainFixture,
} from '../harness/chain/hub.ts';
import { at, mustOk } from '../harness/must.ts';
import { walletPath } from '../wallet/_signed.ts';

/** The deposits in the books are compared with what the chain has. */
describe('backing', () => {
  let world: ChainFixture;
  let agent: Agent;
  before(async () => {
    world = await openChainFixture();
    agent = world.alice;
    const made = mustOk(await agent.post(`${walletPath(agent)}/deposit-address`));
    await world.chain.mint(made['address'] as `0x${string}`, 50_000_000n);
    await world.chain.mint(TREASURY.address, 20_000_000n);
    await world.settle('deposits');
  });
  after(() => world.close());

  const backing = async (): Promise<unknown> =>
    mustOk(await world.anyone.get('/api/v1/earnings'))['backing'];
  const newest = async (): Promise<unknown> => {
    const page = mustOk(await agent.get(`${walletPath(agent)}/withdrawals?limit=1`));
    return at(page, 'withdrawals', 0, 'stage') ?? at(page, 'withdrawals', 0, 'state');
  };

  it('is shown only after a comparison, and for an hour', async () => {
    assert.equal(await backing(), 'bookkeeping');
    await world.hub.runJob('backing');
    const reported = mustOk(await world.anyone.get('/api/v1/earnings'));
    assert.equal(reported['backing'], 'backed');
    assert.match(String(reported['backingNote']), /70000000 atomic units for 50000000/);
    world.hub.clock.advance(3_601);
    assert.equal(await backing(), 'bookkeeping');
    const sandbox = mustOk(await world.anyone.get('/api/v1/earnings?network=sandbox'));
    assert.equal(sandbox['backing'], 'bookkeeping');
  });

  it('holds while a withdrawal is on its way', async () => {
    const body = { address: accountAt(2).address, amount: '3000000' };
    mustOk(await agent.post(`${walletPath(agent)}/withdraw`, body));
    await world.hub.runJob('hotWallet');
    await world.chain.client.setBalance({
      address: depositKeyOf(agent.account).address,
      value: 10n ** 18n,
    });
    await world.hub.runJob('backing');
    assert.equal(await backing(), 'backed');
    await world.settle('hotWallet');
    await world.hub.runJob('withdrawals');
    await world.hub.runJob('backing');
    assert.deepEqual([await backing(), await newest()], ['backed', 'confirmed']);
  });

  it('stops withdrawals while the chain has less than is owed, and no deposits', async () => {
    const stolen = depositKeyOf(agent.account);
    await world.chain.transfer(stolen, accountAt(8).address, 40_000_000n);
    await world.hub.runJob('backing');
    assert.equal(await backing(), 'bookkeeping');
    const body = { address: accountAt(2).address, amount: '3000000' };
    mustOk(await agent.post(`${walletPath(agent)}/withdraw`, body));
    await world.hub.runJob('hotWallet');
    assert.equal(await newest(), 'queued');
    await world.chain.mint(stolen.address, 1_000_000n);
    await world.settle('deposits');
    const wallet = mustOk(await agent.get(walletPath(agent)));
    assert.equal(wallet['balance'], '48000000');
    await world.chain.mint(TREASURY.address, 60_000_000n);
    await world.hub.runJob('backing');
    await world.hub.runJob('hotWallet');
    await world.hub.runJob('hotWallet');
    assert.deepEqual([await backing(), await newest()], ['backed', 'broadcast']);
    await world.settle('hotWallet');
    await world.hub.runJob('withdrawals');
  });
});
