import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { balance } from '../../db/ledger/balances.ts';
import { parseAccount } from '../../domain/account.ts';
import { atomic } from '../../domain/money.ts';
import type { Caller } from '../../workflows/kernel/call.ts';
import { HubError } from '../../workflows/kernel/errors.ts';
import { acceptPayment, type AcceptedPayment } from '../../workflows/x402/accept.ts';
import { paymentRequired, type Price } from '../../workflows/x402/require.ts';
import { railOf } from '../../workflows/x402/rail.ts';
import { at, mustOk } from '../harness/must.ts';
import { decide, hubctl } from '../operator/_operator.ts';
import { walletOf } from '../router/_fixture.ts';
import {
  callBody,
  freshWallet,
  newPayer,
  openPaidFixture,
  pass,
  payV2,
  PRICE,
  quoteFor,
  sendAuthorization,
  SUITE_MS_MAX,
  type PaidFixture,
  type Quote,
} from './_fixture.ts';

const PRICE_OF_CHAT: Price = {
  network: 'base',
  amount: atomic(4_000n),
  path: '/api/v1/models/chat',
  description: 'an answer of a model',
};
const VISITOR: Caller = { kind: 'visitor', ip: '192.0.2.1' };

/** Callers without a key: the account of the paying wallet (interface, Models rule 5). */
describe('the account of a paying wallet', function suite() {
  this.timeout(SUITE_MS_MAX);
  let world: PaidFixture;
  before(async () => {
    world = await openPaidFixture();
  });
  after(() => world.close());

  async function quote(): Promise<Quote> {
    const { hub } = world.hub.running;
    const rail = await railOf(hub, 'base');
    try {
      return paymentRequired(hub, PRICE_OF_CHAT, rail);
    } catch (thrown) {
      assert.ok(thrown instanceof HubError && thrown.code === 'payment-required');
      const { 'payment-required': header = '' } = thrown.headers;
      const { accepts } = JSON.parse(Buffer.from(header, 'base64').toString()) as {
        accepts: [Record<string, unknown>];
      };
      return { v1: { ...thrown.detail.accepts?.[0] }, v2: accepts[0] };
    }
  }

  async function pay(
    header: Readonly<Record<string, string>>,
    wireBody: unknown = { idempotencyKey: randomUUID() },
    caller = VISITOR,
  ): Promise<AcceptedPayment | undefined> {
    const { hub } = world.hub.running;
    const call = { operation: 'models.chat', caller, header, request: { wireBody } };
    const holding = { needs: [], decide: () => true };
    return acceptPayment(hub, call, PRICE_OF_CHAT, (_, undone) =>
      hub.store.decide(undone(holding)),
    );
  }

  async function spendable(name: string): Promise<bigint> {
    const account = parseAccount(name);
    assert.ok(account !== undefined);
    const place = { network: 'base', asset: 'USDC' } as const;
    const { store } = world.hub.running.hub;
    return (await store.read((db) => balance(db, account, place))).spendable;
  }

  it('is made by its first payment, and pays before the next is settled', async () => {
    const wallet = freshWallet();
    await world.chain.mint(wallet.address, 50_000n);
    const name = `evm:${wallet.address.toLowerCase()}`;
    for (const isSettled of [true, false]) {
      const accepted = await pay(await payV2(world, wallet, await quote()));
      assert.equal(accepted?.account, name);
      assert.equal('payment-response' in accepted.headers, isSettled);
      assert.equal(await spendable(name), 4_000n);
      assert.equal(await world.chain.balanceOf(wallet.address), 46_000n);
    }
  });

  it('pays for nothing while the operator bans it, and keeps its money', async () => {
    const wallet = freshWallet();
    await world.chain.mint(wallet.address, 50_000n);
    const name = `evm:${wallet.address.toLowerCase()}`;
    await pay(await payV2(world, wallet, await quote()));
    const ban = await decide([world], 'ban', `evm:${wallet.address}`, 'Abuse.');
    for (const times of [1, 2]) {
      const payment = await payV2(world, wallet, await quote());
      await assert.rejects(pay(payment), (thrown: unknown) => {
        assert.ok(thrown instanceof HubError && thrown.code === 'payment-refused', `${times}`);
        return String(thrown.detail.error).includes(ban);
      });
    }
    assert.equal(await spendable(name), 4_000n);
    assert.equal(await world.chain.balanceOf(wallet.address), 46_000n);
    await hubctl([world], 'lift', ban, 'It was another.');
    assert.equal((await pay(await payV2(world, wallet, await quote())))?.account, name);
  });

  it('is credited for a refused payment that its owner sends to the token all the same', async () => {
    const wallet = freshWallet();
    const name = `evm:${wallet.address.toLowerCase()}`;
    const header = await payV2(world, wallet, await quote());
    await assert.rejects(pay(header), /insufficient_funds/);
    await world.chain.mint(wallet.address, 50_000n);
    await sendAuthorization(world, header);
    assert.equal(await spendable(name), 0n);
    await pass(world, 46);
    for (let run = 0; run < 2; run += 1) await world.hub.runJob('x402Resolve');
    assert.equal(await spendable(name), 4_000n, 'credited once');
    await assert.rejects(pay(header), /nonce_already_used/);
  });

  it('is credited once for a payment that comes again with the same request', async () => {
    const wallet = freshWallet();
    await world.chain.mint(wallet.address, 50_000n);
    const name = `evm:${wallet.address.toLowerCase()}`;
    const header = await payV2(world, wallet, await quote());
    const body = { idempotencyKey: 'one', model: 'm' };
    assert.equal((await pay(header, body))?.account, name);
    assert.equal((await pay(header, body))?.account, name, 'it goes on with what it paid');
    for (const other of [{ ...body, model: 'n' }, { model: 'm' }]) {
      await assert.rejects(pay(header, other), /nonce_already_used/);
    }
    const thief = { kind: 'visitor', ip: '198.51.100.1' } as const;
    await assert.rejects(pay(header, { ...body, idempotencyKey: 'two' }, thief), /already_used/);
    assert.equal(await spendable(name), 4_000n);
  });

  it('gives a visitor nothing of an account that a key signs for', async () => {
    const { agent, wallet, call } = await newPayer(world, 50_000n);
    const body = callBody(world, agent);
    const header = await payV2(world, wallet, await quoteFor(agent, body));
    mustOk(await call(body, header));
    await assert.rejects(pay(header, body), /nonce_already_used/);
  });

  it('goes along into the account that proved the wallet and is paid by it', async () => {
    const wallet = freshWallet();
    await world.chain.mint(wallet.address, 50_000n);
    const name = `evm:${wallet.address.toLowerCase()}`;
    const { agent, call } = await newPayer(world, 0n, wallet);
    const path = `/api/v1/wallet/${agent.account}/payout-address`;
    const asks = { address: wallet.address, network: 'base' };
    const { proofText } = mustOk(await agent.post(path, asks));
    const proof = await wallet.signMessage({ message: String(proofText) });
    assert.equal(mustOk(await agent.post(path, { ...asks, proof }))['swept'], '0');
    await pay(await payV2(world, wallet, await quote()));
    assert.equal((await walletOf(agent))['balance'], '0', 'it was proved before it had money');
    const body = callBody(world, agent);
    const answer = mustOk(
      await call(body, await payV2(world, wallet, await quoteFor(agent, body))),
    );
    assert.equal(at(answer, 'receipt', 'cost'), PRICE);
    assert.equal(await spendable(name), 0n);
    assert.equal((await walletOf(agent))['balance'], '4000');
    const entries = mustOk(await agent.get(`/api/v1/wallet/${agent.account}/statement`));
    const reasons = (entries['entries'] as { reason: string }[]).map(({ reason }) => reason);
    assert.ok(reasons.includes('x402.topup') && reasons.includes('sweep.evm'));
  });

  it('appears in the movements of a key’s account as a deposit over x402', async () => {
    const { agent, wallet, call } = await newPayer(world, 50_000n);
    const body = callBody(world, agent);
    mustOk(await call(body, await payV2(world, wallet, await quoteFor(agent, body))));
    const moved = mustOk(await agent.get(`/api/v1/wallet/${agent.account}/movements`));
    const [first] = moved['movements'] as Record<string, unknown>[];
    assert.deepEqual(
      [first?.['rail'], first?.['kind'], first?.['amount']],
      ['x402', 'deposit', PRICE],
    );
  });
});
