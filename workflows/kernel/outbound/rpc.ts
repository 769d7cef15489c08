import { defined } from '../../../domain/defined.ts';
import { fieldValue, type Fields } from '../../../domain/httpsig/message.ts';
import { cleanLine } from '../../../domain/registry/text.ts';
import { isObject, type JsonObject } from '../../../domain/jsonObject.ts';
import { parseExactly } from '../exactJson.ts';
import { openEvents, type StreamEvent } from './eventStream.ts';
import type { Outbound } from './fetcher.ts';
import type { Answered, BodyStream, Failed, OutboundRequest } from './outcome.ts';

/** One JSON-RPC message to an untrusted host over HTTP, answered as JSON or as an event stream. */
export interface RpcAnswer {
  readonly kind: 'answer';
  readonly status: number;
  readonly headers: Fields;
  /** Everything that was read of the body; of an event stream, up to the reply. */
  readonly bytes: Uint8Array;
  /** From the call to the reply. */
  readonly durationMs: number;
  /** The message that answers ours; absent when none came. */
  readonly reply?: RpcReply;
  /** The body as JSON; undefined when it is none. */
  readonly json: unknown;
  readonly finalUrl: string;
}
export type RpcEnd = RpcAnswer | Failed;

export interface RpcReply {
  readonly result?: unknown;
  /** The result with the numbers that a double would change (`exactJson.ts`). */
  readonly exactResult: () => unknown;
  readonly error?: RpcError;
}
interface RpcError {
  readonly code: number;
  readonly message: string;
  readonly data: unknown;
}

export interface RpcMessage {
  /** Absent for a notification, which has no answer. */
  readonly id?: string;
  readonly method: string;
  readonly params: unknown;
}

/** The carrier of the requests: the guard, or the connection of an agent that connected itself. */
export type Carrier = Pick<Outbound, 'fetch' | 'stream'>;

export interface RpcDependencies {
  readonly outbound: Carrier;
  readonly elapsedMs: () => number;
}

export function rpcBody(message: RpcMessage): Uint8Array {
  return Buffer.from(JSON.stringify({ jsonrpc: '2.0', ...message }));
}

/** Posts a message and reads until it is answered; `request` says where to and with what. */
export async function postRpc(
  { outbound, elapsedMs }: RpcDependencies,
  message: RpcMessage,
  request: Omit<OutboundRequest, 'method' | 'body'>,
  onProgress?: () => void,
): Promise<RpcEnd> {
  const startedAt = elapsedMs();
  const body = rpcBody(message);
  const answer = await outbound.stream({ ...request, method: 'POST', body });
  if (answer.kind === 'failed') return answer;
  const { status, headers, finalUrl } = answer;
  if (message.id === undefined) {
    // A notification has no answer; some servers open a stream for it all the same.
    answer.body.cancel();
    const durationMs = elapsedMs() - startedAt;
    const nothing = { bytes: new Uint8Array(), json: undefined };
    return { kind: 'answer', status, headers, finalUrl, durationMs, ...nothing };
  }
  const type = fieldValue(headers, 'content-type') ?? '';
  const read = /^text\/event-stream\b/i.test(type)
    ? await readEvents(answer, message.id, onProgress)
    : await readJson(answer, message.id);
  if ('kind' in read) return read;
  const durationMs = elapsedMs() - startedAt;
  return { kind: 'answer', status, headers, finalUrl, durationMs, ...read };
}

const PAGE = /^\s*(?:text\/html|application\/xhtml\+xml)\b/i;
type ReadBody = Pick<RpcAnswer, 'bytes' | 'json' | 'reply'>;

async function readJson(
  { body, headers }: Answered<BodyStream>,
  id: string | undefined,
): Promise<ReadBody | Failed> {
  const pieces: Uint8Array[] = [];
  for await (const part of body.parts) {
    if (part.kind === 'failed') return part;
    pieces.push(part.bytes);
  }
  const bytes = Buffer.concat(pieces);
  const text = bytes.toString('utf8');
  const json = looseJson(text);
  // A page that happens to hold JSON is no answer of a protocol; clients refuse its type as well.
  const isPage = PAGE.test(fieldValue(headers, 'content-type') ?? '');
  const reply = isPage ? undefined : replyIn(text, json, id);
  return { bytes, json, ...defined({ reply }) };
}

