import assert from 'node:assert/strict';
import { connect, type Socket } from 'node:net';
import { connect as connectSecure } from 'node:tls';
import { deref, document, validator, type Json } from './contract.ts';
import { deadEnds } from './hints.ts';
import { patiently } from './patience.ts';

/** Exact bytes to a hub and back: what is tested here is what fetch would tidy away. */
export interface WireAnswer {
  readonly status: number;
  /** Names in lower case; of a header sent twice, both values joined. */
  readonly headers: Headers;
  readonly text: string;
  /** Empty unless the answer is JSON. */
  readonly body: Record<string, unknown>;
}

export interface WireRequest {
  readonly method: string;
  readonly target: string;
  readonly headers: readonly (readonly [string, string])[];
  readonly body?: string | Uint8Array;
}

/** Longer than any answer needs, shorter than a person waits: past it, the hub hangs. */
const ANSWER_MS_MAX = 10_000;
const HEAD_END = '\r\n\r\n';

/** One request as bytes; Content-Length is added where the request leaves it out. */
export function wireBytes({ method, target, headers, body = '' }: WireRequest): Buffer {
  const content = Buffer.from(body);
  const framed = headers.some(([name]) =>
    ['content-length', 'transfer-encoding'].includes(name.toLowerCase()),
  );
  const lines = headers.map(([name, value]) => `${name}: ${value}`);
  if (!framed && content.length > 0) lines.push(`Content-Length: ${content.length}`);
  const head = [`${method} ${target} HTTP/1.1`, ...lines].join('\r\n') + HEAD_END;
  // One byte for each letter, as HTTP has it; what does not fit in one goes as UTF-8.
  const encoding = /^[\u0000-\u00ff]*$/.test(head) ? 'latin1' : 'utf8';
  return Buffer.concat([Buffer.from(head, encoding), content]);
}

/** Sends a request line for line; `Connection: close` and Host are the caller's to add. */
export function overWire(url: string, request: WireRequest): Promise<WireAnswer> {
  return patiently(() => rawExchange(url, [wireBytes(request)], request.method === 'HEAD'));
}

export async function rawExchange(
  url: string,
  pieces: readonly (string | Buffer)[],
  headOnly = false,
  pauseMs = 0,
): Promise<WireAnswer> {
  const socket = await dial(url);
  try {
    const answer = readAnswer(socket, headOnly);
    for (const piece of pieces) {
      if (socket.writable) socket.write(piece);
      if (pauseMs > 0) await new Promise((resolve) => setTimeout(resolve, pauseMs));
    }
    return await answer;
  } finally {
    socket.destroy();
  }
}

export function dial(url: string): Promise<Socket> {
  const { hostname, port, protocol } = new URL(url);
  const isSecure = protocol === 'https:';
  const socket = isSecure
    ? connectSecure({ host: hostname, port: Number(port || 443), servername: hostname })
    : connect(Number(port || 80), hostname);
  socket.on('error', () => undefined);
  return new Promise((resolve, reject) => {
    socket.once(isSecure ? 'secureConnect' : 'connect', () => resolve(socket));
    socket.once('error', reject);
  });
}

/** Reads one answer; the socket may be asked again after it. */
export function readAnswer(socket: Socket, headOnly = false): Promise<WireAnswer> {
  return new Promise((resolve, reject) => {
    let bytes = Buffer.alloc(0);
    const shown = (): string => bytes.toString('latin1', 0, 400);
    const leave = (): void => {
      clearTimeout(timer);
      socket.off('data', onData).off('close', onClose).off('error', ignore);
    };
    const tryRead = (ended: boolean): void => {
      const answer = parseAnswer(bytes, headOnly, ended);
      if (answer === undefined && !ended) return;
      leave();
      if (answer === undefined) reject(new Error(`closed without an answer: ${shown()}`));
      else resolve(answer);
    };
    const onData = (piece: Buffer): void => {
      bytes = Buffer.concat([bytes, piece]);
      tryRead(false);
    };
    const onClose = (): void => tryRead(true);
    // A reset after the answer has come takes nothing back.
    const ignore = (): void => undefined;
    const timer = setTimeout(() => {
      leave();
      reject(new Error(`no whole answer in ${ANSWER_MS_MAX} ms: ${shown()}`));
    }, ANSWER_MS_MAX);
    socket.on('data', onData).on('close', onClose).on('error', ignore);
  });
}

