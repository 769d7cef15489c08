import { quoteV1 } from './priced.ts';
import { mcpSdk2 } from './mcpSdk2.ts';
import { signerOf } from './signerOf.ts';
import { sendJson, startSite, type SiteRequest } from './site.ts';
import type { Offer } from './tools.ts';

/**
 * An agent that sells: an MCP server behind a wall that answers 402 with a quote over x402. It
 * opens to a hub that it trusts, for a request which that hub signed and which names money held for
 * it.
 */
export interface Shop {
  readonly name: string;
  readonly url: string;
  readonly endpoint: string;
  readonly pair: string;
  /** The tool that costs money. */
  readonly tool: string;
  /** Atomic units of USDC on the test network of Base. */
  readonly price: bigint;
  readonly answer: string;
  /** Puts a JSON document at a path. */
  publish(path: string, document: string): void;
  /** Takes the word of the hub that has this key for money. */
  trust(hubKeyId: string): void;
}

const NAME = 'Price desk';
const TOOL = 'plan-prices';
const PRICE = 2_500n;
const ANSWER = 'Free 0, Solo 9, Team 29, Business 99, Enterprise 399 dollars a month';
const OFFER: Offer = {
  name: NAME,
  tools: [
    {
      name: TOOL,
      description: 'Lists what the plans of a software company cost today.',
      inputSchema: { type: 'object', properties: {} },
      annotations: { readOnlyHint: true },
    },
  ],
  answer: () => ANSWER,
};

export async function startShop(): Promise<Shop> {
  const documents = new Map<string, string>();
  const trusted = new Set<string>();
  const serve = mcpSdk2({ offer: OFFER });
  const quote = quoteV1({ amount: `${PRICE}`, network: 'base-sepolia' });
  const isPaid = (request: SiteRequest): boolean =>
    trusted.has(signerOf(request, 'hub-credit') ?? '') && offeredIn(request) >= PRICE;
  const { url, pair } = await startSite((request, response) => {
    const document = request.method === 'GET' ? documents.get(request.path) : undefined;
    if (document !== undefined) return sendJson(response, 200, JSON.parse(document));
    if (mayCall(request.body) && !isPaid(request)) return sendJson(response, 402, quote);
    return serve(request, response);
  });
  return {
    name: NAME,
    url,
    endpoint: `${url}/mcp`,
    pair,
    tool: TOOL,
    price: PRICE,
    answer: ANSWER,
    publish: (path, document) => void documents.set(path, document),
    trust: (hubKeyId) => void trusted.add(hubKeyId),
  };
}

/** Returns the amount that the hub claims to hold for this call. */
function offeredIn({ headers }: SiteRequest): bigint {
  const amount = /;amount=([0-9]{1,18})(?:;|$)/.exec(String(headers['hub-credit'] ?? ''))?.[1];
  return BigInt(amount ?? 0);
}

/** Whether this could be a call of a tool; what is no single message in JSON could be anything. */
function mayCall(body: string): boolean {
  if (body === '') return false;
  try {
    const message: unknown = JSON.parse(body);
    if (typeof message !== 'object' || message === null || !('method' in message)) return true;
    return message.method === 'tools/call';
  } catch {
    return true;
  }
}
