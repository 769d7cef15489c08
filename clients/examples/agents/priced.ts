import type { ServerResponse } from 'node:http';
import { notFound, sendJson, startSite, type Site } from './site.ts';

/** A server that quotes x402: MCP tools at `/mcp` in every form, plain HTTP at `/v1` and `/v2`. */
export interface PricedOptions {
  /** Atomic units; may be changed between calls. */
  amount?: string;
  payTo?: string;
  /** `base` when absent. */
  readonly network?: keyof typeof NETWORKS;
}

export const PAY_TO = '0x209693Bc6afc0C5328bA36FaF03C514EF312287C';
/** Each network as the second form names it, with the contract of USDC on it. */
const NETWORKS = {
  base: { caip: 'eip155:8453', usdc: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913' },
  'base-sepolia': { caip: 'eip155:84532', usdc: '0x036CbD53842c5426634e7929541eC2318f3dCF7e' },
};
export const PRICED_TOOLS = ['as-result', 'as-text', 'as-error', 'as-402', 'free'] as const;

export function quoteV1(options: PricedOptions): object {
  const { amount = '2500', payTo = PAY_TO, network = 'base' } = options;
  const entry = {
    scheme: 'exact',
    network,
    maxAmountRequired: amount,
    asset: NETWORKS[network].usdc,
    payTo,
    resource: 'https://priced.example/v1',
    description: 'One answer',
    maxTimeoutSeconds: 60,
    extra: { name: 'USD Coin', version: '2' },
  };
  return { x402Version: 1, error: 'X-PAYMENT header is required', accepts: [entry] };
}

export function quoteV2(options: PricedOptions): object {
  const { amount = '2500', payTo = PAY_TO, network = 'base' } = options;
  const entry = {
    scheme: 'exact',
    network: NETWORKS[network].caip,
    amount,
    asset: NETWORKS[network].usdc,
    payTo,
    maxTimeoutSeconds: 60,
    extra: { name: 'USD Coin', version: '2' },
  };
  return { x402Version: 2, resource: { url: 'https://priced.example/v2' }, accepts: [entry] };
}

export function startPriced(options: PricedOptions = {}): Promise<Site> {
  return startSite(({ method, path, body }, response) => {
    if (path === '/v1') return sendJson(response, 402, quoteV1(options));
    if (path === '/v2') return sendSecond(response, options);
    if (method !== 'POST' || path !== '/mcp') return notFound(response);
    const { id, method: asked, params } = JSON.parse(body) as Rpc;
    if (id === undefined) {
      response.writeHead(202);
      return void response.end();
    }
    if (asked === 'tools/call' && params.name === 'as-402') return sendSecond(response, options);
    sendJson(response, 200, { jsonrpc: '2.0', id, ...reply(options, asked, params) });
  });
}

interface Rpc {
  readonly id?: string | number;
  readonly method: string;
  readonly params: { readonly name?: string };
}

function sendSecond(response: ServerResponse, options: PricedOptions): void {
  const required = Buffer.from(JSON.stringify(quoteV2(options))).toString('base64');
  sendJson(response, 402, {}, { 'payment-required': required });
}

function reply(options: PricedOptions, asked: string, params: Rpc['params']): object {
  if (asked === 'initialize') {
    const serverInfo = { name: 'priced-agent', version: '0.9.0' };
    return { result: { protocolVersion: '2025-06-18', capabilities: { tools: {} }, serverInfo } };
  }
  if (asked === 'tools/list') {
    const inputSchema = { type: 'object', properties: {} };
    const tools = PRICED_TOOLS.map((name) => ({
      name,
      description: `Answers ${name}, for money.`,
      inputSchema,
      annotations: { readOnlyHint: true },
    }));
    return { result: { tools } };
  }
  if (asked !== 'tools/call') return { error: { code: -32_601, message: 'Method not found' } };
  return quoted(options, params.name);
}

function quoted(options: PricedOptions, name = ''): object {
  const first = quoteV1(options);
  const second = quoteV2(options);
  const text = (value: object) => [{ type: 'text', text: JSON.stringify(value) }];
  switch (name) {
    case 'as-result':
      return { result: { isError: true, structuredContent: second, content: text(second) } };
    case 'as-text':
      return { result: { isError: true, content: text(second) } };
    case 'as-error':
      return { error: { code: 402, message: 'Payment required', data: first } };
    case 'free':
      return { result: { content: [{ type: 'text', text: 'free was served' }] } };
    default:
      return { error: { code: -32_602, message: `Unknown tool ${name}` } };
  }
}
