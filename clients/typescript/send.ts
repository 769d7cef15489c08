import { readCalls, type CallKind } from './calls.ts';
import { keepOnce, noteUnknown, OutcomeUnknown, type OnceCall } from './once.ts';
import type { KeyStore } from './once.ts';
import { NoAnswer } from './failure.ts';
import type { HubEvent } from './events.ts';
import { pause, pauseMs, type RetryPolicy, type Sent } from './retry.ts';
import { signRequest, type Signer } from './sign.ts';

export interface SenderParts {
  /** Without a trailing slash. */
  readonly baseUrl: string;
  readonly signer: Signer | undefined;
  readonly fetch: (request: Request, init?: RequestInit) => Promise<Response>;
  readonly keepKeys: KeyStore;
  readonly retry: RetryPolicy;
  readonly timeoutSeconds: number;
  readonly now: () => number;
  readonly report: (event: HubEvent) => void;
}

export type Send = (request: Request) => Promise<Response>;

/** Stores the idempotency key, signs each send, which spends its nonce, and retries safe sends. */
export function openSender(parts: SenderParts): Send {
  const kindOf = readCalls();
  return async (request) => {
    const path = pathUnder(parts.baseUrl, request.url);
    const kind = kindOf(request.method, new URL(path, 'http://hub').pathname);
    const once = await keptOnce(request, path, kind, parts);
    if (once !== undefined) return sendOnceOnly(once, kind, parts);
    const isSafe = request.method === 'GET';
    return sendUntilDone(request, kind, isSafe, { isUncertain: false }, parts);
  };
}

/** The call under its key; undefined where it takes none, or where none would be kept for it. */
async function keptOnce(
  request: Request,
  path: string,
  { once: place }: CallKind,
  { signer, keepKeys, now }: SenderParts,
): Promise<OnceCall | undefined> {
  if (place === undefined || (place === 'header' && signer === undefined)) return undefined;
  return keepOnce(request, { path, place, now: now() }, keepKeys);
}

/** Path and query under the base address; a signed call to anywhere else is a mistake. */
function pathUnder(baseUrl: string, url: string): string {
  const base = new URL(baseUrl);
  const target = new URL(url);
  const prefix = base.pathname.replace(/\/+$/, '');
  if (target.origin !== base.origin || !target.pathname.startsWith(`${prefix}/`)) {
    throw new TypeError(`${url} is not under ${baseUrl}, the hub that this client speaks to`);
  }
  return target.pathname.slice(prefix.length) + target.search;
}

interface Progress {
  /** Whether a send has an unknown outcome: the money may have moved. */
  isUncertain: boolean;
}

/** Success consumes the key, a refusal moves nothing (choices ledger.idempotency): both settle. */
async function sendOnceOnly(
  { request, key, call, isRepeated }: OnceCall,
  kind: CallKind,
  parts: SenderParts,
): Promise<Response> {
  const progress: Progress = { isUncertain: isRepeated };
  let response: Response;
  try {
    response = await sendUntilDone(request, kind, true, progress, parts);
  } catch (error) {
    const cause = error instanceof NoAnswer ? error.cause : error;
    if (progress.isUncertain) throw new OutcomeUnknown(call, cause, parts.baseUrl);
    await forget(key, parts.keepKeys);
    throw error;
  }
  // Lost first and refused then: the refusal speaks of the second send alone.
  if (response.ok || !progress.isUncertain) await forget(key, parts.keepKeys);
  else noteUnknown(response, call);
  return response;
}

async function forget(key: string, keepKeys: KeyStore): Promise<void> {
  try {
    await keepKeys.done(key);
  } catch {
    // The answer matters more than the store's bookkeeping: a key that stays can only be repeated.
  }
}

async function sendUntilDone(
  request: Request,
  kind: CallKind,
  isSafe: boolean,
  progress: Progress,
  parts: SenderParts,
): Promise<Response> {
  for (let attempt = 1; ; attempt += 1) {
    const call = { method: request.method, url: request.url, attempt };
    parts.report({ kind: 'send', ...call });
    const startedMs = performance.now();
    const sent = await sendOnce(request, kind, parts);
    parts.report({ ...outcomeOf(sent), ...call, tookMs: performance.now() - startedMs });
    progress.isUncertain ||= !('response' in sent) || isUnknown(sent.response);
    const isGivenUp = request.signal.aborted;
    const delayMs = isGivenUp ? undefined : await pauseMs(sent, attempt, isSafe, parts.retry);
    if (delayMs !== undefined) {
      parts.report({ kind: 'pause', ...call, delayMs });
      await pause(delayMs, request.signal);
    } else if ('response' in sent) return sent.response;
    else throw isGivenUp ? sent.error : new NoAnswer(request, sent.error);
  }
}

/** A fault of the hub, or the word that the call is under way. */
function isUnknown({ status }: Response): boolean {
  return status >= 500 || status === 409;
}

type Outcome =
  | { readonly kind: 'answer'; readonly status: number; readonly requestId: string | undefined }
  | { readonly kind: 'lost'; readonly error: unknown };

function outcomeOf(sent: Sent): Outcome {
  if (!('response' in sent)) return { kind: 'lost', error: sent.error };
  const { status, headers } = sent.response;
  return { kind: 'answer', status, requestId: headers.get('x-request-id') ?? undefined };
}

async function sendOnce(request: Request, kind: CallKind, parts: SenderParts): Promise<Sent> {
  const { signer, timeoutSeconds, now } = parts;
  const isSigned = kind.auth === 'signed' || kind.auth === 'optional';
  const fresh =
    signer !== undefined && isSigned ? await signRequest(request, signer, now()) : request.clone();
  const timeout = new AbortController();
  const late = (): void => timeout.abort(new Error(`no answer within ${timeoutSeconds} s`));
  const timer = kind.stream ? undefined : setTimeout(late, timeoutSeconds * 1000);
  try {
    const signal = AbortSignal.any([request.signal, timeout.signal]);
    const response = await parts.fetch(fresh, { signal });
    // An answer cut off in the middle is a lost answer, so the whole of it is awaited here, where
    // the call can still be sent again; the caller reads the other half of the clone.
    if (!isStream(kind, response)) await response.clone().arrayBuffer();
    return { response };
  } catch (error) {
    return { error };
  } finally {
    clearTimeout(timer);
  }
}

function isStream(kind: CallKind, response: Response): boolean {
  const type = response.headers.get('content-type') ?? '';
  return kind.stream && !type.startsWith('application/json');
}
