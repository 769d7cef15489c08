import type { Exchange } from '../../middleware/exchange.ts';
import { fault, RPC_PARAMS, RPC_REQUEST, type RpcFault } from '../jsonRpc.ts';
import { isObject } from '../../../domain/jsonObject.ts';
import type { Arguments } from '../arguments.ts';
import { head } from '../../../domain/text.ts';

/**
 * Handshake revisions open with `initialize`; from 2026-07-28 on each request has its version in
 * `_meta` and in headers that must agree (Streamable HTTP, Server Validation). Both share one path.
 */
export type Era = 'handshake' | 'stateless';

/** The version that the door reports in its handshake, for every version that was asked for. */
export const REPORTED_VERSION = '2025-06-18';
const STATELESS_VERSION = '2026-07-28';
export const SUPPORTED_VERSIONS: readonly string[] = [STATELESS_VERSION, REPORTED_VERSION];
/** Versions whose requests mean the same here; their clients send their own in the header. */
const HANDSHAKE_VERSIONS: readonly string[] = ['2025-03-26', REPORTED_VERSION, '2025-11-25'];

/** Error codes of revision 2026-07-28. */
const HEADER_MISMATCH = -32_020;
const UNSUPPORTED_VERSION = -32_022;

export const PROTOCOL_HEADERS: readonly string[] = [
  'mcp-protocol-version',
  'mcp-session-id',
  'mcp-method',
  'mcp-name',
];

const META_VERSION = 'io.modelcontextprotocol/protocolVersion';
const META_CAPABILITIES = 'io.modelcontextprotocol/clientCapabilities';
/** How a name that is not plain ASCII stands in a header: `=?base64?<text>?=`. */
const WRAPPED = /^=\?base64\?([A-Za-z0-9+/]*={0,2})\?=$/;

interface Request {
  readonly id: string | number | null;
  readonly method: string;
  readonly params: Arguments;
}

/** The revision of a message, or the fault that its version makes; the fault is an HTTP 400. */
export function readEra(exchange: Exchange, request: Request): Era | RpcFault {
  const { id, params } = request;
  const meta = isObject(params['_meta']) ? params['_meta'] : {};
  const version = meta[META_VERSION];
  const header = headerOf(exchange, 'mcp-protocol-version');
  if (version === undefined) return handshakeEra(id, header);
  if (typeof version !== 'string') {
    return fault(id, RPC_PARAMS, `Invalid params: _meta["${META_VERSION}"] must be a string`);
  }
  if (header !== version) {
    return mismatch(id, 'MCP-Protocol-Version', header, version);
  }
  if (HANDSHAKE_VERSIONS.includes(version)) return 'handshake';
  if (version !== STATELESS_VERSION) {
    const data = { supported: SUPPORTED_VERSIONS, requested: version };
    return fault(id, UNSUPPORTED_VERSION, 'Unsupported protocol version', data);
  }
  return statelessFault(exchange, request, meta) ?? 'stateless';
}

function handshakeEra(id: Request['id'], header: string | undefined): Era | RpcFault {
  if (header === STATELESS_VERSION) {
    return fault(id, RPC_PARAMS, `Invalid params: _meta["${META_VERSION}"] is required`);
  }
  if (header === undefined || HANDSHAKE_VERSIONS.includes(header)) return 'handshake';
  const message = `Invalid request: MCP-Protocol-Version ${JSON.stringify(head(header, 40))} is not served`;
  return fault(id, RPC_REQUEST, message, { supported: HANDSHAKE_VERSIONS });
}

function statelessFault(
  exchange: Exchange,
  { id, method, params }: Request,
  meta: Arguments,
): RpcFault | undefined {
  const asked = headerOf(exchange, 'mcp-method');
  if (asked !== method) return mismatch(id, 'Mcp-Method', asked, method);
  if (method === 'tools/call') {
    const named = unwrapped(headerOf(exchange, 'mcp-name'));
    if (named !== params['name']) return mismatch(id, 'Mcp-Name', named, params['name']);
  }
  if (isObject(meta[META_CAPABILITIES])) return undefined;
  return fault(id, RPC_PARAMS, `Invalid params: _meta["${META_CAPABILITIES}"] is required`);
}

function mismatch(
  id: Request['id'],
  name: string,
  header: string | undefined,
  body: unknown,
): RpcFault {
  const shown = (value: unknown): string => head(JSON.stringify(value) ?? 'nothing', 80);
  const message = `Header mismatch: ${name} says ${shown(header)}, the body ${shown(body)}`;
  return fault(id, HEADER_MISMATCH, message);
}

function headerOf(exchange: Exchange, name: string): string | undefined {
  const value = exchange.request.headers[name];
  return typeof value === 'string' ? value : undefined;
}

function unwrapped(value: string | undefined): string | undefined {
  const base64 = value === undefined ? undefined : WRAPPED.exec(value)?.[1];
  return base64 === undefined ? value : Buffer.from(base64, 'base64').toString('utf8');
}
