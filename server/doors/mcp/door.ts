import type { Hub } from '../../hub/hub.ts';
import { HubError } from '../../hub/errors.ts';
import type { Answer, Exchange } from '../../middleware/exchange.ts';
import {
  fault,
  readMessage,
  resultText,
  RPC_METHOD,
  RPC_REQUEST,
  type RpcFault,
  type RpcMessage,
} from '../jsonRpc.ts';
import type { Operations, Refusal } from '../operations.ts';
import {
  doorSpec,
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
import { openMethods } from './methods.ts';
import { openCalls } from './openCalls.ts';
import { MCP_PATH } from './path.ts';
import { callTool, type Accepts, type ToolParts } from './toolCall.ts';

/**
 * The MCP door: streamable HTTP without sessions. One POST is one JSON-RPC message; it is answered
 * with JSON, or with server-sent events when something is to be said before the response.
 */
export interface McpParts {
  readonly hub: Hub;
  readonly operations: Operations;
  /** Milliseconds between two signs of life of a call that waits. */
  readonly progressEveryMs?: number;
}

const SPEC = doorSpec('mcp', MCP_PATH, 'The MCP door');
const PROGRESS_EVERY_MS = 1_000;
/** The answer of a notification, which has none. */
const ACCEPTED: Answer = { status: 202, headers: {}, body: '' };

export function createMcpDoor(parts: McpParts): Door {
  const { hub, operations } = parts;
  const progressEveryMs = parts.progressEveryMs ?? PROGRESS_EVERY_MS;
  const tools: ToolParts = { operations, calls: openCalls(), progressEveryMs };
  const methods = openMethods(hub.settings.baseUrl);

  const answerRequest = async (exchange: Exchange, request: Request): Promise<Answer> => {
    const { id, method, era, accepts } = request;
    if (method === 'tools/call') return callTool(tools, exchange, request);
    const admission = await operations.admit(exchange, SPEC);
    if (admission.kind === 'refusal') return refusedAtDoor(id, admission);
    const result = methods(request);
    if (typeof result !== 'string') {
      const isUnknown = result.error.code === RPC_METHOD;
      return faultAnswer(era === 'stateless' && isUnknown ? 404 : 200, result);
    }
    const text = resultText(id, result);
    return accepts.json ? jsonAnswer(200, text) : eventAnswer(200, [text]);
  };

  const answerNotification = async (exchange: Exchange, message: Notice): Promise<Answer> => {
    if (message.method !== 'notifications/cancelled') {
      const admission = await operations.admit(exchange, SPEC);
      return admission.kind === 'refusal' ? refusedAtDoor(null, admission) : ACCEPTED;
    }
    const { requestId } = message.params;
    // Whoever signed calls signs this too; unsigned, it can only end unsigned calls.
    const admission = await operations.admit(exchange, CANCEL);
    if (admission.kind === 'refusal') return refusedAtDoor(null, admission);
    if (typeof requestId === 'string' || typeof requestId === 'number') {
      tools.calls.cancel(admission.call.identity, requestId);
    }
    return ACCEPTED;
  };

  return async (exchange) => {
    if (exchange.method === 'OPTIONS') return preflight(PROTOCOL_HEADERS);
    mustBePost(exchange, SPEC);
    const accepts = acceptedBy(exchange);
    const barred = barredByHeaders(exchange, accepts, hub.settings.baseUrl);
    if (barred !== undefined) return barred;
    const message = await readPost(exchange, operations);
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

/** Looks at a signature, if there is one, and counts; refuses only a signature that fails. */
const CANCEL = { ...SPEC, auth: 'optional' as const };

type Notice = Extract<RpcMessage, { readonly kind: 'notification' }>;
interface Request extends Omit<Extract<RpcMessage, { readonly kind: 'request' }>, 'kind'> {
  readonly era: Era;
  readonly accepts: Accepts;
}

/** What HTTP's own headers bar before the body is read. */
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

async function readPost(exchange: Exchange, operations: Operations): Promise<RpcMessage | Refusal> {
  try {
    await readDoorBody(exchange, SPEC);
  } catch (thrown) {
    if (!(thrown instanceof HubError)) throw thrown;
    return operations.refusalOf(exchange, thrown);
  }
  return readMessage(exchange.rawBody);
}

/** A refusal before any operation, under the status that HTTP gives it. */
function refusedAtDoor(id: RpcFault['id'], { refusal }: Refusal): Answer {
  const { status, headers, body } = refusal;
  return faultAnswer(status, fault(id, RPC_REQUEST, body.error, body), headers);
}
