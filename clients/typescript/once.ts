import type { components } from '../../generated/types.ts';
import { HubFailure } from './failure.ts';

type HttpCall = components['schemas']['HttpCall'];

/**
 * A once-only call as it was sent: `follow(hub, call)` sends it again. Its idempotencyKey is in the
 * body, also that of an operation that takes it in a header.
 */
export interface KeptCall extends HttpCall {
  readonly method: 'POST';
  readonly path: string;
  readonly body: Record<string, unknown>;
  /** Until when the hub knows the key, as ISO 8601; absent where that is a year. */
  readonly until?: string;
}

/** Whether the hub knows the key of a call no longer, so that it would happen a second time. */
export function isForgotten({ until }: KeptCall, nowMs: number): boolean {
  return until !== undefined && Date.parse(until) <= nowMs;
}

/**
 * Where idempotency keys are kept; one that dies with its process would let the next try pay twice
 * (choices ledger.idempotency). The first send waits for `put`. After `done` the key can go.
 */
export interface KeyStore {
  put(key: string, call: KeptCall): Promise<void>;
  done(key: string): Promise<void>;
  /**
   * Called before `put` with the body as the caller gave it. Returns the body to send, and whether
   * an earlier send of it has no answer: a refusal then does not prove that nothing happened.
   */
  begin?(path: string, given: Body): Begun | Promise<Begun>;
}

type Body = KeptCall['body'];

export interface Begun {
  readonly body: Body;
  readonly isRepeated: boolean;
}

export interface MemoryKeys extends KeyStore {
  /** Calls whose outcome is not known, oldest first. */
  pending(): readonly KeptCall[];
}

/** The default: holds keys for the life of the process. */
export function memoryKeys(): MemoryKeys {
  const calls = new Map<string, KeptCall>();
  return {
    begin: (_path, body) => ({ body, isRepeated: calls.has(String(body['idempotencyKey'])) }),
    put: (key, call) => {
      calls.set(key, call);
      return Promise.resolve();
    },
    done: (key) => {
      calls.delete(key);
      return Promise.resolve();
    },
    pending: () => [...calls.values()].filter((call) => !isForgotten(call, Date.now())),
  };
}

export interface OnceCall {
  readonly request: Request;
  readonly key: string;
  readonly call: KeptCall;
  /** Whether an earlier send of this call has no answer. */
  readonly isRepeated: boolean;
}

/**
 * A once-only call was sent and no answer arrived: it may have happened. A new call would be a
 * second one, so repeat this one: `follow(hub, error.call)` returns the first result, or makes it.
 */
export class OutcomeUnknown extends HubFailure {
  override readonly name = 'OutcomeUnknown';
  readonly code = 'outcome-unknown';
  readonly hint = 'Send the same call again with follow(hub, error.call); it happens once.';
  readonly link: string;
  override readonly call: KeptCall;

  constructor(call: KeptCall, cause: unknown, baseUrl = '') {
    const { method, path } = call;
    super(`no answer to ${method} ${path}; it may have happened: follow error.call`, { cause });
    this.call = call;
    this.link = baseUrl + path;
  }
}

const unknown = new WeakMap<Response, KeptCall>();

export function noteUnknown(response: Response, call: KeptCall): void {
  unknown.set(response, call);
}

export function unknownCall(response: Response): KeptCall | undefined {
  return unknown.get(response);
}

const KEY_BYTES = 16;
const KEY_HEADER = 'idempotency-key';
/** An hour less than the hub keeps the key of a header, for clocks that differ. */
const HEADER_KEY_MS = 23 * 3_600_000;

interface Place {
  readonly path: string;
  /** Where the key stands in the request. */
  readonly place: 'body' | 'header';
  /** In milliseconds. */
  readonly now: number;
}

/** Stores the call with its own or a fresh key; undefined when the body is no JSON object. */
export async function keepOnce(
  request: Request,
  { path, place, now }: Place,
  store: KeyStore,
): Promise<OnceCall | undefined> {
  const text = await request.clone().text();
  const read = readObject(text);
  if (read === undefined) return undefined;
  const inHeader = request.headers.get(KEY_HEADER);
  const given = inHeader === null ? read : { ...read, idempotencyKey: inHeader };
  const begun = (await store.begin?.(path, given)) ?? { body: given, isRepeated: false };
  const own = begun.body['idempotencyKey'];
  const key = typeof own === 'string' ? own : freshKey();
  const { idempotencyKey: _, ...unkeyed } = begun.body;
  const body = { ...unkeyed, idempotencyKey: key };
  const until = new Date(now + HEADER_KEY_MS).toISOString();
  const call: KeptCall = { method: 'POST', path, body, ...(place === 'header' && { until }) };
  await store.put(key, call);
  const sent = place === 'body' ? body : unkeyed;
  const headers = new Headers(request.headers);
  if (place === 'header') headers.set(KEY_HEADER, key);
  const isEmpty = text === '' && Object.keys(sent).length === 0;
  if (!isEmpty) headers.set('content-type', 'application/json');
  const init = isEmpty ? { headers } : { headers, body: JSON.stringify(sent) };
  return { key, call, isRepeated: begun.isRepeated, request: new Request(request, init) };
}

function readObject(text: string): Record<string, unknown> | undefined {
  if (text === '') return {};
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** 128 random bits. */
export function freshKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(KEY_BYTES));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