function parseAnswer(bytes: Buffer, headOnly: boolean, ended: boolean): WireAnswer | undefined {
  const cut = bytes.indexOf(HEAD_END);
  if (cut < 0) return undefined;
  const [statusLine = '', ...lines] = bytes.toString('latin1', 0, cut).split('\r\n');
  const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(statusLine)?.[1]);
  const rest = bytes.subarray(cut + HEAD_END.length);
  if (status === 100) return parseAnswer(rest, headOnly, ended);
  const headers = new Headers(
    lines.map((line): [string, string] => {
      const colon = line.indexOf(':');
      return [line.slice(0, colon), line.slice(colon + 1).trim()];
    }),
  );
  const length = headOnly
    ? 0
    : Number(headers.get('content-length') ?? (ended ? rest.length : NaN));
  if (Number.isNaN(length) || rest.length < length) return undefined;
  const text = rest.toString('utf8', 0, length);
  const isJson = headers.get('content-type') === 'application/json' && text !== '';
  const body = (isJson ? JSON.parse(text) : {}) as Record<string, unknown>;
  return { status, headers, text, body };
}

const EVERY_ANSWER = [
  'x-request-id',
  'x-ratelimit-limit',
  'x-ratelimit-remaining',
  'x-ratelimit-policy',
];

/** Every answer says which request it is of and what is left of which allowance. */
export function mustCarryHeaders(answer: Pick<WireAnswer, 'status' | 'headers' | 'text'>): void {
  const missing = EVERY_ANSWER.filter((name) => answer.headers.get(name) === null);
  assert.deepEqual(missing, [], `${answer.status} ${answer.text}`);
  for (const name of ['x-ratelimit-limit', 'x-ratelimit-remaining']) {
    assert.match(answer.headers.get(name) ?? '', /^\d+$/, name);
  }
  assert.match(answer.headers.get('x-ratelimit-policy') ?? '', /^"[a-z-]+";q=\d+;w=\d+;pk=\w+$/);
}

/** A refusal that no operation declares, such as 404 of no route, still has the one error body. */
export function mustBeRefusal(
  answer: Pick<WireAnswer, 'status' | 'headers' | 'text' | 'body'>,
  status: number,
  code: string,
): Readonly<Record<string, unknown>> {
  const { refusal, schema } = refusalOf(answer.body);
  assert.deepEqual([answer.status, refusal['code']], [status, code], answer.text.slice(0, 500));
  assert.equal(answer.headers.get('content-type'), 'application/json');
  const check = validator(deref<Json>(document.components['schemas']?.[schema]));
  assert.ok(check(answer.body), JSON.stringify(check.errors));
  assert.equal(refusal['requestId'], answer.headers.get('x-request-id'));
  assert.deepEqual(deadEnds({ status, body: refusal }), []);
  mustCarryHeaders(answer);
  return refusal;
}

/** The compatible door says the same in a nested form. */
export function refusalOf(body: Record<string, unknown>): {
  readonly refusal: Record<string, unknown>;
  readonly schema: 'Refusal' | 'CompatError' | 'MessagesError' | 'GoogleError';
} {
  const { error } = body;
  if (typeof error !== 'object' || error === null) return { refusal: body, schema: 'Refusal' };
  const refusal = error as Record<string, unknown>;
  if (body['type'] === 'error') {
    const requestId = body['request_id'];
    return { refusal: { ...refusal, requestId }, schema: 'MessagesError' };
  }
  const [detail] = (refusal['details'] ?? []) as readonly Record<string, unknown>[];
  if (detail === undefined) return { refusal, schema: 'CompatError' };
  return { refusal: { ...detail, code: detail['reason'] }, schema: 'GoogleError' };
}
