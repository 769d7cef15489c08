import { fieldValue } from '../../../domain/httpsig/message.ts';
import type { JsonObject } from '../../../domain/jsonObject.ts';
import {
  readHttpQuote,
  type Quote,
  type QuoteVerdict,
} from '../../../domain/registry/readQuote.ts';
import type { OutboundHeaders } from '../../../domain/outbound/request.ts';
import type { WayToPay } from '../../../domain/x402/way.ts';
import type { LimitOptions } from './limits.ts';
import type { Failed, FailureReason } from './outcome.ts';
import type { RpcAnswer, RpcEnd } from './rpc.ts';

/** How a call of an agent ended. Nothing here throws, since untrusted hosts decide the end. */
export type AgentResponse =
  | (RawResponse & {
      readonly kind: 'result';
      /** The JSON-RPC result as it came. */
      readonly result: unknown;
      /** The other side says that it failed (MCP isError; an A2A task that failed). */
      readonly isError: boolean;
    })
  /** It asks for money; `quote` is absent when its price cannot be read. */
  | (RawResponse & {
      readonly kind: 'quote';
      readonly quote?: Quote;
      /** How it could be paid, where it says so. */
      readonly ways: readonly WayToPay[];
      readonly isX402: boolean;
      /** The schemes of WWW-Authenticate, by which other protocols ask for money. */
      readonly schemes: readonly string[];
      /** The answer is a JSON-RPC reply, so the other side speaks the protocol. */
      readonly isReply: boolean;
      readonly message: string;
    })
  | (RawResponse & {
      readonly kind: 'key-needed';
      /** How it wants to be asked, such as `oauth2` or `basic`; empty when it does not say. */
      readonly schemes: readonly string[];
      readonly message: string;
    })
  /** It understood and will not: a JSON-RPC error, or a 4xx without one. */
  | (RawResponse & {
      readonly kind: 'refused';
      readonly rpcCode?: number;
      readonly message: string;
    })
  | {
      readonly kind: 'failed';
      /** `malformed` is an answer outside the protocol, `server-error` a 5xx or 429. */
      readonly reason: FailureReason | 'malformed' | 'server-error';
      readonly message: string;
      readonly raw?: RawResponse;
    };

export interface RawResponse {
  readonly status: number;
  /** The body of the answer exactly as received, without its content coding. */
  readonly bytes: Uint8Array;
  readonly durationMs: number;
}

export interface AgentCallOptions {
  readonly limits?: LimitOptions;
  /** Added to the request, names in lower case. */
  readonly headers?: OutboundHeaders;
  /** Goes with the request that calls, and with no other of the conversation. */
  readonly payment?: PaymentAlong;
  /** Signs with the hub's key; never while crawling. */
  readonly sign?: boolean;
  readonly signal?: AbortSignal;
  /** The tool's schema, for arguments that it wants repeated in headers (MCP 2026-07-28). */
  readonly inputSchema?: JsonObject;
  /** Asked before each request; a failure keeps it from being sent and ends the conversation. */
  readonly before?: (url: string) => Promise<Failed | undefined>;
  /** Called with each progress that an MCP server reports of the call; it is then asked for some. */
  readonly onProgress?: () => void;
  /** Called with every exchange with its end, in order. */
  readonly onExchange?: (exchange: Exchange) => void;
}

/** A payment over x402, where the quote stood: as a header, or in `_meta` of MCP. */
export type PaymentAlong =
  | { readonly place: 'header'; readonly name: string; readonly value: string }
  | { readonly place: 'meta'; readonly payload: JsonObject };

export interface Exchange {
  /** The JSON-RPC method, or `GET` for the opening of an old event stream. */
  readonly method: string;
  readonly url: string;
  readonly end: RpcEnd;
  /** How it ended, unless with a result. */
  readonly shut: ConnectionRefused | undefined;
}

export type ConnectionRefused = Exclude<AgentResponse, { kind: 'result' }>;

export function rawResponseOf({ status, bytes, durationMs }: RpcAnswer): RawResponse {
  return { status, bytes, durationMs };
}

/** Ends of both protocols: no answer, money, keys, errors; undefined for a result. */
export function responseBefore(end: RpcEnd): ConnectionRefused | undefined {
  if (end.kind === 'failed') return callFailed(end);
  const raw = rawResponseOf(end);
  const { status, reply, headers } = end;
  const paymentRequired = fieldValue(headers, 'payment-required');
  const asked = readHttpQuote({ status, paymentRequired, body: end.json });
  if (asked !== undefined) return quoteResponse(end, asked);
  if (status === 401 || status === 403) {
    const schemes = authSchemes(headers.get('www-authenticate') ?? []);
    return { kind: 'key-needed', ...raw, schemes, message: `It answers ${status}.` };
  }
  if (reply?.error !== undefined) {
    const { code } = reply.error;
    const message = `It answers error ${code}: ${reply.error.message}`;
    return { kind: 'refused', ...raw, rpcCode: code, message };
  }
  if (reply !== undefined) return undefined;
  if (status === 429 || status >= 500) {
    return { kind: 'failed', reason: 'server-error', message: `It answers ${status}.`, raw };
  }
  if (status >= 400) return { kind: 'refused', ...raw, message: `It answers ${status}.` };
  const message = `It answers ${status} with something that is no JSON-RPC reply.`;
  return { kind: 'failed', reason: 'malformed', message, raw };
}

export function quoteResponse(
  end: RpcAnswer,
  asked: QuoteVerdict,
): Extract<AgentResponse, { kind: 'quote' }> {
  const { ways, isX402 } = asked;
  const schemes = authSchemes(end.headers.get('www-authenticate') ?? []);
  const isReply = end.reply !== undefined;
  const base = { kind: 'quote', ...rawResponseOf(end), ways, isX402, schemes, isReply } as const;
  if (asked.kind === 'no-price') return { ...base, message: asked.message };
  const { amount, asset, network } = asked.quote.price;
  const message = `It asks ${amount} atomic ${asset} on ${network} over x402.`;
  return { ...base, quote: asked.quote, message };
}

export function paymentHeaders(payment: PaymentAlong | undefined): OutboundHeaders {
  return payment?.place === 'header' ? { [payment.name]: payment.value } : {};
}

export function callFailed({
  reason,
  message,
}: Failed): AgentResponse & { readonly kind: 'failed' } {
  return { kind: 'failed', reason, message };
}

/** The names of the schemes that WWW-Authenticate lists; OAuth shows itself by its metadata. */
function authSchemes(challenges: readonly string[]): readonly string[] {
  const each = challenges.flatMap((line) => line.split(/,(?=\s*[A-Za-z-]+\s+[A-Za-z_-]+=)/));
  const found = each.flatMap((challenge) => {
    const name = /^\s*([A-Za-z][A-Za-z0-9-]{0,31})(?=\s|$)/.exec(challenge)?.[1];
    return name === undefined ? [] : [name.toLowerCase()];
  });
  const isOauth = challenges.some((challenge) => challenge.includes('resource_metadata'));
  return [...new Set(isOauth ? ['oauth2', ...found.filter((n) => n !== 'bearer')] : found)];
}
