import assert from 'node:assert/strict';
import type { Agent } from '../harness/agents.ts';
import { accountAt } from '../harness/chain/anvil.ts';
import { openChainFixture, TREASURY, type ChainFixture } from '../harness/chain/hub.ts';
import { at, mustOk, mustRefuse } from '../harness/must.ts';
import { onlyTheOwner, walletPath } from './_signed.ts';

describe('wallet.movements', () => {
  let world: ChainFixture;
  before(async () => {
    world = await openChainFixture();
    await world.chain.mint(TREASURY.address, 100_000_000n);
  });
  after(() => world.close());

  const movements = async (of: Agent, query = ''): Promise<Record<string, unknown>> =>
    mustOk(await of.get(`${walletPath(of)}/movements${query}`));
  const newest = async (of: Agent): Promise<Record<string, unknown>> =>
    at(await movements(of), 'movements', 0) as Record<string, unknown>;

  it('shows a deposit from the block that it is seen in to its credit', async () => {
    const agent = await world.agent();
    const made = mustOk(await agent.post(`${walletPath(agent)}/deposit-address`));
    const address = String(made['address']) as `0x${string}`;
    const txHash = await world.chain.mint(address, 3_000_000n);
    await world.hub.runJob('deposits');
    const seen = await newest(agent);
    assert.deepEqual(
      [seen['state'], seen['confirmations'], seen['confirmationsNeeded'], seen['txHash']],
      ['seen', 0, world.confirmations, txHash],
    );
    assert.deepEqual([seen['address'], seen['transferId']], [address, undefined]);
    assert.equal(Date.parse(String(seen['expectedAt'])) - world.hub.clock.now(), 10_000);
    const inFlight = mustOk(await agent.get(walletPath(agent)))['inFlight'];
    assert.equal(at(inFlight, 'deposits'), '3000000');
    await world.chain.mine(1);
    await world.hub.runJob('deposits');
    const confirming = await newest(agent);
    assert.deepEqual([confirming['state'], confirming['confirmations']], ['confirming', 1]);
    await world.settle('deposits');
    const credited = await newest(agent);
    assert.deepEqual([credited['state'], credited['confirmations']], ['credited', undefined]);
    const statement = mustOk(await agent.get(`${walletPath(agent)}/statement`));
    assert.equal(at(statement, 'entries', 0, 'transferId'), credited['transferId']);
    assert.equal(at(statement, 'entries', 0, 'reason'), 'deposit');
  });

  it('lists faucet, chain and withdrawals newest first, page by page, by network', async () => {
    const agent = await world.agent();
    const made = mustOk(await agent.post(`${walletPath(agent)}/deposit-address`));
    await world.chain.mint(made['address'] as `0x${string}`, 9_000_000n);
    await world.settle('deposits');
    world.hub.clock.advance(1);
    const withdrawal = mustOk(
      await agent.post(`${walletPath(agent)}/withdraw`, {
        address: accountAt(5).address,
        amount: '1000000',
      }),
    );
    await world.hub.runJob('hotWallet');
    await world.chain.mined();
    await world.hub.runJob('hotWallet');
    const all = (await movements(agent))['movements'] as Record<string, unknown>[];
    assert.deepEqual(
      all.map((each) => [each['kind'], each['rail'], each['state']]),
      [
        ['withdrawal', 'chain', 'pending'],
        ['deposit', 'chain', 'credited'],
      ],
    );
    assert.equal(all[0]?.['id'], withdrawal['id']);
    assert.equal(all[0]?.['confirmationsNeeded'], world.confirmations);
    const first = await movements(agent, '?limit=1');
    const second = await movements(agent, `?limit=1&after=${String(first['next'])}`);
    assert.deepEqual(
      [at(first, 'movements', 0, 'kind'), at(second, 'movements', 0, 'kind'), second['next']],
      ['withdrawal', 'deposit', undefined],
    );
    const body = { amount: '5', network: 'sandbox', idempotencyKey: 'one', note: 'to start' };
    mustOk(await world.anyone.post(`${walletPath(agent)}/credit`, body));
    const sandbox = await movements(agent, '?network=sandbox');
    assert.deepEqual(
      [sandbox['count'], at(sandbox, 'movements', 0, 'rail'), at(sandbox, 'movements', 0, 'note')],
      [1, 'faucet', 'to start'],
    );
  });

  it('refuses an unknown network', async () => {
    const path = `${walletPath(world.alice)}/movements?network=mars`;
    mustRefuse(await world.alice.get(path), 400, 'network-unknown');
  });

  onlyTheOwner(() => world, 'GET', '/movements');
});
