import assert from 'node:assert/strict';
import { decodePaymentResponseHeader, wrapFetchWithPayment, x402Client } from '@x402/fetch';
import { registerExactEvmScheme } from '@x402/evm/exact/client';
import { generateKey, signer, signRequest } from '../../clients/typescript/sign.ts';
import { agentWith } from '../harness/agents.ts';
import { walletOf } from '../router/_fixture.ts';
import {
  callBody,
  freshWallet,
  openPaidFixture,
  PRICE,
  registerPayout,
  SUITE_MS_MAX,
  type PaidFixture,
} from './_fixture.ts';

const MONEY = 50_000n;

/** The published clients of x402, unmodified; the request around them is signed. */
describe('the official clients of x402', function suite() {
  this.timeout(SUITE_MS_MAX);
  let world: PaidFixture;
  before(async () => {
    world = await openPaidFixture();
  });
  after(() => world.close());

  type Hide = (response: Response) => Response;
  const asItIs: Hide = (response) => response;
  /** Turns an answer into that of a server of version 1. */
  const withoutSecond: Hide = (response) => {
    const headers = new Headers(response.headers);
    headers.delete('payment-required');
    headers.delete('payment-response');
    return new Response(response.body, { status: response.status, headers });
  };

  const versions: readonly (readonly [string, string, Hide])[] = [
    ['2', 'payment-signature', asItIs],
    ['1', 'x-payment', withoutSecond],
  ];
  for (const [version, header, shown] of versions) {
    it(`pay a signed call in version ${version}`, async () => {
      const [key, wallet] = [await generateKey(), freshWallet()];
      const agent = agentWith(world.hub, key);
      await registerPayout(world, agent.account, wallet);
      await world.chain.mint(wallet.address, MONEY);
      const sent: (readonly string[])[] = [];
      const signing = async (input: string | URL | Request, init?: RequestInit) => {
        const request = new Request(input, init);
        sent.push([...request.headers.keys()]);
        const signed = await signRequest(request, signer(key), world.hub.clock.now());
        return shown(await fetch(signed));
      };
      // The token of the tests is none that the client knows.
      const spendControls = { allowedAssets: true } as const;
      const plain = x402Client.fromConfig({ schemes: [], spendControls });
      const client = registerExactEvmScheme(plain, { signer: wallet });
      const paying = wrapFetchWithPayment(signing, client);
      const answer = await paying(new URL('/api/v1/call', world.hub.url), {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(callBody(world, agent)),
      });
      const text = await answer.text();
      assert.equal(answer.status, 200, text);
      assert.equal(sent.length, 2, 'asked once, paid once');
      assert.ok(sent[1]?.includes(header));
      const name = version === '2' ? 'payment-response' : 'x-payment-response';
      const receipt = decodePaymentResponseHeader(answer.headers.get(name) ?? '');
      assert.deepEqual([receipt.success, receipt.payer], [true, wallet.address.toLowerCase()]);
      assert.equal(await world.chain.balanceOf(wallet.address), MONEY - BigInt(PRICE));
      assert.equal((await walletOf(agent))['balance'], '0');
    });
  }
});
