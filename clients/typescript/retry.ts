import { retryTable } from '../../generated/retries.ts';

/** Calls are repeated only if nothing can happen twice: 429, a read, or under an idempotency key. */
export interface RetryPolicy {
  /** Sends in total, the first one included. */
  readonly attempts: number;
  /** First pause; it doubles with each try and is drawn from its upper half. */
  readonly baseDelayMs: number;
  /** Longest pause. A retry-after beyond it is left to the caller, with the refusal. */
  readonly maxDelayMs: number;
}

export const RETRY_DEFAULTS: RetryPolicy = { attempts: 4, baseDelayMs: 250, maxDelayMs: 30_000 };

/** One send: what came back, or what the network said. */
export type Sent = { readonly response: Response } | { readonly error: unknown };

/** Milliseconds to wait before the next send; undefined when this outcome is the last. */
export async function pauseMs(
  sent: Sent,
  attempt: number,
  isSafe: boolean,
  policy: RetryPolicy,
): Promise<number | undefined> {
  if (attempt >= policy.attempts) return undefined;
  const backoff = Math.min(policy.maxDelayMs, policy.baseDelayMs * 2 ** (attempt - 1));
  const jittered = backoff * (0.5 + Math.random() / 2);
  if (!('response' in sent)) return isSafe ? jittered : undefined;
  const { response } = sent;
  const rule = retryTable[await codeOf(response)];
  if (rule !== 'wait' && !(isSafe && rule === 'same')) return undefined;
  const asked = retryAfterMs(response);
  if (asked === undefined) return jittered;
  return asked > policy.maxDelayMs ? undefined : asked + Math.random() * policy.baseDelayMs;
}

/** The code of a refusal; 429 without one, as of a proxy, is a limit too. */
async function codeOf(response: Response): Promise<string> {
  const assumed = response.status === 429 ? 'rate-limited' : '';
  if (response.ok) return assumed;
  try {
    const body: unknown = await response.clone().json();
    const isCoded = typeof body === 'object' && body !== null && 'code' in body;
    return isCoded && assumed === '' ? String(body.code) : assumed;
  } catch {
    return assumed;
  }
}

function retryAfterMs(response: Response): number | undefined {
  const text = response.headers.get('retry-after');
  if (text === null || !/^\d{1,6}$/.test(text)) return undefined;
  return Number(text) * 1000;
}

/** Resolves after the pause; rejects with the signal's reason when the caller gives up. */
export function pause(delayMs: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = (): void => {
      clearTimeout(timer);
      reject(reasonOf(signal));
    };
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', stop);
      resolve();
    }, delayMs);
    if (signal.aborted) stop();
    else signal.addEventListener('abort', stop, { once: true });
  });
}

function reasonOf(signal: AbortSignal): Error {
  const reason: unknown = signal.reason;
  return reason instanceof Error ? reason : new Error('aborted', { cause: reason });
}
