import { defined } from '../../../../domain/defined.ts';
import { cleanLine } from '../../../../domain/registry/text.ts';
import { isObject, listOf } from '../../../../domain/jsonObject.ts';
import type { RpcEnd, RpcMessage } from '../rpc.ts';
import { responseBefore, type ConnectionRefused } from '../response.ts';
import {
  endSession,
  handshakeRequest,
  initialize,
  sessionOf,
  STATELESS_VERSION,
  statelessRequest,
  type Handshake,
  type McpPlace,
} from './channel.ts';
import { OLD_INITIALIZE, openOldStream, type OldStream } from './oldStream.ts';

/**
 * Finds a server's revision (choices registry.formats) by `server/discover`, then `initialize`,
 * then a GET that streams if the POST is refused. 401, 403 and 429 say nothing about the era.
 */
export interface McpSession {
  readonly transport: 'streamable-http' | 'sse';
  readonly protocolVersion: string;
  /** The answer to the opening; not parsed yet. */
  readonly opening: unknown;
  request(message: RpcMessage): Promise<RpcEnd>;
  close(): Promise<void>;
  /** Set when the server keeps nothing between requests, so that the next one needs no opening. */
  readonly handshake?: Handshake;
}

export type McpOpening =
  | { readonly kind: 'open'; readonly session: McpSession }
  /** Why it did not open; a `refused` is what `initialize` got. */
  | { readonly kind: 'shut'; readonly end: ConnectionRefused };

/** The result of an earlier visit, which spares the search. */
export interface KnownEra {
  readonly transport?: string;
  readonly protocolVersion?: string;
}

const VERSION_GRAMMAR = /^20\d\d-\d\d-\d\d$/;
const MODERN_ERRORS = [-32_020, -32_021, -32_022];

export async function openMcp(place: McpPlace, known: KnownEra = {}): Promise<McpOpening> {
  if (known.transport === 'sse') {
    const old = await openOld(place);
    if (old.kind === 'open') return old;
  }
  if (known.protocolVersion !== undefined && known.protocolVersion < STATELESS_VERSION) {
    return openHandshake(place);
  }
  return (await openStateless(place)) ?? openHandshake(place);
}

/** Undefined when it is not of the stateless era. */
async function openStateless(place: McpPlace): Promise<McpOpening | undefined> {
  let end = await discover(place, STATELESS_VERSION);
  if (end.kind === 'answer' && MODERN_ERRORS.includes(end.reply?.error?.code ?? 0)) {
    const data = end.reply?.error?.data;
    const other = newest(isObject(data) ? data['supported'] : undefined);
    if (other === undefined || other === STATELESS_VERSION) return undefined;
    end = await discover(place, other);
  }
  const result = end.kind === 'answer' ? end.reply?.result : undefined;
  const version = newest(isObject(result) ? result['supportedVersions'] : undefined);
  if (version !== undefined) return { kind: 'open', session: stateless(place, version, result) };
  const before = responseBefore(end);
  if (before?.kind === 'key-needed' || before?.kind === 'quote') return shut(before);
  // A server that fails on a method it does not know may still shake hands; one that is out of
  // reach, or that has had enough, is not asked again.
  const isOver =
    before?.kind === 'failed' && !['malformed', 'server-error'].includes(before.reason);
  const isTooMany = end.kind === 'answer' && end.status === 429;
  return before !== undefined && (isOver || isTooMany) ? shut(before) : undefined;
}

function discover(place: McpPlace, version: string): Promise<RpcEnd> {
  return statelessRequest(
    place,
    { id: 'discover', method: 'server/discover', params: {} },
    version,
  );
}

/** The newest version of the stateless era in a list. */
function newest(versions: unknown): string | undefined {
  const known = listOf(versions).filter(
    (each): each is string => typeof each === 'string' && VERSION_GRAMMAR.test(each),
  );
  return known
    .filter((each) => each >= STATELESS_VERSION)
    .sort()
    .at(-1);
}

function stateless(place: McpPlace, version: string, opening: unknown): McpSession {
  return {
    transport: 'streamable-http',
    protocolVersion: version,
    opening,
    request: (message) => statelessRequest(place, message, version),
    close: async () => undefined,
  };
}

async function openHandshake(place: McpPlace): Promise<McpOpening> {
  const end = await initialize(place);
  const before = responseBefore(end);
  if (before === undefined && end.kind === 'answer') {
    const opening = end.reply?.result;
    const version = versionOf(opening);
    if (version === undefined) return shut(malformed('It answers initialize without a version.'));
    const sessionId = sessionOf(end);
    const handshake = { version, ...defined({ sessionId }) };
    const params = {};
    await handshakeRequest(place, { method: 'notifications/initialized', params }, handshake);
    return { kind: 'open', session: resumeHandshake(place, handshake, opening) };
  }
  if (before === undefined) return shut(malformed('It answers initialize with nothing.'));
  const isOldSign = before.kind === 'refused' && before.status >= 400 && before.status < 500;
  if (!isOldSign) return shut(before);
  const old = await openOld(place);
  return old.kind === 'open' ? old : shut(before);
}

/** A session of the handshake era that is open already. */
export function resumeHandshake(
  place: McpPlace,
  handshake: Handshake,
  opening?: unknown,
): McpSession {
  return {
    transport: 'streamable-http',
    protocolVersion: handshake.version,
    opening,
    ...(handshake.sessionId === undefined && { handshake }),
    request: (message) => handshakeRequest(place, message, handshake),
    close: () => endSession(place, handshake),
  };
}

async function openOld(place: McpPlace): Promise<McpOpening> {
  const stream = await openOldStream(place);
  if ('kind' in stream) return shut(responseBefore(stream) ?? malformed('It streams nothing.'));
  const end = await stream.request(OLD_INITIALIZE);
  const opening = end.kind === 'answer' ? end.reply?.result : undefined;
  const version = versionOf(opening);
  if (version === undefined) {
    stream.close();
    return shut(responseBefore(end) ?? malformed('It answers initialize without a version.'));
  }
  await stream.request({ method: 'notifications/initialized', params: {} });
  return { kind: 'open', session: oldSession(stream, version, opening) };
}

function oldSession(stream: OldStream, version: string, opening: unknown): McpSession {
  return {
    transport: 'sse',
    protocolVersion: version,
    opening,
    request: (message) => stream.request(message),
    close: async () => stream.close(),
  };
}

/** It goes into a header of every later request, so it must fit into one. */
function versionOf(opening: unknown): string | undefined {
  const version = isObject(opening) ? cleanLine(opening['protocolVersion'], 32) : undefined;
  return version !== undefined && /^[\x21-\x7e]+$/.test(version) ? version : undefined;
}

function malformed(message: string): ConnectionRefused {
  return { kind: 'failed', reason: 'malformed', message };
}

function shut(end: ConnectionRefused): McpOpening {
  return { kind: 'shut', end };
}
