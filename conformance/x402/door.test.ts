import assert from 'node:assert/strict';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { x402Client } from '@x402/core/client';
import type { PaymentRequired } from '@x402/core/types';
import { registerExactEvmScheme } from '@x402/evm/exact/client';
import type { HDAccount } from 'viem';
import { newSigning, type Signing } from '../doors/mcp/_clients.ts';
import { at } from '../harness/must.ts';
import { walletOf } from '../router/_fixture.ts';
import {
  callBody,
  freshWallet,
  openPaidFixture,
  payV2,
  quoteFor,
  registerPayout,
  SUITE_MS_MAX,
  type PaidFixture,
} from './_fixture.ts';

type Json = Readonly<Record<string, unknown>>;

const MONEY = 20_000n;
const PAID = 5_000n;

/** The hub's own MCP door: the price is the result of a tool, the payment goes beside its arguments. */
describe('a tool of the MCP door that is paid over x402', function suite() {
  this.timeout(SUITE_MS_MAX);
  let world: PaidFixture;
  let signing: Signing;
  let wallet: HDAccount;
  let client: Client;
  before(async () => {
    world = await openPaidFixture();
  });
  after(() => world.close());
  beforeEach(async () => {
    signing = await newSigning(world);
    wallet = freshWallet();
    await registerPayout(world, signing.agent.account, wallet);
    await world.chain.mint(wallet.address, MONEY);
    client = new Client({ name: 'payer', version: '1' });
    const { fetch } = signing;
    await client.connect(
      new StreamableHTTPClientTransport(new URL('/mcp', world.hub.url), { fetch }),
    );
  });
  afterEach(() => client.close());

  const call = async (args: Json, payment?: Json): Promise<Json> => {
    const _meta = payment && { 'x402/payment': payment };
    return client.callTool({ name: 'call-agent', arguments: { ...args }, ...(_meta && { _meta }) });
  };
  const payloadOf = async (header: Json): Promise<Json> =>
    JSON.parse(Buffer.from(String(header['payment-signature']), 'base64').toString()) as Json;

  it('is paid by what the published client makes of the price in the result', async () => {
    const args = callBody(world, signing.agent);
    const priced = await call(args);
    assert.equal(priced['isError'], true);
    assert.equal(at(priced, 'structuredContent', 'code'), 'payment-required');
    const spendControls = { allowedAssets: true } as const;
    const payer = registerExactEvmScheme(x402Client.fromConfig({ schemes: [], spendControls }), {
      signer: wallet,
    });
    const payment = await payer.createPaymentPayload(
      priced['structuredContent'] as unknown as PaymentRequired,
    );
    const served = await call(args, { ...payment });
    assert.equal(served['isError'] ?? false, false, JSON.stringify(served));
    assert.equal(at(served, 'structuredContent', 'receipt', 'outcome'), 'served');
    assert.equal(at(served, '_meta', 'x402/payment-response', 'success'), true);
    assert.equal(await world.chain.balanceOf(wallet.address), MONEY - PAID);
    assert.equal((await walletOf(signing.agent))['balance'], '0');
  });

  it('is paid in version 2 as well, and once', async () => {
    const args = callBody(world, signing.agent);
    const quote = await quoteFor(signing.agent, args);
    const payment = await payloadOf(await payV2(world, wallet, quote));
    const served = await call(args, payment);
    assert.equal(at(served, '_meta', 'x402/payment-response', 'success'), true);
    const again = await call(args, payment);
    assert.equal(at(again, 'structuredContent', 'repeated'), true);
    const other = await call(callBody(world, signing.agent), payment);
    assert.equal(at(other, 'structuredContent', 'code'), 'payment-refused');
    assert.equal(await world.chain.balanceOf(wallet.address), MONEY - PAID);
  });

  it('refuses what another wallet signed, and nothing moves', async () => {
    const args = callBody(world, signing.agent);
    const quote = await quoteFor(signing.agent, args);
    const by = freshWallet();
    const payment = await payloadOf(await payV2(world, wallet, quote, { by }));
    const refused = await call(args, payment);
    assert.deepEqual(
      [refused['isError'], at(refused, 'structuredContent', 'code')],
      [true, 'payment-refused'],
    );
    assert.equal(await world.chain.balanceOf(wallet.address), MONEY);
  });
});
