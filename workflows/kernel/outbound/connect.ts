import http, { type ClientRequest, type IncomingMessage, type RequestOptions } from 'node:http';
import https from 'node:https';
import type { TLSSocket } from 'node:tls';
import { isSafeMethod, type OutboundMethod } from '../../../domain/outbound/request.ts';
import type { Target } from '../../../domain/outbound/target.ts';
import type { RequestContext } from './requestContext.ts';
import type { Limits } from './limits.ts';
import { failed, type Failed } from './outcome.ts';

/** One request to one address that was checked, up to the head of its answer. */
export interface ConnectOptions {
  readonly target: Target;
  /** The checked address and port, unless a test puts its own server there. */
  readonly endpoint: Endpoint;
  readonly method: OutboundMethod;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array | undefined;
  readonly limits: Limits;
  readonly connectMs: number;
  readonly agent: http.Agent;
  readonly elapsedMs: () => number;
}
export interface Endpoint {
  readonly host: string;
  readonly port: number;
}

export interface Head {
  readonly kind: 'head';
  readonly request: ClientRequest;
  readonly response: IncomingMessage;
  readonly connectMs: number;
  readonly firstByteMs: number;
  /** Returns the fault of the parser, when it could not read the rest. */
  fault(): unknown;
}

export interface Stop {
  readonly kind: 'stop';
  readonly failure: Failed;
  /** Whether the request may go again: nothing of it was sent, or a kept connection had died. */
  readonly again: 'next-address' | 'fresh-connection' | 'never';
}

type Phase = 'connecting' | 'handshaking' | 'waiting';

/** Interim answers (1xx) before the real one; each would otherwise begin a new header count. */
const INTERIM_MAX = 8;

export function connect(dialled: ConnectOptions, context: RequestContext): Promise<Head | Stop> {
  const { target, limits, elapsedMs } = dialled;
  return new Promise((resolve) => {
    const request = open(dialled);
    let phase: Phase = 'connecting';
    let readyAt = elapsedMs();
    let connectMs = 0;
    let interim = 0;
    let fault: unknown;
    let settled = false;
    const settle = (result: Head | Stop): void => {
      if (settled) return;
      settled = true;
      clearTimeout(timer);
      context.signal.removeEventListener('abort', stopped);
      if (result.kind === 'stop') request.destroy();
      resolve(result);
    };
    const stop = (failure: Failed, again: Stop['again'] = 'never'): void =>
      settle({ kind: 'stop', failure, again });
    const stopped = (): void => stop(context.why());
    const slowConnect = (): void => {
      const message = `${target.authority} took no connection within ${limits.connectMs} ms.`;
      stop(failed('timeout', message), phase === 'connecting' ? 'next-address' : 'never');
    };
    const slowAnswer = (): void => {
      const message = `${target.authority} sent no answer's head within ${limits.firstByteMs} ms.`;
      stop(failed('timeout', message));
    };
    let timer = setTimeout(slowConnect, dialled.connectMs);
    const ready = (): void => {
      phase = 'waiting';
      clearTimeout(timer);
      connectMs = request.reusedSocket ? 0 : elapsedMs() - readyAt;
      readyAt = elapsedMs();
      if (!settled) timer = setTimeout(slowAnswer, limits.firstByteMs);
    };
    onConnection(request, target, { handshaking: () => (phase = 'handshaking'), ready });
    request.on('error', (error) => {
      fault = error;
      stop(failureOf(error, phase, dialled), againAfter(phase, request, dialled.method));
    });
    request.on('information', () => {
      interim += 1;
      if (interim <= INTERIM_MAX) return;
      stop(failed('protocol', `${target.authority} sent more than ${INTERIM_MAX} 1xx answers.`));
    });
    request.on('upgrade', (_, socket) => {
      socket.destroy();
      stop(failed('protocol', `${target.authority} changed the protocol unasked.`));
    });
    request.on('response', (response) => {
      const firstByteMs = elapsedMs() - readyAt;
      settle({ kind: 'head', request, response, connectMs, firstByteMs, fault: () => fault });
    });
    context.signal.addEventListener('abort', stopped, { once: true });
    if (context.signal.aborted) stopped();
    request.end(dialled.body);
  });
}

/** Connects to an address, so no name is looked up here; TLS still checks the name. */
function open({ target, endpoint, method, headers, limits, agent }: ConnectOptions): ClientRequest {
  const options: RequestOptions = {
    ...endpoint,
    agent,
    method,
    path: target.pathAndQuery,
    headers: { host: target.authority, ...headers },
    setHost: false,
    maxHeaderSize: limits.headerBytesMax,
    insecureHTTPParser: false,
  };
  if (target.scheme === 'http') return http.request(options);
  // An address has no server name (RFC 6066 3); its certificate must name the address.
  return https.request({ ...options, servername: target.isAddress ? '' : target.host });
}

function onConnection(
  request: ClientRequest,
  { scheme }: Target,
  report: { handshaking: () => void; ready: () => void },
): void {
  request.once('socket', (socket: TLSSocket) => {
    if (request.reusedSocket) report.ready();
    else if (scheme === 'http') socket.once('connect', report.ready);
    else socket.once('connect', report.handshaking).once('secureConnect', report.ready);
  });
}

function againAfter(phase: Phase, request: ClientRequest, method: OutboundMethod): Stop['again'] {
  if (phase === 'connecting') return 'next-address';
  // RFC 9110 9.2.2: only what is safe may go twice, since the first may have been acted on.
  const mayRepeat = request.reusedSocket && isSafeMethod(method);
  return phase === 'waiting' && mayRepeat ? 'fresh-connection' : 'never';
}

function failureOf(error: Error, phase: Phase, { target, limits }: ConnectOptions): Failed {
  const code = codeOf(error);
  const whom = target.authority;
  if (phase === 'connecting') {
    const how = code === 'ECONNREFUSED' ? 'refused the connection' : 'could not be reached';
    return failed('connect', `${whom} ${how} (${code}).`);
  }
  if (phase === 'handshaking') {
    return failed('tls', `The TLS handshake with ${whom} failed (${code}).`);
  }
  if (code === 'HPE_HEADER_OVERFLOW') {
    const message = `The head of the answer of ${whom} is over ${limits.headerBytesMax} bytes.`;
    return failed('too-large', message);
  }
  if (code.startsWith('HPE_')) {
    return failed('protocol', `${whom} did not answer in HTTP/1.1 (${code}).`);
  }
  const message = `${whom} closed the connection before it answered (${code}).`;
  return { ...failed('connect', message), cutOff: true };
}

/** The name that Node gives an error; it says more to an operator than a sentence would. */
export function codeOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return typeof code === 'string' ? code : 'unknown';
}
