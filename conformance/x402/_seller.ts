import type { IncomingMessage, ServerResponse } from 'node:http';
import { x402ResourceServer } from '@x402/core/server';
import { ExactEvmScheme } from '@x402/evm/exact/server';
import { paymentMiddleware } from '@x402/express';
import express from 'express';
import type { Hex } from 'viem';
import { startSite, type Site } from '../../clients/examples/agents/site.ts';
import { accountAt, type Chain } from '../harness/chain/anvil.ts';
import { officialFacilitator } from './_facilitator.ts';

/** Another house's seller: an MCP server behind x402's official middleware and facilitator. */
export interface Seller {
  readonly site: Site;
  readonly endpoint: string;
  readonly payTo: Hex;
  runs: number;
  /** Before a payment that came is looked at. */
  atPayment: () => Promise<void> | void;
  /** Handles the call of the tool, after the payment was verified and before it is settled. */
  tool: Tool;
  /** Between the settlement and the answer; the request is still open. */
  afterSettle: (response: ServerResponse) => Promise<void> | void;
  /** Takes the place of the settlement: nothing reaches the chain. */
  settles: boolean;
  /** The chain as clients see it once it is known. */
  sellOn(chain: Chain, price: string): Promise<void>;
}
type Tool = (response: ServerResponse, id: unknown) => Promise<void> | void;

type Middleware = ReturnType<typeof paymentMiddleware>;
type Facilitator = ConstructorParameters<typeof x402ResourceServer>[0];

export async function startSeller(): Promise<Seller> {
  const app = express();
  let paid: Middleware | undefined;
  const site = await startSite(({ raw, body }, response) => {
    // The site has already read the body for the middleware and the routes.
    Object.assign(raw, { body: JSON.parse(body === '' ? '{}' : body) as unknown });
    app(raw as never, response as never);
  });
  const served = (response: ServerResponse, id: unknown): void =>
    answer(response, id, { content: [{ type: 'text', text: 'sold' }] });
  const seller: Seller = {
    site,
    endpoint: `${site.url}/mcp`,
    payTo: accountAt(6).address,
    runs: 0,
    atPayment: () => undefined,
    tool: served,
    afterSettle: () => undefined,
    settles: true,
    async sellOn(chain, price) {
      paid = await middlewareOn(chain, seller, price);
    },
  };
  app.post('/mcp', (request, response, next) => {
    const message = rpcOf(request);
    if (message.method === 'tools/call' && paid !== undefined) {
      const middleware = paid;
      Object.assign(current, { response });
      const isPaid = request.headers['payment-signature'] !== undefined;
      void Promise.resolve(isPaid ? seller.atPayment() : undefined).then(() =>
        middleware(request, response, next),
      );
    } else next();
  });
  app.post('/mcp', (request, response) => {
    const { id, method } = rpcOf(request);
    if (id === undefined) return void response.status(202).end();
    if (method === 'initialize') {
      const serverInfo = { name: 'seller', version: '1' };
      return answer(response, id, { protocolVersion: '2025-06-18', capabilities: {}, serverInfo });
    }
    if (method !== 'tools/call') return void response.status(404).end();
    seller.runs += 1;
    return void seller.tool(response, id);
  });
  return seller;
}

/** The answer that is open now; the tests make one call at a time where they look at it. */
const current: { response?: ServerResponse } = {};

async function middlewareOn(chain: Chain, seller: Seller, price: string): Promise<Middleware> {
  const { network, facilitator: official } = officialFacilitator(chain);
  const facilitator: Facilitator = {
    verify: (payload, requirements) => official.verify(payload, requirements),
    async settle(payload, requirements) {
      if (!seller.settles) throw new Error('the facilitator is gone');
      const settled = await official.settle(payload, requirements);
      if (current.response !== undefined) await seller.afterSettle(current.response);
      return settled;
    },
    getSupported: () => Promise.resolve(official.getSupported() as never),
  };
  const server = new x402ResourceServer(facilitator).register(network, new ExactEvmScheme());
  const domain = { name: 'USD Coin', version: '2' };
  const amount = { amount: price, asset: chain.token, extra: domain };
  const accepts = { scheme: 'exact', network, payTo: seller.payTo, price: amount } as const;
  return paymentMiddleware({ 'POST /mcp': { accepts, description: 'One answer' } }, server);
}

interface Rpc {
  readonly id?: unknown;
  readonly method?: string;
}

function rpcOf(request: IncomingMessage): Rpc {
  return (request as { readonly body?: Rpc }).body ?? {};
}

function answer(response: ServerResponse, id: unknown, result: unknown): void {
  response.setHeader('content-type', 'application/json');
  response.end(JSON.stringify({ jsonrpc: '2.0', id, result }));
}
