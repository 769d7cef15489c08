import { setTimeout as sleep } from 'node:timers/promises';
import { KEY_HEADER } from '../../../domain/httpsig/base.ts';
import type { AnyReply } from '../../http/wire.ts';
import type { Answer, Exchange, Identified } from '../../middleware/exchange.ts';
import type { OperationSpec } from '../../../workflows/kernel/operation.ts';
import { operationTable } from '../../../generated/operations.ts';
import type { Arguments } from '../arguments.ts';
import { nearestTool, operationOfTool, toolNamed } from '../toolNames.ts';
import { fault, RPC_PARAMS, type RpcFault, type RpcId } from '../jsonRpc.ts';
import { isObject, withoutUnset } from '../../../domain/jsonObject.ts';
import type { Operations, Outcome } from '../operations.ts';
import { paymentHeader } from '../payment.ts';
import { eventAnswer, faultAnswer, jsonAnswer } from '../transport.ts';
import type { Era } from './era.ts';
import type { OpenCalls } from './openCalls.ts';
import type { Words } from '../words.ts';
import { responseText, unauthorizedText } from './toolResult.ts';
import { head } from '../../../domain/text.ts';

/** `tools/call`: one tool is one operation, run as the HTTP door runs it. */

export interface ToolRequest {
  readonly id: RpcId;
  readonly params: Arguments;
  readonly era: Era;
  readonly accepts: Accepts;
  /** The result is text alone, and not structured beside it. */
  readonly isOnce?: boolean;
}
export interface Accepts {
  readonly json: boolean;
  readonly events: boolean;
}

export interface ToolParts {
  readonly operations: Operations;
  readonly calls: OpenCalls;
  readonly words: Words;
  /** Between two signs of life of a call that waits. */
  readonly progressEveryMs: number;
}

/** Bytes of a stream's events that its result repeats; what is over is only counted. */
const EVENTS_BYTES_MAX = 4_194_304;

export async function callTool(
  parts: ToolParts,
  exchange: Exchange,
  request: ToolRequest,
): Promise<Answer> {
  const tool = readTool(request);
  if ('kind' in tool) return faultAnswer(200, tool);
  const { accepts } = request;
  const { spec } = tool;
  const reply = (outcome: Outcome): Answer =>
    answered(request, finished(request, parts.words.spoken(spec, outcome)));
  const admission = await parts.operations.admit(exchange, spec);
  if (admission.kind === 'refusal') return reply(admission);
  const { call } = admission;
  if (spec.waits !== true && spec.stream === undefined) {
    return reply(await parts.operations.run(call, tool));
  }
  const progress = accepts.events ? tool.progressToken : undefined;
  const long = longCall(parts, { call, tool, request, progress });
  const first = await long.next();
  if (first.done === true) return answered(request, first.value);
  return eventAnswer(200, following(first.value, long));
}

/** The idempotency key of a call, as at the doors of hosted agents. */
const KEY = 'hub/idempotency-key';

interface Tool {
  readonly spec: OperationSpec;
  readonly arguments: Arguments;
  /** The parts of `_meta` that are headers over HTTP: a payment, and the key of the call. */
  readonly header: Readonly<Record<string, string>>;
  readonly progressToken: ProgressToken | undefined;
}

/** Reads the tool of `params`; invalid names and shapes are the protocol's own error. */
function readTool({ id, params }: ToolRequest): Tool | RpcFault {
  const { name, arguments: given = {}, _meta: meta = {} } = params;
  const wrong = (what: string): RpcFault => fault(id, RPC_PARAMS, `Invalid params: ${what}`);
  if (typeof name !== 'string') return wrong('name must be a string');
  const operation = operationOfTool(toolNamed(name), given);
  if (operation === undefined) {
    const meant = nearestTool(name);
    const hint = meant === undefined ? 'search-tools finds a tool by words.' : `Call ${meant}.`;
    return fault(id, RPC_PARAMS, `Unknown tool: ${head(name, 80)}`, { hint, nearest: meant });
  }
  if (!isObject(given)) return wrong('arguments must be an object');
  if (!isObject(meta)) return wrong('_meta must be an object');
  const { progressToken, 'x402/payment': payment, [KEY]: key } = withoutUnset(meta);
  if (payment !== undefined && !isObject(payment)) {
    return wrong('_meta["x402/payment"] must be an object');
  }
  if (key !== undefined && typeof key !== 'string') {
    return wrong(`_meta["${KEY}"] must be a string`);
  }
  if (progressToken !== undefined && !isToken(progressToken)) {
    return wrong('_meta.progressToken must be a string or an integer');
  }
  return {
    spec: operationTable[operation],
    arguments: given,
    header: {
      ...(payment && paymentHeader(payment)),
      ...(key !== undefined && { [KEY_HEADER]: key }),
    },
    progressToken,
  };
}

