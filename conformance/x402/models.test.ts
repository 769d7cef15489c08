import assert from 'node:assert/strict';
import { wrapFetchWithPayment, x402Client } from '@x402/fetch';
import { registerExactEvmScheme } from '@x402/evm/exact/client';
import { balance } from '../../db/ledger/balances.ts';
import { parseAccount } from '../../domain/account.ts';
import { generateKey, signRequest, signer } from '../../clients/typescript/sign.ts';
import { agentWith, exchange, plain, type Answer } from '../harness/agents.ts';
import { at, mustOk, mustRefuse } from '../harness/must.ts';
import { CHAT, eventsIn, HELLO, mustAddUp } from '../models/_desk.ts';
import { answerOf, localProvider, startUpstream, upstreamFile } from '../models/_upstream.ts';
import type { Upstream, UpstreamFile } from '../models/_upstream.ts';
import {
  freshWallet,
  openPaidFixture,
  payV1,
  payV2,
  quoteIn,
  receiptsIn,
  registerPayout,
  SUITE_MS_MAX,
  type PaidFixture,
} from './_fixture.ts';

/** 11 tokens of prompt at 2 units, and 200 of answer at 10. */
const WORST = '2022';
/** 20 tokens of prompt, as the provider counts, and 3 of answer. */
const CHARGED = 70n;

type Json = Record<string, unknown>;
const asked = (more: Json = {}): Json => ({
  model: 'acme/small',
  messages: HELLO,
  max_tokens: 200,
  ...more,
});

/** Models for callers without a key (interface, Models rule 5), and for signers who are short. */
describe('an answer of a model that is paid over x402', function suite() {
  this.timeout(SUITE_MS_MAX);
  let world: PaidFixture;
  let upstream: Upstream;
  let file: UpstreamFile;
  before(async () => {
    upstream = await startUpstream(answerOf(3, 20));
    const provider = localProvider(upstream, { backend: 'upstream' });
    file = upstreamFile([provider], [upstream]);
    const { HUB_MODEL_UPSTREAMS = '' } = file.env;
    world = await openPaidFixture({ alsoCalls: [upstream.pair], env: { HUB_MODEL_UPSTREAMS } });
  });
  after(async () => {
    await world.close();
    await upstream.close();
    file.remove();
  });

  async function funded(dollars = 50_000n): Promise<ReturnType<typeof freshWallet>> {
    const wallet = freshWallet();
    await world.chain.mint(wallet.address, dollars);
    return wallet;
  }

  function send(body: Json, header: Readonly<Record<string, string>> = {}): Promise<Answer> {
    const request = plain(world.hub, 'POST', CHAT, body);
    for (const [name, value] of Object.entries(header)) request.headers.set(name, value);
    return world.anyone.send(request);
  }

  async function spendable(name: string): Promise<bigint> {
    const account = parseAccount(name);
    assert.ok(account !== undefined);
    const place = { network: 'base', asset: 'USDC' } as const;
    return (await world.hub.running.hub.store.read((db) => balance(db, account, place))).spendable;
  }

  const versions = [
    ['1', payV1],
    ['2', payV2],
  ] as const;
  for (const [version, pay] of versions) {
    it(`answers the wallet that pays what was quoted, in version ${version}`, async () => {
      const wallet = await funded();
      const name = `evm:${wallet.address.toLowerCase()}`;
      const quote = quoteIn(await send(asked()), 'payment-required');
      assert.deepEqual([quote.v1['maxAmountRequired'], quote.v2['amount']], [WORST, WORST]);
      const answer = await send(asked(), await pay(world, wallet, quote));
      const { message, receipt } = mustOk(answer);
      assert.deepEqual(message, { role: 'assistant', content: 'word0 word1 word2 ' });
      mustAddUp(receipt);
      assert.equal(at(receipt, 'charged'), `${CHARGED}`);
      assert.equal(receiptsIn(answer)[0]['payer'], wallet.address.toLowerCase());
      assert.equal(await spendable(name), BigInt(WORST) - CHARGED, 'the rest is the wallet’s');
    });
  }

  it('streams to it, and ends with the receipt', async () => {
    const wallet = await funded();
    const body = asked({ stream: true });
    const quote = quoteIn(await send(body), 'payment-required');
    const { text } = await send(body, await payV2(world, wallet, quote));
    const last = eventsIn(text).at(-1);
    assert.equal(last?.event, 'receipt');
    assert.equal((JSON.parse(last.data) as Json)['outcome'], 'completed');
  });

  it('charges once for a payment that comes again with the same once-only request', async () => {
    const wallet = await funded();
    const name = `evm:${wallet.address.toLowerCase()}`;
    const body = asked({ idempotencyKey: 'again' });
    const header = await payV2(world, wallet, quoteIn(await send(body), 'payment-required'));
    const first = mustOk(await send(body, header));
    const second = mustOk(await send(body, header));
    assert.deepEqual([first['repeated'], second['repeated']], [false, true]);
    assert.deepEqual([second['id'], second['message']], [first['id'], undefined]);
    assert.equal(await spendable(name), BigInt(WORST) - CHARGED);
    mustRefuse(await send(asked({ idempotencyKey: 'two' }), header), 402, 'payment-refused');
  });

  it('takes nothing for what no money would help', async () => {
    const wallet = await funded();
    const header = await payV2(world, wallet, quoteIn(await send(asked()), 'payment-required'));
    const unknown = await send(asked({ model: 'acme/none' }), header);
    assert.equal(unknown.body['code'], 'model-unknown');
    const play = asked({ network: 'sandbox' });
    mustRefuse(await send(play, header), 400, 'play-money');
    mustRefuse(await send(play), 400, 'play-money');
    assert.equal(await world.chain.balanceOf(wallet.address), 50_000n);
  });

  it('is paid by a client of x402 as it is published', async () => {
    const wallet = await funded();
    const plainClient = x402Client.fromConfig({
      schemes: [],
      spendControls: { allowedAssets: true },
    });
    const client = registerExactEvmScheme(plainClient, { signer: wallet });
    const paying = wrapFetchWithPayment(fetch, client);
    const answer = await paying(new URL(CHAT, world.hub.url), {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(asked()),
    });
    const text = await answer.text();
    assert.equal(answer.status, 200, text);
    assert.match(text, /word0 word1 word2/);
  });

  it('asks a signer for what its balance lacks', async () => {
    const [key, wallet] = [await generateKey(), await funded()];
    const agent = agentWith(world.hub, key);
    await registerPayout(world, agent.account, wallet);
    const body = asked({ caller: agent.account });
    const call = async (header: Readonly<Record<string, string>>): Promise<Answer> => {
      const request = plain(world.hub, 'POST', CHAT, body);
      for (const [name, value] of Object.entries(header)) request.headers.set(name, value);
      return exchange(await signRequest(request, signer(key), world.hub.clock.now()));
    };
    for (const lacks of [WORST, `${CHARGED}`]) {
      const quote = quoteIn(await call({}), 'payment-required');
      // Less than 1,000 units costs more to settle than it brings.
      assert.equal(quote.v1['maxAmountRequired'], BigInt(lacks) < 1_000n ? '1000' : lacks);
      mustAddUp(mustOk(await call(await payV1(world, wallet, quote)))['receipt']);
    }
    assert.equal(await spendable(agent.account), BigInt(WORST) + 1_000n - 2n * CHARGED);
  });
});
