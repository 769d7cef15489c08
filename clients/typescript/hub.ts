import createClient from 'openapi-fetch';
import type { components, paths } from '../../generated/types.ts';
import { memoryKeys, type KeyStore } from './once.ts';
import { unwrap } from './refusal.ts';
import { report, type HubEvent } from './events.ts';
import { RETRY_DEFAULTS, type RetryPolicy } from './retry.ts';
import type { Routes } from './routes.ts';
import { openSender, type Send } from './send.ts';
import { signer, type SignerOptions } from './sign.ts';

export interface HubOptions {
  /** The hub's address, such as `https://hub.example`. */
  readonly baseUrl: string;
  /** The account's key, or a function that signs; without one only unsigned calls succeed. */
  readonly key?: SignerOptions;
  readonly fetch?: (request: Request, init?: RequestInit) => Promise<Response>;
  /** Where idempotency keys are kept before the first send; in memory when absent. */
  readonly keepKeys?: KeyStore;
  /** Changes to the retry policy; `false` sends each call once. */
  readonly retry?: false | Partial<RetryPolicy>;
  /** Seconds one send may take, 120 when absent. Streams are not timed. */
  readonly timeoutSeconds?: number;
  /** Unix time in milliseconds, for signatures. */
  readonly now?: () => number;
  /** Called at each send, answer, pause and lost answer, for logs. Its errors are dropped. */
  readonly onEvent?: (event: HubEvent) => void;
}

/** One call as the hub writes it in `next`, `deliver` and `retry`. */
export type HttpCall = components['schemas']['HttpCall'];

export interface Hub extends Routes {
  readonly baseUrl: string;
  /** `key:` and the key id; undefined without a key. */
  readonly account: string | undefined;
  /** Sends any request under the base address with the same signing, keys and retries. */
  readonly send: Send;
  /** The same hub with another key; its idempotency keys are kept in memory. */
  readonly as: (key: SignerOptions) => Hub;
  /** The same hub and key with another store of idempotency keys. */
  readonly keeping: (keepKeys: KeyStore) => Hub;
}

const TIMEOUT_SECONDS = 120;
const ONE_SEND: RetryPolicy = { ...RETRY_DEFAULTS, attempts: 1 };

/** A typed client of one hub: `hub.GET('/api/v1/tasks', …)`, `hub.POST(…)`. */
export function createHub(options: HubOptions): Hub {
  const baseUrl = options.baseUrl.replace(/\/+$/, '');
  const { key, retry } = options;
  const send = openSender({
    baseUrl,
    signer: key === undefined ? undefined : signer(key),
    fetch: options.fetch ?? ((request, init) => globalThis.fetch(request, init)),
    keepKeys: options.keepKeys ?? memoryKeys(),
    retry: retry === false ? ONE_SEND : { ...RETRY_DEFAULTS, ...retry },
    timeoutSeconds: options.timeoutSeconds ?? TIMEOUT_SECONDS,
    now: options.now ?? Date.now,
    report: report(options.onEvent),
  });
  // A signature covers one host and path, so a redirect would only send the body elsewhere.
  const client = createClient<paths>({ baseUrl, fetch: send, redirect: 'error' });
  // The same calls under types of our own, which see unknown fields (routes.ts says why).
  const { GET, POST, use } = client as Routes;
  const account = key === undefined ? undefined : `key:${key.keyId}`;
  const as = (other: SignerOptions): Hub =>
    createHub({ ...options, key: other, keepKeys: memoryKeys() });
  const keeping = (keepKeys: KeyStore): Hub => createHub({ ...options, keepKeys });
  return { GET, POST, use, baseUrl, account, send, as, keeping };
}

/**
 * Sends a call that the hub wrote out, such as `refusal.next[0].call` or `outcome.retry`, and gives
 * its JSON answer. Throws HubRefusal.
 */
export async function follow(hub: Hub, call: HttpCall): Promise<unknown> {
  const { method, path, body } = call;
  const init: RequestInit = { method, redirect: 'error' };
  if (body !== undefined) {
    init.headers = { 'content-type': 'application/json' };
    init.body = JSON.stringify(body);
  }
  const response = await hub.send(new Request(hub.baseUrl + path, init));
  const text = await response.text();
  const data = readJson(text);
  return unwrap(response.ok ? { data, response } : { error: data, response });
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
