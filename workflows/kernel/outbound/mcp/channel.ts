import { defined } from '../../../../domain/defined.ts';
import { type JsonObject, isObject } from '../../../../domain/jsonObject.ts';
import type { OutboundHeaders } from '../../../../domain/outbound/request.ts';
import { fieldValue } from '../../../../domain/httpsig/message.ts';
import {
  postRpc,
  type RpcAnswer,
  type RpcEnd,
  type RpcMessage,
  type RpcDependencies,
} from '../rpc.ts';
import { paymentHeaders, responseBefore, type AgentCallOptions } from '../response.ts';

/**
 * Streamable HTTP in two eras (choices registry.formats): handshake revisions name the version in a
 * header and may have a session; from 2026-07-28 on each request has all, in `_meta` and headers.
 */
export const STATELESS_VERSION = '2026-07-28';
/** Asked for in `initialize`; whatever older version comes back is taken. */
const HANDSHAKE_VERSION = '2025-11-25';
export const CLIENT = { name: 'agent-exchange-hub', version: '0.1.0' };

const META = 'io.modelcontextprotocol/';
const PAYMENT_META = 'x402/payment';
const ACCEPT = 'application/json, text/event-stream';
const PLAIN_VALUE = /^[\x21-\x7e]([\x20-\x7e]*[\x21-\x7e])?$/;

export interface McpPlace {
  readonly dependencies: RpcDependencies;
  readonly endpoint: string;
  readonly options: AgentCallOptions;
}

export function statelessRequest(
  place: McpPlace,
  message: RpcMessage,
  version = STATELESS_VERSION,
): Promise<RpcEnd> {
  const given = isObject(message.params) ? message.params : {};
  const params = {
    ...given,
    _meta: {
      ...(isObject(given['_meta']) && given['_meta']),
      [`${META}protocolVersion`]: version,
      [`${META}clientCapabilities`]: {},
      [`${META}clientInfo`]: CLIENT,
    },
  };
  const headers = {
    'mcp-protocol-version': version,
    'mcp-method': message.method,
    ...(message.method === 'resources/read' && { 'mcp-name': headerText(String(given['uri'])) }),
    ...(message.method === 'prompts/get' && { 'mcp-name': headerText(String(given['name'])) }),
    ...(message.method === 'tools/call' && {
      'mcp-name': headerText(String(given['name'])),
      ...argumentHeaders(given['arguments'], place.options.inputSchema),
    }),
  };
  return exchange(place, { ...message, params }, headers);
}

export interface Handshake {
  readonly version: string;
  readonly sessionId?: string;
}

export function handshakeRequest(
  place: McpPlace,
  message: RpcMessage,
  { version, sessionId }: Handshake,
): Promise<RpcEnd> {
  return exchange(place, message, {
    'mcp-protocol-version': version,
    ...defined({ 'mcp-session-id': sessionId }),
  });
}

/** The opening of the handshake era, which names no version in a header yet. */
export function initialize(place: McpPlace): Promise<RpcEnd> {
  const params = { protocolVersion: HANDSHAKE_VERSION, capabilities: {}, clientInfo: CLIENT };
  return exchange(place, { id: 'initialize', method: 'initialize', params }, {});
}

/** The session of an answer to `initialize`; undefined when it has none, or a broken one. */
export function sessionOf({ headers }: RpcAnswer): string | undefined {
  const id = fieldValue(headers, 'mcp-session-id');
  return id !== undefined && /^[\x21-\x7e]{1,1024}$/.test(id) ? id : undefined;
}

/** Says that a session will not be used again; what comes of it does not matter. */
export async function endSession(place: McpPlace, handshake: Handshake): Promise<void> {
  if (handshake.sessionId === undefined) return;
  const { dependencies, endpoint, options } = place;
  await dependencies.outbound.fetch({
    url: endpoint,
    method: 'DELETE',
    headers: {
      'mcp-protocol-version': handshake.version,
      'mcp-session-id': handshake.sessionId,
    },
    limits: { ...options.limits, totalMs: 2_000 },
    ...defined({ signal: options.signal }),
  });
}

async function exchange(
  { dependencies, endpoint, options }: McpPlace,
  message: RpcMessage,
  headers: OutboundHeaders,
): Promise<RpcEnd> {
  const { limits, sign, signal, onExchange } = options;
  const kept = await options.before?.(endpoint);
  if (kept !== undefined) return kept;
  const payment = message.method === 'tools/call' ? options.payment : undefined;
  const request = {
    url: endpoint,
    headers: {
      ...options.headers,
      ...paymentHeaders(payment),
      accept: ACCEPT,
      'content-type': 'application/json',
      ...headers,
    },
    ...defined({ limits, sign, signal }),
  };
  const isAsked = options.onProgress !== undefined && message.id === 'call';
  const sent = paidMessage(isAsked ? withToken(message) : message, payment);
  const end = await postRpc(dependencies, sent, request, options.onProgress);
  onExchange?.({ method: message.method, url: endpoint, end, shut: responseBefore(end) });
  return end;
}

/** The message with its payment beside the arguments, when it goes there. */
function paidMessage(message: RpcMessage, payment: AgentCallOptions['payment']): RpcMessage {
  return payment?.place === 'meta' ? withMeta(message, PAYMENT_META, payment.payload) : message;
}

/** Its id is the token of the progress that a server may report (MCP, Progress). */
function withToken(message: RpcMessage): RpcMessage {
  return withMeta(message, 'progressToken', message.id);
}

function withMeta(message: RpcMessage, name: string, value: unknown): RpcMessage {
  const params = isObject(message.params) ? message.params : {};
  const meta = isObject(params['_meta']) ? params['_meta'] : {};
  return { ...message, params: { ...params, _meta: { ...meta, [name]: value } } };
}

/** Arguments that the schema wants in headers as well (`x-mcp-header`). */
function argumentHeaders(given: unknown, schema: JsonObject | undefined): OutboundHeaders {
  const properties = schema?.['properties'];
  if (!isObject(properties) || !isObject(given)) return {};
  const named = Object.entries(properties).flatMap(([name, property]) => {
    const header = isObject(property) ? property['x-mcp-header'] : undefined;
    const value = given[name];
    const isPlain = ['string', 'number', 'boolean'].includes(typeof value);
    if (typeof header !== 'string' || !/^[A-Za-z0-9-]{1,64}$/.test(header) || !isPlain) return [];
    return [[`mcp-param-${header.toLowerCase()}`, headerText(String(value))] as const];
  });
  return Object.fromEntries(named);
}

/** Text as a header value: as it is when it is plain ASCII, else wrapped. */
function headerText(text: string): string {
  if (PLAIN_VALUE.test(text) && !text.startsWith('=?base64?')) return text;
  return `=?base64?${Buffer.from(text).toString('base64')}?=`;
}
