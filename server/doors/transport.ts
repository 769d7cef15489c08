import { Readable } from 'node:stream';
import { oneLine } from '../../domain/lines.ts';
import { JSON_MEMBERS_MAX } from '../../domain/jsonScan.ts';
import { refuse } from '../../workflows/kernel/errors.ts';
import { readBody } from '../middleware/body.ts';
import { tooLarge } from '../middleware/bodyRefusals.ts';
import { preflight as preflightOf } from '../middleware/preflight.ts';
import type { Answer, Exchange } from '../middleware/exchange.ts';
import type { OperationSpec } from '../../workflows/kernel/operation.ts';
import { errorText, type RpcFault } from './jsonRpc.ts';
import { a2aSkills, mcpTools } from '../../generated/doors.ts';
import { operationTable } from '../../generated/operations.ts';
import { doorLimit } from './files.ts';

/** The part of HTTP that agent doors share: one path, POST, one JSON message in and out. */
export interface Door {
  /** Answers a request of the door's path; throws HubError where HTTP itself is refused. */
  (exchange: Exchange): Promise<Answer>;
}

const ALLOW = 'OPTIONS, POST';
const STREAM_HEADERS = {
  'content-type': 'text/event-stream',
  'cache-control': 'no-cache, no-store',
  // Proxies would otherwise keep the events until the stream ends.
  'x-accel-buffering': 'no',
};
const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]']);

/** The door as a public operation: each message names one, which asks for the signature itself. */
export function doorSpec(id: string, path: string, summary: string): OperationSpec {
  const limits = { limitBytes: MESSAGE_BYTES_MAX, membersMax: JSON_MEMBERS_MAX };
  const body = { required: true, ...limits, brands: [], clamps: [], codes: {} };
  const auth = 'public';
  return { id, method: 'POST', path, summary, auth, body, parameters: [], answers: {}, errors: [] };
}

/** Refuses every method but POST; what a GET stream or a DELETE would need is not kept here. */
export function mustBePost({ method }: Exchange, spec: OperationSpec): void {
  if (method === 'POST') return;
  const error = `${method} is not a method of ${spec.path}; it answers ${ALLOW}.`;
  refuse('method-not-allowed', { error, allowed: ALLOW.split(', ') }, { allow: ALLOW });
}

/** Lets a browser client of an allowed origin send the protocol's headers and sign. */
export function preflight(exchange: Exchange, headers: readonly string[]): Answer {
  return preflightOf(exchange, ALLOW, headers);
}

/** Reads the message's exact bytes into the exchange, capped. */
export async function readDoorBody(exchange: Exchange, spec: OperationSpec): Promise<void> {
  await readBody({ exchange, spec });
  const limit = exceededLimit(exchange.rawBody);
  if (limit !== undefined) throw tooLarge(exchange.request, limit);
}

export function isJsonType(exchange: Exchange): boolean {
  const type = exchange.request.headers['content-type'] ?? '';
  return /^application\/json[ \t]*(?:;|$)/i.test(type);
}

/** Allows the hub's Origin and those on the caller's machine; others may be DNS rebinding. */
export function isOriginAllowed(exchange: Exchange, baseUrl: string): boolean {
  const { origin } = exchange.request.headers;
  if (origin === undefined) return true;
  if (!URL.canParse(origin)) return false;
  const url = new URL(origin);
  return url.origin === new URL(baseUrl).origin || LOOPBACK.has(url.hostname);
}

export function jsonAnswer(
  status: number,
  body: string,
  headers: Readonly<Record<string, string>> = {},
): Answer {
  return { status, headers: { ...headers, 'content-type': 'application/json' }, body };
}

export function faultAnswer(
  status: number,
  fault: RpcFault,
  headers: Readonly<Record<string, string>> = {},
): Answer {
  return jsonAnswer(status, errorText(fault), headers);
}

/** Server-sent events, each the JSON text of one message; the response ends the stream. */
export function eventAnswer(
  status: number,
  messages: AsyncIterable<string> | Iterable<string>,
): Answer {
  return { status, headers: STREAM_HEADERS, body: Readable.from(framed(messages)) };
}

/** Each JSON text is one `data:` line. */
async function* framed(texts: AsyncIterable<string> | Iterable<string>): AsyncGenerator<string> {
  for await (const text of texts) yield `event: message\ndata: ${oneLine(text)}\n\n`;
}

/**
 * How long a message may be (threats.stalled-loop), by its bytes before they are parsed: a long one
 * must name an operation that takes so much. Its arguments are limited later.
 */
const ENVELOPE_BYTES = 65_536;

interface Named {
  readonly name: string;
  readonly limitBytes: number;
}

const NAMED: readonly Named[] = [...Object.entries(mcpTools), ...Object.entries(a2aSkills)].map(
  ([name, id]) => ({ name, limitBytes: doorLimit(operationTable[id]) }),
);
const LIMITS = [...new Set(NAMED.map((each) => each.limitBytes))].sort((a, b) => b - a);

/** Bytes of the longest message of all. */
const MESSAGE_BYTES_MAX = ENVELOPE_BYTES + Math.max(...LIMITS);

/** Returns the limit that a message exceeds, by the operations that it names; undefined for none. */
function exceededLimit(message: Uint8Array): number | undefined {
  if (message.length <= ENVELOPE_BYTES) return undefined;
  const bytes = Buffer.from(message.buffer, message.byteOffset, message.byteLength);
  for (const limit of LIMITS) {
    const names = NAMED.filter((each) => each.limitBytes === limit);
    if (!names.some(({ name }) => bytes.includes(name))) continue;
    return message.length > limit + ENVELOPE_BYTES ? limit + ENVELOPE_BYTES : undefined;
  }
  return ENVELOPE_BYTES;
}
