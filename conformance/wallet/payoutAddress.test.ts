import assert from 'node:assert/strict';
import type { Agent, Answer } from '../harness/agents.ts';
import { accountAt } from '../harness/chain/anvil.ts';
import { openChainFixture, TREASURY, type ChainFixture } from '../harness/chain/hub.ts';
import { linked } from '../../db/tasks/links.ts';
import { parseAccount, type Account } from '../../domain/account.ts';
import type { Hex } from '../../domain/rails/evm.ts';
import type { HDAccount } from 'viem/accounts';
import { at, mustOk, mustRefuse } from '../harness/must.ts';
import type { Body } from '../tasks/_work.ts';
import { onlyTheOwner, walletPath } from './_signed.ts';

/** Code of a contract that answers every `isValidSignature` with these four bytes. */
const walletThatAnswers = (word: string): Hex => `0x6d63${word}60e01b5f5260205ff35f52600e6012f3`;

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
    assert.equal(
      mustOk(await set(agent, second, { network: 'sandbox' }))['coolingUntil'],
      undefined,
    );
    assert.equal(mustOk(await set(agent, first))['previousAddress'], undefined);
  });

  const account = (of: Agent) => parseAccount(of.account)!;
  const areLinked = (a: Account, b: Account): Promise<boolean> =>
    world.hub.running.hub.store.read((db) => linked(db, a, b));
  /** Registers a wallet of the tests with its signature over the text that the hub gave. */
  const prove = async (of: Agent, wallet: HDAccount, over: object = {}): Promise<Body> => {
    const { proofText } = mustOk(await set(of, wallet.address, over));
    const proof = await wallet.signMessage({ message: String(proofText) });
    return mustOk(await set(of, wallet.address, { ...over, proof }));
  };

  it('links no account without a proof', async () => {
    const [anna, bela] = [await world.agent(), await world.agent()];
    const shared = accountAt(6);
    assert.equal((await prove(anna, shared))['proved'], true);
    assert.equal(mustOk(await set(bela, shared.address))['proved'], false);
    assert.equal(await areLinked(account(anna), account(bela)), false);
    const seen = await prove(bela, shared, { network: 'sandbox' });
    assert.deepEqual([seen['proved'], seen['changed']], [true, false]);
    assert.equal(await areLinked(account(anna), account(bela)), true);
    const wallet = parseAccount(`evm:${shared.address.toLowerCase()}`)!;
    assert.equal(await areLinked(account(anna), wallet), true, "the wallet's own account");
    assert.equal(await areLinked(wallet, account(anna)), true);
  });

  it('refuses a proof of another wallet, for another account, or of another text', async () => {
    const [anna, bela] = [await world.agent(), await world.agent()];
    const wallet = accountAt(7);
    const { proofText } = mustOk(await set(bela, wallet.address));
    const forBela = await wallet.signMessage({ message: String(proofText) });
    const own = mustOk(await set(anna, wallet.address));
    const wrong = [
      forBela,
      await accountAt(8).signMessage({ message: String(own['proofText']) }),
      await wallet.signMessage({ message: `${String(own['proofText'])} ` }),
      `0x${'00'.repeat(65)}`,
      '0xff',
    ];
    for (const proof of wrong) {
      mustRefuse(await set(anna, wallet.address, { proof }), 400, 'address-proof');
    }
    mustRefuse(await set(anna, wallet.address, { proof: 'yes' }), 400, 'address-proof');
    assert.equal(mustOk(await set(anna, wallet.address))['proved'], false);
    assert.equal(await areLinked(account(anna), account(bela)), false);
  });

  it('asks a contract wallet, where the hub follows its chain (EIP-1271)', async () => {
    const [anna, bela] = [await world.agent(), await world.agent()];
    const [agrees, declines] = [
      await world.chain.deploy(walletThatAnswers('1626ba7e')),
      await world.chain.deploy(walletThatAnswers('ffffffff')),
    ];
    const proof = '0x01';
    mustRefuse(await set(anna, declines, { proof }), 400, 'address-proof');
    const elsewhere = { proof, network: 'sandbox' };
    mustRefuse(await set(anna, agrees, elsewhere), 400, 'address-proof');
    for (const agent of [anna, bela]) {
      assert.equal(mustOk(await set(agent, agrees, { proof }))['proved'], true);
    }
    assert.equal(await areLinked(account(anna), account(bela)), true);
  });

  const refusals: readonly (readonly [string, () => string, object, string])[] = [
    ['an unknown network', () => first, { network: 'mars' }, 'network-unknown'],
    ['a network whose money stays', () => first, { network: 'play' }, 'rail-missing'],
    [
      'a wrong checksum',
      () => first.replace(/[a-f]/, (c) => c.toUpperCase()),
      {},
      'address-invalid',
    ],
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
