import assert from 'node:assert/strict';
import { newAgent, type Agent } from '../harness/agents.ts';
import { CHAIN_ID } from '../harness/chain/anvil.ts';
import { depositKeyOf, openChainFixture, type ChainFixture } from '../harness/chain/hub.ts';
import { openFixture } from '../harness/fixture.ts';
import { at, mustOk, mustRefuse } from '../harness/must.ts';
import { onlyTheOwner, walletPath } from './_signed.ts';

describe('wallet.depositAddress', () => {
  let world: ChainFixture;
  before(async () => {
    world = await openChainFixture();
  });
  after(() => world.close());

  const ask = async (of: Agent, body: object = {}): Promise<Record<string, unknown>> =>
    mustOk(await of.post(`${walletPath(of)}/deposit-address`, body));

  it('is the same for ever, one for each account, under keys that are elsewhere', async () => {
    const first = await ask(world.alice);
    assert.deepEqual(first, {
      owner: world.alice.account,
      network: 'base',
      asset: 'USDC',
      address: depositKeyOf(world.alice.account).address,
      missing: [],
      chainId: CHAIN_ID,
      tokenContract: first['tokenContract'],
      confirmations: world.confirmations,
    });
    assert.equal(String(first['tokenContract']).toLowerCase(), world.chain.token.toLowerCase());
    assert.deepEqual(await ask(world.alice, { network: 'base' }), first);
    assert.equal((await ask(world.bob))['address'], depositKeyOf(world.bob.account).address);
  });

  it('gives each of many that ask at once one of its own', async () => {
    const agents = await Promise.all(Array.from({ length: 8 }, () => newAgent(world.hub)));
    const twice = await Promise.all([...agents, ...agents].map((each) => ask(each)));
    const addresses = twice.map((each) => each['address']);
    assert.equal(new Set(addresses).size, agents.length);
    assert.deepEqual(addresses.slice(0, 8), addresses.slice(8));
  });

  it('is made by this call alone: a wallet that is read names the call', async () => {
    const agent = await world.agent();
    const read = mustOk(await agent.get(walletPath(agent)));
    assert.equal(at(read, 'depositAddress', 'address'), null);
    assert.match(String(at(read, 'depositAddress', 'missing', 0)), /deposit-address makes one/);
    await ask(agent);
    const after = mustOk(await agent.get(walletPath(agent)));
    assert.match(String(at(after, 'depositAddress', 'address')), /^0x/);
  });

  it('says what custody lacks', async () => {
    const sandbox = await ask(world.alice, { network: 'sandbox' });
    assert.deepEqual([sandbox['address'], sandbox['chainId']], [null, undefined]);
    assert.match(String(at(sandbox, 'missing', 0)), /sandbox has no chain/);
    const bare = await openFixture({ env: { HUB_NETWORK: 'base' } });
    const lacking = await ask(bare.alice);
    assert.equal(lacking['address'], null);
    assert.match(JSON.stringify(lacking['missing']), /HUB_CHAIN_RPC.*HUB_DEPOSIT_XPUB/);
    await bare.close();
    const keyless = await openChainFixture({ without: ['HUB_DEPOSIT_XPUB'] });
    const without = await ask(keyless.alice);
    assert.deepEqual([without['address'], without['chainId']], [null, CHAIN_ID]);
    assert.match(JSON.stringify(without['missing']), /HUB_DEPOSIT_XPUB/);
    await keyless.close();
  });

  it('refuses an unknown network', async () => {
    const path = `${walletPath(world.alice)}/deposit-address`;
    mustRefuse(await world.alice.post(path, { network: 'mars' }), 400, 'network-unknown');
  });

  onlyTheOwner(
    () => world,
    'POST',
    '/deposit-address',
    () => ({}),
  );
});