function isToken(value: unknown): value is ProgressToken {
  return typeof value === 'string' || Number.isSafeInteger(value);
}

interface Finished {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
}

/** Only a refused signature shows in the HTTP status: transports act on that one. */
function finished(request: ToolRequest, outcome: Outcome): Finished {
  const { id } = request;
  if (outcome.kind === 'reply') {
    return { status: 200, headers: {}, text: responseText(id, request, outcome) };
  }
  const { status, headers } = outcome.refusal;
  if (status === 401) return { status, headers, text: unauthorizedText(id, outcome) };
  return { status: 200, headers, text: responseText(id, request, outcome) };
}

function answered({ accepts }: ToolRequest, { status, headers, text }: Finished): Answer {
  if (accepts.json || status !== 200) return jsonAnswer(status, text, headers);
  return eventAnswer(status, [text]);
}

interface LongCall {
  readonly call: Identified;
  readonly tool: Tool;
  readonly request: ToolRequest;
  /** The token of the progress notifications; none are sent without one. */
  readonly progress: ProgressToken | undefined;
}

/** Yields messages, then returns the response, which keeps its HTTP status if there were none. */
async function* longCall(parts: ToolParts, long: LongCall): AsyncGenerator<string, Finished> {
  const { call, tool, request } = long;
  const open = parts.calls.enter(call.identity, request.id);
  try {
    const running = parts.operations.run(call, { ...tool, cancelled: open.cancelled });
    const outcome = yield* waiting(running, long, parts.progressEveryMs);
    if (outcome.kind === 'refusal' || !isStream(outcome.reply)) {
      return finished(request, parts.words.spoken(tool.spec, outcome));
    }
    return finished(request, yield* streamed(parts.operations, long, outcome.reply));
  } finally {
    open.leave();
  }
}

/** One sign of life a period; how long the operation waits is its own limit. */
async function* waiting(
  running: Promise<Outcome>,
  { progress }: LongCall,
  everyMs: number,
): AsyncGenerator<string, Outcome> {
  if (progress === undefined) return running;
  for (let periods = 1; ; periods += 1) {
    const isOver = new AbortController();
    const period = sleep(everyMs, undefined, { signal: isOver.signal }).catch(() => undefined);
    const ended = await Promise.race([running, period]);
    isOver.abort();
    if (ended !== undefined) return ended;
    yield progressText(progress, periods, { message: 'waiting' });
  }
}

interface Streaming extends AnyReply {
  readonly body: AsyncIterable<unknown>;
}

function isStream(reply: AnyReply): reply is Streaming {
  return (
    typeof reply.body === 'object' && reply.body !== null && Symbol.asyncIterator in reply.body
  );
}

/** Every event as progress, and all of them once more in the result, for clients that show none. */
async function* streamed(
  operations: Operations,
  { call, progress }: LongCall,
  { headers = {}, body }: Streaming,
): AsyncGenerator<string, Outcome> {
  const events: unknown[] = [];
  let [count, bytes] = [0, 0];
  try {
    for await (const event of body) {
      const message = JSON.stringify(event);
      count += 1;
      bytes += Buffer.byteLength(message);
      if (bytes <= EVENTS_BYTES_MAX) events.push(event);
      if (progress !== undefined) yield progressText(progress, count, { message });
    }
  } catch (thrown) {
    return operations.refusalOf(call.exchange, thrown);
  }
  const omitted = count - events.length;
  const result = { events, ...(omitted > 0 && { eventsOmitted: omitted }) };
  return { kind: 'reply', reply: { status: 200, headers, body: result } };
}

async function* following(
  first: string,
  rest: AsyncGenerator<string, Finished>,
): AsyncGenerator<string> {
  yield first;
  const end = yield* rest;
  yield end.text;
}

type ProgressToken = RpcId;

/** `notifications/progress`; `progress` rises with every notification of a call. */
function progressText(
  progressToken: ProgressToken,
  progress: number,
  report: { readonly total?: number; readonly message: string },
): string {
  const params = { progressToken, progress, ...report };
  return JSON.stringify({ jsonrpc: '2.0', method: 'notifications/progress', params });
}
