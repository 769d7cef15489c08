import assert from 'node:assert/strict';
import { wrapFetchWithPayment, x402Client } from '@x402/fetch';
import { registerExactEvmScheme } from '@x402/evm/exact/client';
import type { HDAccount } from 'viem/accounts';
import { DATABASES } from '../harness/databases.ts';
import { balance } from '../../db/ledger/balances.ts';
import { parseAccount } from '../../domain/account.ts';
import { atomic } from '../../domain/money.ts';
import { acceptPayment } from '../../workflows/x402/accept.ts';
import { plain, type Answer } from '../harness/agents.ts';
import { at, mustOk, mustRefuse } from '../harness/must.ts';
import { CHAT, HELLO } from '../models/_desk.ts';
import { answerOf, localProvider, startUpstream, upstreamFile } from '../models/_upstream.ts';
import type { Upstream, UpstreamFile } from '../models/_upstream.ts';
import { walletOf } from '../router/_fixture.ts';
import {
  freshWallet,
  newPayer,
  openPaidFixture,
  pass,
  payV1,
  payV2,
  quoteIn,
  receiptsIn,
  sendAuthorization,
  SUITE_MS_MAX,
  type Authorization,
  type PaidFixture,
  type Quote,
} from './_fixture.ts';

const MONEY = 50_000n;
/** 11 tokens of prompt at 2 units, and 200 of answer at 10; and what the answer costs. */
const [WORST, CHARGED] = [2_022n, 70n];
const PAID = 10_000n;
const LEFT = PAID - CHARGED;

type Header = Readonly<Record<string, string>>;
type Json = Record<string, unknown>;

let requests = 0;
function asked(): Json {
  requests += 1;
  const chat = { model: 'acme/small', messages: HELLO, max_tokens: 200 };
  return { ...chat, idempotencyKey: `left-${requests}` };
}

