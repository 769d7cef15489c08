import type { Readable } from 'node:stream';
import { linesOf, oneLine } from '../../domain/lines.ts';
import { sseEvents } from '../typescript/streams.ts';
import { signRequest, type Signer } from '../typescript/sign.ts';

/** A stdio MCP server for hosts that cannot sign: it signs each message and posts it to the hub. */
export interface BridgeOptions {
  /** Base address of the hub, without a trailing slash. */
  readonly hub: string;
  readonly signer: Signer;
  /** The toolsets that the host is shown, such as `default` or `tasks,wallet`. */
  readonly toolsets: string;
  readonly input: Readable;
  readonly write: (line: string) => void;
}

/** The door reads no longer message. */
const LINE_CHARACTERS_MAX = 4_194_304;
/** Messages under way at once; the host's further lines wait. */
const OPEN_MAX = 64;
/** Codes of JSON-RPC 2.0 5.1, and one of those that are left to servers. */
const PARSE_ERROR = -32_700;
const HUB_UNREACHABLE = -32_000;

type Message = Readonly<Record<string, unknown>>;
type Id = string | number;

/** Serves until the host closes its side; what is under way then is still answered. */
export async function runMcpBridge(options: BridgeOptions): Promise<void> {
  const open = new Map<Id, AbortController>();
  const running = new Set<Promise<void>>();
  const session: Session = { protocolVersion: undefined, sessionId: undefined };
  for await (const line of linesOf(options.input)) {
    if (line.trim() === '') continue;
    const message = parsed(line);
    if (message === undefined) {
      write(options, failure(null, PARSE_ERROR, 'Parse error: a line is one JSON object'));
      continue;
    }
    cancelNamed(message, open);
    while (running.size >= OPEN_MAX) await Promise.race(running);
    const run = forward(message, line, options, session, open).finally(() => running.delete(run));
    running.add(run);
    // The version that the handshake agrees on goes into the headers of all that follows.
    if (message['method'] === 'initialize') await run;
  }
  await Promise.all(running);
}

interface Session {
  protocolVersion: string | undefined;
  sessionId: string | undefined;
}

async function forward(
  message: Message,
  line: string,
  options: BridgeOptions,
  session: Session,
  open: Map<Id, AbortController>,
): Promise<void> {
  const { hub, signer, toolsets } = options;
  const id = idOf(message);
  const gone = new AbortController();
  if (id !== undefined) open.set(id, gone);
  try {
    const request = new Request(`${hub}/mcp?toolsets=${encodeURIComponent(toolsets)}`, {
      method: 'POST',
      headers: headersOf(session),
      body: line,
      signal: gone.signal,
    });
    const response = await fetch(await signRequest(request, signer));
    session.sessionId = response.headers.get('mcp-session-id') ?? session.sessionId;
    for await (const answer of answersOf(response)) {
      if (message['method'] === 'initialize') session.protocolVersion = versionIn(answer);
      write(options, answer);
    }
  } catch (error) {
    // A host that took its call back waits for no answer to it.
    if (gone.signal.aborted || id === undefined) return;
    write(options, failure(id, HUB_UNREACHABLE, `No whole answer from ${hub}: ${reasonOf(error)}`));
  } finally {
    if (id !== undefined) open.delete(id);
  }
}

function headersOf({ protocolVersion, sessionId }: Session): Record<string, string> {
  return {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    ...(protocolVersion !== undefined && { 'mcp-protocol-version': protocolVersion }),
    ...(sessionId !== undefined && { 'mcp-session-id': sessionId }),
  };
}

/** The JSON-RPC messages in an answer of the door, in their order; notifications have none. */
async function* answersOf(response: Response): AsyncGenerator<Message> {
  if (response.headers.get('content-type')?.startsWith('text/event-stream') === true) {
    for await (const { data } of sseEvents(response)) {
      const message = parsed(data);
      if (message !== undefined) yield message;
    }
    return;
  }
  const text = await response.text();
  if (text === '') return;
  const message = parsed(text);
  if (message?.['jsonrpc'] === '2.0') yield message;
  else throw new Error(`HTTP ${response.status}: ${text.slice(0, 400)}`);
}

function cancelNamed({ method, params }: Message, open: ReadonlyMap<Id, AbortController>): void {
  if (method !== 'notifications/cancelled' || !isObject(params)) return;
  const { requestId } = params;
  if (typeof requestId === 'string' || typeof requestId === 'number') open.get(requestId)?.abort();
}

function versionIn({ result }: Message): string | undefined {
  const version = isObject(result) ? result['protocolVersion'] : undefined;
  return typeof version === 'string' ? version : undefined;
}

function failure(id: Id | null, code: number, message: string): Message {
  return { jsonrpc: '2.0', id, error: { code, message } };
}

function write(options: BridgeOptions, message: Message): void {
  options.write(`${oneLine(JSON.stringify(message))}\n`);
}

function parsed(text: string): Message | undefined {
  if (text.length > LINE_CHARACTERS_MAX) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function idOf({ id, method }: Message): Id | undefined {
  const isId = typeof id === 'string' || typeof id === 'number';
  return typeof method === 'string' && isId ? id : undefined;
}

function isObject(value: unknown): value is Message {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? error.cause.message : error.message;
}
