import { defined } from '../../domain/defined.ts';
import { readJson } from '../middleware/json.ts';
import { isObject, withoutNulls } from '../../domain/jsonObject.ts';
import type { Arguments } from './arguments.ts';

/** JSON-RPC 2.0 as the agent doors speak it: one message in a POST, batches refused. */
export type RpcId = string | number;
export type RpcMessage =
  | {
      readonly kind: 'request';
      readonly id: RpcId;
      readonly method: string;
      readonly params: Arguments;
    }
  | { readonly kind: 'notification'; readonly method: string; readonly params: Arguments }
  /** The caller answered something that this door never asks. */
  | { readonly kind: 'response' }
  | RpcFault;

/** A message that cannot be served; `id` is null when the message's own could not be read. */
export interface RpcFault {
  readonly kind: 'fault';
  readonly id: RpcId | null;
  readonly error: RpcError;
}
interface RpcError {
  readonly code: number;
  readonly message: string;
  readonly data?: unknown;
}

/** The codes of JSON-RPC 2.0 section 5.1; protocols add their own from -32000 downwards. */
export const RPC_PARSE = -32_700;
export const RPC_REQUEST = -32_600;
export const RPC_METHOD = -32_601;
export const RPC_PARAMS = -32_602;
/** A refused signature, under HTTP status 401; JSON-RPC and the protocols leave this code free. */
export const RPC_UNAUTHORIZED = -32_060;

/**
 * Reads the exact bytes of a POST. The text must be I-JSON: a key twice or a lost digit is a parse
 * error, because the two ends would take the message differently.
 */
export async function readMessage(bytes: Uint8Array): Promise<RpcMessage> {
  const parsed = await readJson(bytes);
  if (!parsed.ok) {
    const at = parsed.pointer === undefined ? '' : ` at ${parsed.pointer}`;
    return fault(null, RPC_PARSE, `Parse error: ${parsed.why}${at}`);
  }
  const message = parsed.value;
  if (Array.isArray(message)) {
    return fault(null, RPC_REQUEST, 'Invalid request: one message a POST; batches are not served');
  }
  if (!isObject(message)) return fault(null, RPC_REQUEST, 'Invalid request: not an object');
  const method = message['method'] ?? undefined;
  const id = isUnsetId(message['id'], method) ? undefined : message['id'];
  // Clients write a member that is unset as null; what is inside of it is each method's own.
  const params = withoutNulls(message['params'] ?? {}, 1);
  const known = isId(id) ? id : null;
  if (message['jsonrpc'] !== '2.0') {
    return fault(known, RPC_REQUEST, 'Invalid request: jsonrpc must be "2.0"');
  }
  if (method === undefined && ('result' in message || 'error' in message)) {
    return { kind: 'response' };
  }
  if (typeof method !== 'string') {
    return fault(known, RPC_REQUEST, 'Invalid request: method must be a string');
  }
  if (id !== undefined && known === null) {
    return fault(null, RPC_REQUEST, 'Invalid request: id must be a string or an integer');
  }
  if (!isObject(params)) {
    return fault(known, RPC_PARAMS, 'Invalid params: params must be an object');
  }
  return known === null
    ? { kind: 'notification', method, params }
    : { kind: 'request', id: known, method, params };
}

export function fault(id: RpcId | null, code: number, message: string, data?: unknown): RpcFault {
  return { kind: 'fault', id, error: { code, message, ...defined({ data }) } };
}

/** The text of a response whose result is JSON text already. */
export function resultText(id: RpcId, result: string): string {
  return `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":${result}}`;
}

export function errorText({ id, error }: RpcFault): string {
  return JSON.stringify({ jsonrpc: '2.0', id, error });
}

function isId(value: unknown): value is RpcId {
  return typeof value === 'string' || Number.isSafeInteger(value);
}

/** A notification has no id, and some clients write that as null; a request may not (MCP). */
function isUnsetId(id: unknown, method: unknown): boolean {
  return id === null && typeof method === 'string' && method.startsWith('notifications/');
}