for (const [database, open] of DATABASES) {
  describe(`what a wallet without a key has left (${database})`, function suite() {
    this.timeout(SUITE_MS_MAX);
    let world: PaidFixture;
    let upstream: Upstream;
    let file: UpstreamFile;
    let quote: Quote;
    before(async () => {
      upstream = await startUpstream(answerOf(3, 20));
      file = upstreamFile([localProvider(upstream, { backend: 'upstream' })], [upstream]);
      const { HUB_MODEL_UPSTREAMS = '' } = file.env;
      world = await openPaidFixture({
        databaseUrl: await open(),
        alsoCalls: [upstream.pair],
        env: { HUB_MODEL_UPSTREAMS },
      });
      quote = quoteIn(await send(asked()), 'payment-required');
    });
    after(async () => {
      await world.close();
      await upstream.close();
      file.remove();
    });

    function send(body: Json, header: Header = {}): Promise<Answer> {
      const request = plain(world.hub, 'POST', CHAT, body);
      for (const [name, value] of Object.entries(header)) request.headers.set(name, value);
      return world.anyone.send(request);
    }

    const payment = (wallet: HDAccount, signed: Partial<Authorization> = {}): Promise<Header> =>
      payV2(world, wallet, quote, { signed });

    async function spendable(wallet: HDAccount): Promise<bigint> {
      const account = parseAccount(`evm:${wallet.address.toLowerCase()}`);
      assert.ok(account !== undefined);
      const place = { network: 'base', asset: 'USDC' } as const;
      const { store } = world.hub.running.hub;
      return (await store.read((db) => balance(db, account, place))).spendable;
    }

    async function rowsOf(wallet: HDAccount): Promise<readonly Json[]> {
      return world.hub.running.hub.store.read((db) =>
        db.knex('x402_payments').where({ payer: wallet.address.toLowerCase() }).orderBy('at'),
      );
    }

    async function withRest(paid = PAID): Promise<HDAccount> {
      const wallet = freshWallet();
      await world.chain.mint(wallet.address, MONEY);
      const first = await send(asked(), await payment(wallet, { value: paid }));
      mustOk(first);
      assert.equal(receiptsIn(first)[0]['success'], true);
      assert.equal(first.headers.get('x-payment-balance'), `${paid - CHARGED}`);
      assert.equal(await world.chain.balanceOf(wallet.address), MONEY - paid);
      return wallet;
    }

    /** Nothing more than its first payment has left the wallet. */
    async function mustBeUnsettled(wallet: HDAccount, paid = PAID): Promise<void> {
      assert.equal(await world.chain.balanceOf(wallet.address), MONEY - paid);
    }

    for (const [version, pay] of [
      ['1', payV1],
      ['2', payV2],
    ] as const) {
      it(`pays the next calls, and no payment of version ${version} is settled`, async () => {
        const wallet = await withRest();
        for (const left of [LEFT - CHARGED, LEFT - 2n * CHARGED]) {
          const answer = await send(asked(), await pay(world, wallet, quote));
          assert.equal(at(mustOk(answer), 'receipt', 'charged'), `${CHARGED}`);
          assert.equal(answer.headers.get('x-payment-balance'), `${left}`);
          assert.equal(answer.headers.get('payment-response'), null, 'there is no transaction');
          assert.equal(await spendable(wallet), left);
        }
        await mustBeUnsettled(wallet);
      });
    }

    it('is not touched by a call that it does not cover; then the payment settles', async () => {
      const wallet = await withRest(WORST);
      const answer = await send(asked(), await payment(wallet));
      assert.equal(receiptsIn(answer)[1]['amount'], `${WORST}`);
      assert.equal(await world.chain.balanceOf(wallet.address), MONEY - 2n * WORST);
      assert.equal(await spendable(wallet), 2n * WORST - 2n * CHARGED);
    });

    it('is used by a client of x402 as it is published', async () => {
      const wallet = await withRest();
      const spendControls = { allowedAssets: true } as const;
      const plainClient = x402Client.fromConfig({ schemes: [], spendControls });
      const client = registerExactEvmScheme(plainClient, { signer: wallet });
      const headers = { 'content-type': 'application/json' };
      const init = { method: 'POST', headers, body: JSON.stringify(asked()) };
      const answer = await wrapFetchWithPayment(fetch, client)(new URL(CHAT, world.hub.url), init);
      assert.equal(answer.status, 200, await answer.text());
      await mustBeUnsettled(wallet);
    });

    it('gives no more for a signature than the wallet signed for', async () => {
      const wallet = await withRest();
      for (const value of [1n, 1_000n, WORST - 1n]) {
        const answer = await send(asked(), await payment(wallet, { value }));
        const { error } = mustRefuse(answer, 402, 'payment-refused');
        assert.match(String(error), /^invalid_exact_evm_payload_authorization_value: /);
      }
      assert.equal(await spendable(wallet), LEFT);
      assert.equal((await rowsOf(wallet)).length, 1, 'no nonce is kept');
    });

    it('gives nothing to a signature of another wallet', async () => {
      const [wallet, thief] = [await withRest(), freshWallet()];
      const forged = await payV2(world, wallet, quote, { by: thief });
      const { error } = mustRefuse(await send(asked(), forged), 402, 'payment-refused');
      assert.match(String(error), /^invalid_exact_evm_payload_signature: /);
      const own = mustRefuse(await send(asked(), await payment(thief)), 402, 'payment-refused');
      assert.match(String(own['error']), /^insufficient_funds/, 'its own money is asked for');
      assert.equal(await spendable(wallet), LEFT);
    });

    it('is spent once for one signature, in whatever call it comes', async () => {
      const wallet = await withRest();
      const [body, header] = [asked(), await payment(wallet)];
      const first = mustOk(await send(body, header));
      const second = mustOk(await send(body, header));
      assert.deepEqual([second['repeated'], second['id']], [true, first['id']]);
      for (const other of [asked(), { ...asked(), idempotencyKey: undefined }]) {
        const { error } = mustRefuse(await send(other, header), 402, 'payment-refused');
        assert.match(String(error), /^invalid_exact_evm_nonce_already_used: /);
      }
      assert.equal(await spendable(wallet), LEFT - CHARGED);
      await mustBeUnsettled(wallet);
    });

    it('pays one of twenty calls that bring one signature at once', async () => {
      const [wallet, before] = [await withRest(), upstream.asked.length];
      const header = await payment(wallet);
      const answers = await Promise.all(Array.from({ length: 20 }, () => send(asked(), header)));
      const refused = answers.filter(({ status }) => status !== 200);
      assert.equal(refused.length, 19);
      for (const answer of refused) mustRefuse(answer, 402, 'payment-refused');
      assert.equal(upstream.asked.length, before + 1);
      assert.equal(await spendable(wallet), LEFT - CHARGED);
      await mustBeUnsettled(wallet);
    });

    it('never goes below nothing when many calls use it at once', async () => {
      // Enough to hold the most that one call may cost, and not of two.
      const paid = WORST + 2n * CHARGED;
      const wallet = await withRest(paid);
      const payments = await Promise.all(Array.from({ length: 8 }, () => payment(wallet)));
      const answers = await Promise.all(payments.map((header) => send(asked(), header)));
      const served = answers.filter(({ status }) => status === 200);
      assert.ok(served.length > 0);
      let settled = 0n;
      for (const answer of answers) {
        if (answer.headers.get('payment-response') !== null) settled += WORST;
        if (answer.status !== 200) mustRefuse(answer, 402, 'payment-required');
      }
      const spent = CHARGED * BigInt(1 + served.length);
      assert.equal(await spendable(wallet), paid + settled - spent);
      assert.equal(await world.chain.balanceOf(wallet.address), MONEY - paid - settled);
    });

    it('pays the same call after a stop between the signature and the call', async () => {
      const wallet = await withRest();
      const [body, header] = [asked(), await payment(wallet)];
      const { hub } = world.hub.running;
      const caller = { kind: 'visitor', ip: '192.0.2.1' } as const;
      const call = { operation: 'models.chat', caller, header, request: { wireBody: body } };
      const price = {
        network: 'base',
        amount: atomic(WORST),
        path: CHAT,
        description: '',
      } as const;
      const holding = { needs: [], decide: () => true };
      await acceptPayment(hub, call, price, async (_, undone) => hub.store.decide(undone(holding)));
      assert.equal(await spendable(wallet), LEFT, 'nothing has run');
      mustRefuse(await send(asked(), header), 402, 'payment-refused');
      await pass(world, 90);
      await world.hub.runJob('x402Resolve');
      assert.equal(mustOk(await send(body, header))['repeated'], false);
      assert.equal(await spendable(wallet), LEFT - CHARGED);
      await mustBeUnsettled(wallet);
    });

    it('grows by a payment that was not needed and that a third party settles', async () => {
      const wallet = await withRest();
      const [body, header] = [asked(), await payment(wallet)];
      mustOk(await send(body, header));
      await sendAuthorization(world, header);
      await pass(world, 4_000);
      await world.chain.mine(5);
      for (let run = 0; run < 2; run += 1) await world.hub.runJob('x402Resolve');
      assert.deepEqual(
        (await rowsOf(wallet)).map(({ state }) => state),
        ['settled', 'settled'],
      );
      assert.equal(await spendable(wallet), LEFT - CHARGED + WORST, 'credited, once');
      assert.equal(mustOk(await send(body, header))['repeated'], true);
      mustRefuse(await send(asked(), header), 402, 'payment-refused');
    });

    it('is no longer reached by a payment that lapsed', async () => {
      const wallet = await withRest();
      const header = await payment(wallet);
      mustOk(await send(asked(), header));
      await pass(world, 4_000);
      await world.chain.mine(5);
      await world.hub.runJob('x402Resolve');
      assert.deepEqual(
        (await rowsOf(wallet)).map(({ fault }) => fault),
        [null, 'payment_expired'],
      );
      mustRefuse(await send(asked(), header), 402, 'payment-refused');
      await pass(world, 100_000);
      await world.hub.runJob('x402Forget');
      assert.equal((await rowsOf(wallet)).length, 1);
      const { error } = mustRefuse(await send(asked(), header), 402, 'payment-refused');
      assert.match(String(error), /valid_before: /);
      assert.equal(await spendable(wallet), LEFT - CHARGED);
    });

    it('moves into the account of a key that proves the wallet, and not without', async () => {
      const wallet = await withRest();
      const { agent, call } = await newPayer(world, 0n, wallet);
      const body = { caller: agent.account, agentId: world.agentId, operation: 'convert' };
      const paid = { ...body, maxPrice: '5000', idempotencyKey: `of-${agent.account.slice(-8)}` };
      const due = quoteIn(await agent.post('/api/v1/call', paid), 'payment-required');
      mustOk(await call(paid, await payV2(world, wallet, due)));
      assert.equal(await spendable(wallet), LEFT, 'a payment of the wallet proves nothing');
      const path = `/api/v1/wallet/${agent.account}/payout-address`;
      const asks = { address: wallet.address, network: 'base' };
      const { proofText, swept } = mustOk(await agent.post(path, asks));
      assert.equal(swept, undefined);
      const proof = await wallet.signMessage({ message: String(proofText) });
      for (const moved of [LEFT, 0n]) {
        assert.equal(mustOk(await agent.post(path, { ...asks, proof }))['swept'], `${moved}`);
        assert.deepEqual(
          [await spendable(wallet), (await walletOf(agent))['spendable']],
          [0n, `${LEFT}`],
        );
      }
    });
  });
}
