import assert from 'node:assert/strict';
import { x402Facilitator } from '@x402/core/facilitator';
import type { PaymentPayload, PaymentRequirements } from '@x402/core/types';
import { toFacilitatorEvmSigner } from '@x402/evm';
import { registerExactEvmScheme } from '@x402/evm/exact/facilitator';
import { createWalletClient, http, publicActions } from 'viem';
import { closeSites, sendJson, startSite, type Site } from '../../clients/examples/agents/site.ts';
import { accountAt } from '../harness/chain/anvil.ts';
import { at, mustOk, mustRefuse } from '../harness/must.ts';
import { walletOf } from '../router/_fixture.ts';
import {
  callBody,
  newPayer,
  openPaidFixture,
  pass,
  payV1,
  payV2,
  PRICE,
  quoteFor,
  SUITE_MS_MAX,
  type PaidFixture,
} from './_fixture.ts';

const MONEY = 20_000n;
type Answering = (step: string, asked: Question) => Promise<object> | object;
interface Question {
  readonly paymentPayload: PaymentPayload;
  readonly paymentRequirements: PaymentRequirements;
}

/** A facilitator elsewhere: the official one, and ones that lie or lose their answers. */
describe('a facilitator elsewhere', function suite() {
  this.timeout(SUITE_MS_MAX);
  let world: PaidFixture;
  let site: Site;
  let official: x402Facilitator;
  let answering: Answering;
  const asIt: Answering = (step, { paymentPayload, paymentRequirements }) =>
    step === '/verify'
      ? official.verify(paymentPayload, paymentRequirements)
      : official.settle(paymentPayload, paymentRequirements);

  before(async () => {
    site = await startSite(async ({ path, body }, response) => {
      const answer = await answering(path, JSON.parse(body) as Question);
      sendJson(response, 200, answer);
    });
    world = await openPaidFixture({
      env: { HUB_X402_FACILITATOR: site.url },
      alsoCalls: [site.pair],
    });
    const client = createWalletClient({
      account: accountAt(7),
      chain: world.chain.client.chain,
      transport: http(world.chain.url),
    }).extend(publicActions);
    const signer = toFacilitatorEvmSigner({ ...client, address: client.account.address } as never);
    official = registerExactEvmScheme(new x402Facilitator(), { signer, networks: 'eip155:8453' });
  });
  after(async () => {
    await world.close();
    await closeSites();
  });
  beforeEach(() => {
    answering = asIt;
  });

  for (const [version, pay] of [
    ['1', payV1],
    ['2', payV2],
  ] as const) {
    it(`settles a payment of version ${version}, when it is the official one`, async () => {
      const { agent, wallet, call } = await newPayer(world, MONEY);
      const body = callBody(world, agent);
      const answer = await call(body, await pay(world, wallet, await quoteFor(agent, body)));
      assert.equal(at(mustOk(answer), 'receipt', 'outcome'), 'served');
      assert.equal(await world.chain.balanceOf(wallet.address), MONEY - BigInt(PRICE));
    });
  }

  it('is quoted when it refuses, and nothing is settled', async () => {
    const { agent, wallet, call } = await newPayer(world, 1n);
    const body = callBody(world, agent);
    const answer = await call(body, await payV2(world, wallet, await quoteFor(agent, body)));
    const { error } = mustRefuse(answer, 402, 'payment-refused');
    assert.match(String(error), /^invalid_exact_evm_|^insufficient_funds/);
    assert.equal((await walletOf(agent))['balance'], '0');
  });

  it('credits nothing by its word alone', async () => {
    answering = (step) =>
      step === '/verify'
        ? { isValid: true }
        : { success: true, transaction: `0x${'1'.repeat(64)}`, network: 'base', payer: 'x' };
    const { agent, wallet, call } = await newPayer(world, MONEY);
    const body = callBody(world, agent);
    const header = await payV1(world, wallet, await quoteFor(agent, body));
    mustRefuse(await call(body, header), 402, 'payment-refused');
    assert.equal((await walletOf(agent))['balance'], '0');
    assert.deepEqual(await states(wallet.address), ['settling']);
    await pass(world, 180);
    await world.chain.mine(5);
    await world.hub.runJob('x402Resolve');
    assert.deepEqual(await states(wallet.address), ['refused'], 'no authorization, no money');
    assert.equal((await walletOf(agent))['balance'], '0');
  });

  it('ends as the chain shows when it lost its answer, or denies what it did', async () => {
    for (const lies of [{ success: false, errorReason: 'unexpected_settle_error' }, {}]) {
      const { agent, wallet, call } = await newPayer(world, MONEY);
      answering = async (step, asked) => {
        if (step === '/verify') return asIt(step, asked);
        await asIt(step, asked);
        return lies;
      };
      const body = callBody(world, agent);
      const header = await payV2(world, wallet, await quoteFor(agent, body));
      assert.equal(at(mustOk(await call(body, header)), 'receipt', 'outcome'), 'served');
      assert.equal(await world.chain.balanceOf(wallet.address), MONEY - BigInt(PRICE));
      assert.deepEqual(await states(wallet.address), ['settled']);
    }
  });

  it('is found out by the job when it settles after it denied', async () => {
    const { agent, wallet, call } = await newPayer(world, MONEY);
    let later: Question | undefined;
    answering = (step, asked) => {
      if (step === '/verify') return asIt(step, asked);
      later = asked;
      return { success: false, errorReason: 'unexpected_settle_error' };
    };
    const body = callBody(world, agent);
    const header = await payV2(world, wallet, await quoteFor(agent, body));
    mustRefuse(await call(body, header), 402, 'payment-refused');
    assert.ok(later !== undefined);
    await asIt('/settle', later);
    await pass(world, 60);
    await world.hub.runJob('x402Resolve');
    await world.hub.runJob('x402Resolve');
    assert.equal((await walletOf(agent))['balance'], PRICE, 'the money is credited, once');
    assert.equal(at(mustOk(await call(body, header)), 'receipt', 'outcome'), 'served');
    assert.equal((await walletOf(agent))['balance'], '0');
  });

  const refusals: Readonly<Record<string, () => object>> = {
    'says that it is invalid': () => ({ isValid: false, invalidReason: 'invalid_payload' }),
    'answers without a verdict': () => ({ hello: 'world' }),
    'claims that the wallet is empty': () => ({
      isValid: false,
      invalidReason: 'insufficient_funds',
    }),
  };
  for (const [what, verdict] of Object.entries(refusals)) {
    it(`credits the payment that it settles after /verify ${what}`, async () => {
      const { agent, wallet, call } = await newPayer(world, MONEY);
      let seen: Question | undefined;
      answering = (_, asked) => {
        seen = asked;
        return verdict();
      };
      const body = callBody(world, agent);
      const header = await payV2(world, wallet, await quoteFor(agent, body));
      const { hint } = mustRefuse(await call(body, header), 402, 'payment-refused');
      assert.match(String(hint), new RegExp(`that is credited to ${agent.account}`));
      assert.deepEqual(await states(wallet.address), ['reserved'], 'it is watched');
      assert.ok(seen !== undefined);
      await asIt('/settle', seen);
      await pass(world, 46);
      for (let run = 0; run < 2; run += 1) await world.hub.runJob('x402Resolve');
      assert.equal((await walletOf(agent))['balance'], PRICE, 'the money is credited, once');
      assert.deepEqual(await states(wallet.address), ['settled']);
      answering = asIt;
      assert.equal(at(mustOk(await call(body, header)), 'receipt', 'outcome'), 'served');
      assert.equal(await world.chain.balanceOf(wallet.address), MONEY - BigInt(PRICE));
    });
  }

  it('is not asked again for a payment that it refused, which ends with its authorization', async () => {
    const { agent, wallet, call } = await newPayer(world, MONEY);
    let asked = 0;
    answering = () => {
      asked += 1;
      return { isValid: false, invalidReason: 'invalid_payload' };
    };
    const body = callBody(world, agent);
    const header = await payV2(world, wallet, await quoteFor(agent, body));
    for (let time = 0; time < 2; time += 1) {
      mustRefuse(await call(body, header), 402, 'payment-refused');
    }
    assert.equal(asked, 1);
    for (const seconds of [50, 100, 200]) {
      await pass(world, seconds);
      await world.hub.runJob('x402Resolve');
    }
    assert.deepEqual(await states(wallet.address), ['reserved'], 'no final block is past its end');
    await world.chain.mine(5);
    await pass(world, 2_000);
    await world.hub.runJob('x402Resolve');
    assert.deepEqual(await faults(wallet.address), ['invalid_payload']);
    assert.equal(await world.chain.balanceOf(wallet.address), MONEY);
  });

  async function states(wallet: string): Promise<readonly string[]> {
    const rows = await world.hub.running.hub.store.read((db) =>
      db.knex('x402_payments').where({ payer: wallet.toLowerCase() }),
    );
    return rows.map(({ state }) => String(state));
  }

  async function faults(wallet: string): Promise<readonly string[]> {
    const rows = await world.hub.running.hub.store.read((db) =>
      db.knex('x402_payments').where({ payer: wallet.toLowerCase() }),
    );
    return rows.map(({ fault }) => String(fault));
  }
});
