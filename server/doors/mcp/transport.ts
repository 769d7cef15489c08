import type { Identity } from '../../http/wire.ts';
import { HubError } from '../../../workflows/kernel/errors.ts';
import type { OperationSpec } from '../../../workflows/kernel/operation.ts';
import type { Answer, Exchange } from '../../middleware/exchange.ts';
import {
  fault,
  readMessage,
  resultText,
  RPC_METHOD,
  RPC_REQUEST,
  type RpcFault,
  type RpcId,
  type RpcMessage,
} from '../jsonRpc.ts';
import type { Operations, Refusal } from '../operations.ts';
import {
  eventAnswer,
  faultAnswer,
  isJsonType,
  isOriginAllowed,
  jsonAnswer,
  mustBePost,
  preflight,
  readDoorBody,
  type Door,
} from '../transport.ts';
import { PROTOCOL_HEADERS, readEra, type Era } from './era.ts';
import type { MethodRequest } from './methods.ts';
import type { Accepts } from './toolCall.ts';

/** Streamable HTTP without sessions, in both eras: one message a POST, JSON or events back. */
export interface McpTransportParts {
  readonly baseUrl: string;
  readonly operations: Operations;
  readonly spec: OperationSpec;
  /** The JSON text of a method's result, or the protocol's error. */
  methods(exchange: Exchange, request: MethodRequest): Promise<string | RpcFault>;
  callTool(exchange: Exchange, request: McpRequest): Promise<Answer>;
  /** A caller takes a call back; absent where none waits. */
  cancel?(identity: Identity, id: RpcId): void;
}

/** The answer of a notification, which has none. */
const ACCEPTED: Answer = { status: 202, headers: {}, body: '' };

export function openMcpTransport(parts: McpTransportParts): Door {
  const { baseUrl, operations, spec } = parts;

  const answerRequest = async (exchange: Exchange, request: McpRequest): Promise<Answer> => {
    const { id, method, era, accepts } = request;
    if (method === 'tools/call') return parts.callTool(exchange, request);
    const admission = await operations.admit(exchange, spec);
    if (admission.kind === 'refusal') return refusedAtDoor(id, admission);
    const result = await parts.methods(exchange, request);
    if (typeof result !== 'string') {
      const isUnknown = result.error.code === RPC_METHOD;
      return faultAnswer(era === 'stateless' && isUnknown ? 404 : 200, result);
    }
    const text = resultText(id, result);
    return accepts.json ? jsonAnswer(200, text) : eventAnswer(200, [text]);
  };

  const answerNotification = async (exchange: Exchange, message: Notice): Promise<Answer> => {
    if (message.method !== 'notifications/cancelled' || parts.cancel === undefined) {
      const admission = await operations.admit(exchange, spec);
      return admission.kind === 'refusal' ? refusedAtDoor(null, admission) : ACCEPTED;
    }
    const { requestId } = message.params;
    // The signer of a call signs its cancellation too; an unsigned one only ends unsigned calls.
    const admission = await operations.admit(exchange, { ...spec, auth: 'optional' });
    if (admission.kind === 'refusal') return refusedAtDoor(null, admission);
    if (typeof requestId === 'string' || typeof requestId === 'number') {
      parts.cancel(admission.call.identity, requestId);
    }
    return ACCEPTED;
  };

  return async (exchange) => {
    if (exchange.method === 'OPTIONS') return preflight(exchange, PROTOCOL_HEADERS);
    mustBePost(exchange, spec);
    const accepts = acceptedBy(exchange);
    const barred = barredByHeaders(exchange, accepts, baseUrl);
    if (barred !== undefined) return barred;
    const message = await readPost(exchange, spec, operations);
    if (message.kind === 'fault') return faultAnswer(400, message);
    if (message.kind === 'refusal') return refusedAtDoor(null, message);
    if (message.kind === 'response') return ACCEPTED;
    const id = message.kind === 'request' ? message.id : null;
    const era = readEra(exchange, { ...message, id });
    if (typeof era !== 'string') return faultAnswer(400, era);
    if (message.kind === 'notification') return answerNotification(exchange, message);
    return answerRequest(exchange, { ...message, era, accepts });
  };
}

type Notice = Extract<RpcMessage, { readonly kind: 'notification' }>;
export interface McpRequest extends Omit<
  Extract<RpcMessage, { readonly kind: 'request' }>,
  'kind'
> {
  readonly era: Era;
  readonly accepts: Accepts;
}

/** Refuses by HTTP headers, before the body is read. */
function barredByHeaders(
  exchange: Exchange,
  accepts: Accepts,
  baseUrl: string,
): Answer | undefined {
  const bar = (status: number, why: string): Answer =>
    faultAnswer(status, fault(null, RPC_REQUEST, `Invalid request: ${why}`));
  if (!isOriginAllowed(exchange, baseUrl)) return bar(403, 'this Origin may not call the hub');
  if (!isJsonType(exchange)) return bar(415, 'Content-Type must be application/json');
  if (!accepts.json && !accepts.events) {
    return bar(406, 'Accept must list application/json and text/event-stream');
  }
  return undefined;
}

/** An absent header takes anything, and so does a wildcard. */
function acceptedBy({ request }: Exchange): Accepts {
  const types = (request.headers.accept ?? '*/*')
    .split(',')
    .map((each) => (each.split(';')[0] ?? '').trim().toLowerCase());
  const has = (...names: readonly string[]): boolean => names.some((name) => types.includes(name));
  return {
    json: has('application/json', 'application/*', '*/*'),
    events: has('text/event-stream', 'text/*', '*/*'),
  };
}

async function readPost(
  exchange: Exchange,
  spec: OperationSpec,
  operations: Operations,
): Promise<RpcMessage | Refusal> {
  try {
    await readDoorBody(exchange, spec);
  } catch (thrown) {
    if (!(thrown instanceof HubError)) throw thrown;
    return operations.refusalOf(exchange, thrown);
  }
  return readMessage(exchange.rawBody);
}

/** A refusal before any operation, under the status that HTTP gives it. */
export function refusedAtDoor(id: RpcFault['id'], { refusal }: Refusal): Answer {
  const { status, headers, body } = refusal;
  return faultAnswer(status, fault(id, RPC_REQUEST, body.error, body), headers);
}
