import assert from 'node:assert/strict';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { wrapFetchWithPayment, x402Client } from '@x402/fetch';
import { registerExactEvmScheme } from '@x402/evm/exact/client';
import {
  isPaymentRequiredV2,
  parsePaymentRequired,
  validatePaymentRequirements,
} from '@x402/core/schemas';
import { HTTPFacilitatorClient } from '@x402/core/server';
import {
  validateDiscoveryExtension,
  withBazaar,
  type DiscoveryExtension,
} from '@x402/extensions/bazaar';
import { startMcpSdk2 } from '../../clients/examples/agents/mcpSdk2.ts';
import { closeSites } from '../../clients/examples/agents/site.ts';
import { plain, type Agent, type Answer } from '../harness/agents.ts';
import { at, mustOk, mustRefuse } from '../harness/must.ts';
import { CONVERT, FEE, publish } from '../hosted/_world.ts';
import { spendable } from '../router/_fixture.ts';
import {
  callBody,
  freshWallet,
  newPayer,
  openPaidFixture,
  payV1,
  payV2,
  quoteFor,
  quoteIn,
  SUITE_MS_MAX,
  type PaidFixture,
} from './_fixture.ts';

type Json = Record<string, unknown>;
const PRICE = '2000';

/** A holder whose first paid call brings what the listing costs. */
async function holderWithFee(world: PaidFixture, more: Json = {}): Promise<Agent> {
  const { agent, wallet, call } = await newPayer(world, FEE * 2n);
  const body = callBody(world, agent, more);
  const signed = { value: FEE + 5_000n };
  mustOk(await call(body, await payV2(world, wallet, await quoteFor(agent, body), { signed })));
  return agent;
}

