import { quoteV1 } from './priced.ts';
import { mcpSdk2 } from './mcpSdk2.ts';
import { sendJson, startSite, type SiteRequest } from './site.ts';
import type { Offer } from './tools.ts';
import { createHash } from 'node:crypto';
import { requiredComponents, signatureBase } from '../../../domain/httpsig/base.ts';
import { digestRefusal } from '../../../domain/httpsig/digest.ts';
import { judgeKey } from '../../../domain/httpsig/keys.ts';
import { readFields, readMessage } from '../../../domain/httpsig/message.ts';
import { findSignature } from '../../../domain/httpsig/parse.ts';
import { nodeCrypto } from '../../typescript/verify/nodeCrypto.ts';

/** An MCP server behind 402; it opens to a trusted hub whose signed request names held money. */
export interface Shop {
  readonly name: string;
  readonly url: string;
  readonly endpoint: string;
  readonly pair: string;
  readonly tool: string;
  /** Atomic units of USDC on the test network of Base. */
  readonly price: bigint;
  readonly answer: string;
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

const AGE_SECONDS_MAX = 60;
const hash = (name: string) => (bytes: Uint8Array) => createHash(name).update(bytes).digest();
const HASHES = { sha256: hash('sha256'), sha512: hash('sha512') };

/**
 * The id of the key that signed the whole request (RFC 9421), with this header and the host, at
 * most a minute ago. A server that must serve each request only once also stores its nonce.
 */
function signerOf(request: SiteRequest, header: string): string | undefined {
  const { method, path: target, raw } = request;
  const fields = readFields(raw.rawHeaders);
  const body = Buffer.from(request.body);
  const message = readMessage({ method, target, headers: raw.rawHeaders, body }, fields, []);
  const found = findSignature(fields);
  if ('reason' in message || found.kind !== 'found') return undefined;
  const { covered, params, createdSeconds, keyIdText, signature } = found.signature;
  const mustCover = [...requiredComponents(message), '@authority', header];
  if (!mustCover.every((name) => covered.includes(name))) return undefined;
  if (message.hasBody && digestRefusal(fields, body, HASHES) !== undefined) return undefined;
  if (Math.abs(Date.now() / 1000 - createdSeconds) > AGE_SECONDS_MAX) return undefined;
  const key = judgeKey(keyIdText);
  const base = signatureBase(message, covered, params);
  if (!key.ok || !base.ok) return undefined;
  const isSigned = nodeCrypto.ed25519(key.bytes, Buffer.from(base.text), signature);
  return isSigned === true ? key.keyId : undefined;
}
