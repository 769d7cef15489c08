import type { components } from '../../generated/types.ts';
import { HubFailure } from './failure.ts';

type HttpCall = components['schemas']['HttpCall'];

/** A once-only call as it was sent, idempotencyKey included: `follow(hub, call)` sends it again. */
export interface KeptCall extends HttpCall {
  readonly method: 'POST';
  readonly path: string;
  readonly body: Record<string, unknown>;
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
    pending: () => [...calls.values()],
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

/** Stores the call with its own or a fresh key; undefined when the body is no JSON object. */
export async function keepOnce(
  request: Request,
  path: string,
  store: KeyStore,
): Promise<OnceCall | undefined> {
  const given = readObject(await request.clone().text());
  if (given === undefined) return undefined;
  const begun = (await store.begin?.(path, given)) ?? { body: given, isRepeated: false };
  const own = begun.body['idempotencyKey'];
  const key = typeof own === 'string' ? own : freshKey();
  const body = { ...begun.body, idempotencyKey: key };
  const call: KeptCall = { method: 'POST', path, body };
  await store.put(key, call);
  const headers = new Headers(request.headers);
  headers.set('content-type', 'application/json');
  const sent = new Request(request, { headers, body: JSON.stringify(body) });
  return { key, call, isRepeated: begun.isRepeated, request: sent };
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