/** Tools of a hosted agent for callers without an account: the owner is paid all the same. */
describe('a hosted tool that is paid over x402', function suite() {
  this.timeout(SUITE_MS_MAX);
  let world: PaidFixture;
  let holder: Agent;
  let address = '';
  let endpoint = '';
  before(async () => {
    const site = await startMcpSdk2();
    endpoint = `${site.url}/mcp`;
    world = await openPaidFixture({ alsoCalls: [site.pair] });
    holder = await holderWithFee(world);
    address = String((await publish(holder, { endpoint }))['listedEndpoint']);
  });
  after(async () => {
    await world.close();
    await closeSites();
  });

  async function funded(): Promise<ReturnType<typeof freshWallet>> {
    const wallet = freshWallet();
    await world.chain.mint(wallet.address, 50_000n);
    return wallet;
  }

  const path = (): string => `/api/v1/hosted/${holder.keyId}/call`;
  const body = { tool: 'convert', arguments: CONVERT };
  function send(header: Readonly<Record<string, string>> = {}): Promise<Answer> {
    const request = plain(world.hub, 'POST', path(), body);
    for (const [name, value] of Object.entries(header)) request.headers.set(name, value);
    return world.anyone.send(request);
  }

  const versions = [
    ['1', payV1],
    ['2', payV2],
  ] as const;
  for (const [version, pay] of versions) {
    it(`serves the wallet that pays, in version ${version}, and pays the owner`, async () => {
      const wallet = await funded();
      const before = await spendable(holder);
      const quote = quoteIn(await send(), 'payment-required');
      assert.deepEqual([quote.v1['maxAmountRequired'], quote.v1['resource']], [PRICE, address]);
      const answer = mustOk(await send(await pay(world, wallet, quote)));
      assert.deepEqual(
        ['caller', 'cost', 'paidTo'].map((name) => at(answer, 'receipt', name)),
        [`evm:${wallet.address.toLowerCase()}`, PRICE, holder.account],
      );
      assert.deepEqual(
        [answer['outcome'], answer['callId']],
        ['served', at(answer, 'receipt', 'id')],
      );
      assert.equal((await spendable(holder)) - before, BigInt(PRICE));
      assert.equal(await world.chain.balanceOf(wallet.address), 48_000n);
    });
  }

  it('calls nothing twice for one payment', async () => {
    const wallet = await funded();
    const header = await payV2(world, wallet, quoteIn(await send(), 'payment-required'));
    const before = await spendable(holder);
    mustOk(await send(header));
    const again = mustRefuse(await send(header), 402, 'payment-refused');
    assert.match(String(again['error']), /nonce_already_used/);
    assert.equal((await spendable(holder)) - before, BigInt(PRICE));
  });

  it('is paid from what the wallet has left, and settles nothing for it', async () => {
    const wallet = await funded();
    const quote = quoteIn(await send(), 'payment-required');
    const first = await payV2(world, wallet, quote, { signed: { value: 5_000n } });
    mustOk(await send(first));
    const header = await payV2(world, wallet, quote);
    const answer = await send(header);
    assert.equal(mustOk(answer)['outcome'], 'served');
    assert.equal(answer.headers.get('x-payment-balance'), '1000');
    mustRefuse(await send(header), 402, 'payment-refused');
    assert.equal(await world.chain.balanceOf(wallet.address), 45_000n);
  });

  it('is paid at its own MCP address by a payment inside the message', async () => {
    const wallet = await funded();
    const client = new Client({ name: 't', version: '1' });
    await client.connect(new StreamableHTTPClientTransport(new URL(address)));
    const quoted = await client.callTool({ name: 'convert', arguments: CONVERT });
    const [terms] = at(quoted.structuredContent, 'accepts') as Json[];
    assert.equal(terms?.['maxAmountRequired'], PRICE);
    for (const pay of [payV1, payV2]) {
      const { 0: text = '' } = Object.values(
        await pay(world, wallet, quoteIn(await send(), 'payment-required')),
      );
      const payment = JSON.parse(Buffer.from(text, 'base64').toString()) as Json;
      const _meta = { 'x402/payment': payment };
      const served = await client.callTool({ name: 'convert', arguments: CONVERT, _meta });
      assert.equal(served.isError ?? false, false, JSON.stringify(served));
      assert.equal(at(served, '_meta', 'x402/payment-response', 'success'), true);
      assert.equal(at(served, '_meta', 'hub/receipt', 'paidTo'), holder.account);
    }
    await client.close();
  });

  it('describes to facilitators how the tool is called, in the form that they check', async () => {
    const header = (await send()).headers.get('payment-required') ?? '';
    const quote = JSON.parse(Buffer.from(header, 'base64').toString()) as Json;
    const bazaar = at(quote, 'extensions', 'bazaar') as DiscoveryExtension;
    assert.deepEqual(validateDiscoveryExtension(bazaar), { valid: true });
    assert.equal(at(bazaar, 'info', 'input', 'toolName'), 'convert');
  });

  it('is in x402 discovery with the terms and the extension of its 402', async () => {
    const header = (await send()).headers.get('payment-required') ?? '';
    const asked = parsePaymentRequired(JSON.parse(Buffer.from(header, 'base64').toString()));
    assert.ok(asked.success && isPaymentRequiredV2(asked.data));
    const client = withBazaar(new HTTPFacilitatorClient({ url: world.hub.url }));
    const { items } = await client.extensions.bazaar.listResources({ type: 'mcp' });
    const item = items.find(({ resource }) => resource === address);
    assert.deepEqual(item?.accepts, asked.data.accepts);
    assert.deepEqual(
      item?.accepts.map((terms) => validatePaymentRequirements(terms)),
      asked.data.accepts,
    );
    const bazaar = item?.extensions?.['bazaar'] as DiscoveryExtension;
    assert.deepEqual(validateDiscoveryExtension(bazaar), { valid: true });
    assert.deepEqual(bazaar.info, at(asked.data.extensions, 'bazaar', 'info'));
  });

  it('leaves x402 discovery when its price or its listing is taken away', async () => {
    const listed = async (): Promise<readonly unknown[]> =>
      (mustOk(await world.anyone.get('/discovery/resources'))['items'] as Json[])
        .filter(({ resource }) => resource === address)
        .map((item) => at(item, 'extensions', 'bazaar', 'info', 'input', 'toolName'));
    assert.deepEqual(await listed(), ['convert']);
    const tools = [{ name: 'list-currencies', description: 'Lists.', priceAtomic: '1500' }];
    await publish(holder, { endpoint, tools });
    assert.deepEqual(await listed(), ['list-currencies']);
    const body = { owner: holder.account };
    mustOk(await holder.post(`/api/v1/hosted/${holder.keyId}/delete`, body));
    assert.deepEqual(await listed(), []);
    await publish(holder, { endpoint });
    assert.deepEqual(await listed(), ['convert']);
  });

  it('is paid by a client of x402 as it is published', async () => {
    const wallet = await funded();
    const spendControls = { allowedAssets: true } as const;
    const client = registerExactEvmScheme(x402Client.fromConfig({ schemes: [], spendControls }), {
      signer: wallet,
    });
    const answer = await wrapFetchWithPayment(fetch, client)(new URL(path(), world.hub.url), {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    const text = await answer.text();
    assert.equal(answer.status, 200, text);
    assert.equal((JSON.parse(text) as Json)['outcome'], 'served');
  });
});

describe('a hosted tool that is paid on another network than that of the hub', function suite() {
  this.timeout(SUITE_MS_MAX);
  let world: PaidFixture;
  let endpoint = '';
  before(async () => {
    const site = await startMcpSdk2();
    endpoint = `${site.url}/mcp`;
    const env = { HUB_NETWORK: 'sandbox' };
    world = await openPaidFixture({ alsoCalls: [site.pair], env });
  });
  after(async () => {
    await world.close();
    await closeSites();
  });

  it('is in x402 discovery as soon as it is published', async () => {
    const network = 'base';
    const holder = await holderWithFee(world, { network });
    const { listedEndpoint } = await publish(holder, { endpoint, network });
    const items = mustOk(await world.anyone.get('/discovery/resources'))['items'] as Json[];
    assert.deepEqual(
      items.map(({ resource, accepts }) => [resource, at(accepts, '0', 'amount')]),
      [[listedEndpoint, PRICE]],
    );
  });
});