/** Until the reply: a server may never close its stream. */
async function readEvents(
  { body }: Answered<BodyStream>,
  id: string | undefined,
  onProgress?: () => void,
): Promise<ReadBody | Failed> {
  const pieces: Uint8Array[] = [];
  const events = openEvents();
  for await (const part of body.parts) {
    if (part.kind === 'failed') return part;
    pieces.push(part.bytes);
    const arrived = events.push(part.bytes);
    if (onProgress !== undefined && arrived.some(({ data }) => isProgress(data, id))) onProgress();
    const reply = replyAmong(arrived, id);
    if (reply === undefined) continue;
    body.cancel();
    return { bytes: Buffer.concat(pieces), json: undefined, reply };
  }
  const reply = replyAmong(events.end(), id);
  return { bytes: Buffer.concat(pieces), json: undefined, ...defined({ reply }) };
}

/** Progress names the token of the request, which is its id. */
function isProgress(text: string, id: string | undefined): boolean {
  const message = looseJson(text);
  if (!isObject(message) || message['method'] !== 'notifications/progress') return false;
  return isObject(message['params']) && message['params']['progressToken'] === id;
}

function replyAmong(events: readonly StreamEvent[], id: string | undefined): RpcReply | undefined {
  return events.map(({ data }) => replyIn(data, looseJson(data), id)).find(Boolean);
}

/** The reply in a text that was parsed to one message, or to a batch of them. */
export function replyIn(text: string, json: unknown, id: string | undefined): RpcReply | undefined {
  const find = (value: unknown): RpcReply | undefined => {
    const messages = Array.isArray(value) ? value : [value];
    return messages.map((each) => replyTo(each, id)).find(Boolean);
  };
  const reply = find(json);
  if (reply === undefined) return undefined;
  const exactResult = (): unknown => {
    try {
      return find(parseExactly(withoutMark(text)))?.result;
    } catch (error) {
      // Nested too deep to be read twice; the router refuses such a result.
      if (error instanceof RangeError) return reply.result;
      throw error;
    }
  };
  return { ...reply, exactResult };
}

/**
 * The message as a reply to ours. One that names our id may be sloppy otherwise; an error without an
 * id is ours too, if it is one of JSON-RPC: any API answers an `error` of its own.
 */
function replyTo(message: unknown, id: string | undefined): RpcReply | undefined {
  if (!isObject(message) || id === undefined || (message['method'] ?? null) !== null) {
    return undefined;
  }
  const isOurs = message['id'] === id;
  if (!isOurs && !isErrorWithoutId(message)) return undefined;
  const error = rpcError(message['error']);
  if (error !== undefined) return { error, exactResult: () => undefined };
  const { result } = message;
  return 'result' in message ? { result, exactResult: () => result } : undefined;
}

function isErrorWithoutId({ jsonrpc, id, error }: JsonObject): boolean {
  if (jsonrpc !== '2.0' || (id ?? null) !== null || !isObject(error)) return false;
  return Number.isSafeInteger(error['code']) && typeof error['message'] === 'string';
}

/** Parses untrusted JSON: returns undefined in place of an exception. */
export function looseJson(text: string): unknown {
  try {
    return JSON.parse(withoutMark(text));
  } catch {
    return undefined;
  }
}

/** Without the byte order mark that some servers send. */
const withoutMark = (text: string): string => text.replace(/^\ufeff/, '');

function rpcError(value: unknown): RpcError | undefined {
  if (!isObject(value)) return undefined;
  const code = Number.isSafeInteger(value['code']) ? Number(value['code']) : 0;
  return { code, message: cleanLine(value['message'], 300) ?? '', data: value['data'] };
}
