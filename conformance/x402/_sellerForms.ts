import type { x402Facilitator } from '@x402/core/facilitator';
import { ExactEvmSchemeV1 } from '@x402/evm/exact/v1/facilitator';
import type { Hex } from 'viem';
import { sendJson, startSite, type Site } from '../../clients/examples/agents/site.ts';
import { accountAt, type Chain } from '../harness/chain/anvil.ts';
import { officialFacilitator } from './_facilitator.ts';

/**
 * An MCP server that quotes in one of x402's places, and is paid in the place that belongs to it.
 * The official facilitator verifies and settles, version 1 by its implementation of that.
 */
export const FORMS = [
  'version 1 as HTTP 402',
  'version 1 as the error of a JSON-RPC answer',
  'version 1 as the result of a tool',
  'version 2 as the result of a tool',
] as const;
type Form = (typeof FORMS)[number];

export interface FormSeller {
  readonly site: Site;
  readonly endpoint: string;
  readonly payTo: Hex;
  form: Form;
  runs: number;
  readonly payments: readonly Json[];
  sellOn(chain: Chain, price: string): void;
}

type Json = Readonly<Record<string, unknown>>;
type Verify = x402Facilitator['verify'];
type Payment = Parameters<Verify>[0];
type Requirements = Parameters<Verify>[1];

interface Rpc {
  readonly id?: unknown;
  readonly method?: string;
  readonly params?: { readonly _meta?: Json };
}

/** Whether the price and the payment are in headers. */
const isInHeader = (form: Form): boolean => form === 'version 1 as HTTP 402';
const versionOf = (form: Form): 1 | 2 => (form.startsWith('version 1') ? 1 : 2);

export async function startFormSeller(): Promise<FormSeller> {
  let terms: Terms | undefined;
  const payments: Json[] = [];
  const site = await startSite(async ({ method, body, headers }, response) => {
    if (method !== 'POST') return sendJson(response, 405, {});
    const { id, method: asked, params } = JSON.parse(body) as Rpc;
    const reply = (rest: object): void => sendJson(response, 200, { jsonrpc: '2.0', id, ...rest });
    if (id === undefined) return void response.writeHead(202).end();
    if (asked === 'initialize') {
      const serverInfo = { name: 'forms', version: '1' };
      return reply({ result: { protocolVersion: '2025-06-18', capabilities: {}, serverInfo } });
    }
    if (asked !== 'tools/call' || terms === undefined) {
      return reply({ error: { code: -32_601, message: 'no such method' } });
    }
    const { form } = seller;
    const header = headers['x-payment'];
    const payment = isInHeader(form)
      ? header && (JSON.parse(Buffer.from(String(header), 'base64').toString()) as Json)
      : (params?._meta?.['x402/payment'] as Json | undefined);
    if (payment === undefined) {
      const required = requiredOf(terms, form);
      if (form === 'version 1 as HTTP 402') return sendJson(response, 402, required);
      if (form === 'version 1 as the error of a JSON-RPC answer') {
        return reply({ error: { code: 402, message: 'Payment required', data: required } });
      }
      const content = [{ type: 'text', text: JSON.stringify(required) }];
      return reply({ result: { content, structuredContent: required, isError: true } });
    }
    payments.push(payment as Json);
    const [paid, wanted] = [payment as unknown as Payment, terms.requirements(versionOf(form))];
    const verified = await terms.facilitator.verify(paid, wanted);
    const settled = verified.isValid ? await terms.facilitator.settle(paid, wanted) : undefined;
    if (settled?.success !== true) {
      const why = JSON.stringify(settled ?? verified);
      return reply({ result: { content: [{ type: 'text', text: why }], isError: true } });
    }
    seller.runs += 1;
    const content = [{ type: 'text', text: 'sold' }];
    reply({ result: { content, _meta: { 'x402/payment-response': settled } } });
  });
  const seller: FormSeller = {
    site,
    endpoint: `${site.url}/mcp`,
    payTo: accountAt(6).address,
    form: FORMS[0],
    runs: 0,
    payments,
    sellOn(chain, price) {
      terms = termsOn(chain, seller, price);
    },
  };
  return seller;
}

interface Terms {
  readonly facilitator: x402Facilitator;
  requirements(version: 1 | 2): Requirements;
}

function termsOn(chain: Chain, { payTo, site }: FormSeller, price: string): Terms {
  const { network, signer, facilitator } = officialFacilitator(chain);
  // Version 1 names the chain of the tests, whose id is Base's, by a word.
  facilitator.registerV1('base' as never, new ExactEvmSchemeV1(signer));
  const token = { asset: chain.token, extra: { name: 'USD Coin', version: '2' } };
  const common = { ...token, scheme: 'exact', payTo, maxTimeoutSeconds: 60 };
  const first = {
    ...common,
    network: 'base',
    maxAmountRequired: price,
    resource: site.url,
    description: 'One answer',
    mimeType: 'application/json',
  };
  const second = { ...common, network, amount: price };
  return {
    facilitator,
    requirements: (version) => (version === 1 ? first : second) as unknown as Requirements,
  };
}

function requiredOf(terms: Terms, form: Form): object {
  const x402Version = versionOf(form);
  const resource = { url: 'mcp://tool/convert', description: 'One answer' };
  return {
    x402Version,
    error: 'Payment required',
    ...(x402Version === 2 && { resource }),
    accepts: [terms.requirements(x402Version)],
  };
}
