import assert from 'node:assert/strict';
import type { Agent, Answer } from '../harness/agents.ts';
import { accountAt } from '../harness/chain/anvil.ts';
import { openChainFixture, TREASURY, type ChainFixture } from '../harness/chain/hub.ts';
import { linked } from '../../db/tasks/links.ts';
import { parseAccount } from '../../domain/account.ts';
import { evmAddress } from '../../domain/rails/evm.ts';
import { payerOf } from '../../workflows/rails/payoutAddress.ts';
import { at, mustOk, mustRefuse } from '../harness/must.ts';
import { onlyTheOwner, walletPath } from './_signed.ts';

describe('wallet.payoutAddress', () => {
  let world: ChainFixture;
  before(async () => {
    world = await openChainFixture();
  });
  after(() => world.close());

  const [first, second] = [accountAt(3).address, accountAt(4).address];
  const set = (of: Agent, address: string, over: object = {}): Promise<Answer> =>
    of.post(`${walletPath(of)}/payout-address`, { address, ...over });

  it('registers, changes and keeps, and only a change makes withdrawals wait', async () => {
    const agent = await world.agent();
    const registered = mustOk(await set(agent, first.toLowerCase()));
    assert.deepEqual(
      [registered['address'], registered['changed'], registered['coolingUntil']],
      [first, true, undefined],
    );
    assert.equal(mustOk(await set(agent, first))['changed'], false);
    const changed = mustOk(await set(agent, second));
    assert.deepEqual(
      [changed['address'], changed['previousAddress'], changed['changed']],
      [second, first, true],
    );
    const until = String(changed['coolingUntil']);
    assert.equal(Date.parse(until) - world.hub.clock.now(), 86_400_000);
    const same = mustOk(await set(agent, second));
    assert.deepEqual([same['changed'], same['coolingUntil']], [false, until]);
    const read = mustOk(await agent.get(walletPath(agent)));
    assert.deepEqual(
      [at(read, 'withdrawalTerms', 'address'), at(read, 'withdrawalTerms', 'coolingUntil')],
      [second, until],
    );
  });

  it('is each network its own, and waits nowhere but where money is real', async () => {
    const agent = await world.agent();
    mustOk(await set(agent, first, { network: 'sandbox' }));
    assert.equal(mustOk(await set(agent, second, { network: 'sandbox' }))['coolingUntil'], undefined);
    assert.equal(mustOk(await set(agent, first))['previousAddress'], undefined);
  });

  it('links accounts that share one, and says whose wallet signed a payment', async () => {
    const [anna, bela] = [await world.agent(), await world.agent()];
    const account = (of: Agent) => parseAccount(of.account)!;
    const areLinked = (): Promise<boolean> =>
      world.hub.running.hub.store.read((db) => linked(db, account(anna), account(bela)));
    const shared = accountAt(6).address;
    mustOk(await set(anna, shared));
    assert.equal(await areLinked(), false);
    const payer = (address: string) =>
      world.hub.running.hub.store.read((db) =>
        payerOf(db, account(anna), 'base', evmAddress(address)),
      );
    assert.deepEqual([await payer(shared), await payer(first)], ['payout-address', 'other-address']);
    mustOk(await set(bela, shared, { network: 'sandbox' }));
    assert.equal(await areLinked(), true);
  });

  const refusals: readonly (readonly [string, () => string, object, string])[] = [
    ['an unknown network', () => first, { network: 'mars' }, 'network-unknown'],
    ['a network whose money stays', () => first, { network: 'play' }, 'rail-missing'],
    ['a wrong checksum', () => first.replace(/[a-f]/, (c) => c.toUpperCase()), {}, 'address-invalid'],
    ['the zero address', () => `0x${'0'.repeat(40)}`, {}, 'address-invalid'],
    ['the token itself', () => world.chain.token, {}, 'address-invalid'],
    ["the hub's hot wallet", () => TREASURY.address, {}, 'address-invalid'],
    ['what is no address', () => 'vitalik.eth', {}, 'address-invalid'],
  ];
  for (const [what, address, over, code] of refusals) {
    it(`refuses ${what}: ${code}`, async () => {
      mustRefuse(await set(world.bob, address(), over), 400, code);
    });
  }

  onlyTheOwner(
    () => world,
    'POST',
    '/payout-address',
    () => ({ address: first }),
  );
});
