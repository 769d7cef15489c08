import { createHash, timingSafeEqual } from 'node:crypto';
import type { Door } from '../doors/transport.ts';
import { refuse } from '../../workflows/kernel/errors.ts';
import type { Hub } from '../../workflows/kernel/hub.ts';
import type { Answer } from '../middleware/exchange.ts';
import { openHubState, type HubState } from './hubState.ts';
import type { Metrics } from './metrics.ts';
import { readInTime } from './readInTime.ts';

/**
 * For balancers and Prometheus. `/healthz`: the process answers; a page that asks for JSON gets the
 * state. `/readyz`: 503 when it is about to end, its database only reads or takes more than a second,
 * or `Health` has a fault. `/metrics` needs the bearer token.
 */
export interface Plain {
  readonly status: number;
  readonly type: string;
  readonly body: string;
}
export interface OperatorParts {
  readonly hub: Hub;
  readonly metrics: Metrics | undefined;
  /** Whether the process was asked to end. */
  readonly isDraining: () => boolean;
}

const JSON_TYPE = 'application/json';
const TEXT = 'text/plain; charset=utf-8';

/** Paths that balancers and Prometheus ask each few seconds; they write no access lines. */
export const PROBED_PATHS: readonly string[] = ['/healthz', '/readyz', '/metrics'];

/** The paths at the hub's own port, where no caller is trusted. */
export function operatorPaths(parts: OperatorParts): ReadonlyMap<string, Door> {
  const state = openHubState(parts.hub);
  const door: Door = async (exchange) => {
    const { accept, authorization } = exchange.request.headers;
    if (exchange.rawPath === '/healthz' && accept === JSON_TYPE) return shownState(await state());
    const answer = await operatorAnswer(exchange.rawPath, parts, authorization, false);
    if (answer === undefined) return refuse('no-route');
    return { ...answer, headers: { 'content-type': answer.type, 'cache-control': 'no-store' } };
  };
  return new Map(PROBED_PATHS.map((path) => [path, door]));
}

/** The answer to a page, which asks for JSON; balancers read the status alone. */
function shownState(state: HubState): Answer {
  const headers = { 'content-type': JSON_TYPE, 'cache-control': 'no-store', vary: 'accept' };
  return { status: 200, headers, body: JSON.stringify(state) };
}

/** Answers one of the three paths; undefined for any other. `trusted` needs no token. */
export async function operatorAnswer(
  path: string,
  { hub, metrics, isDraining }: OperatorParts,
  authorization: string | undefined,
  trusted: boolean,
): Promise<Plain | undefined> {
  switch (path) {
    case '/healthz':
      return { status: 200, type: TEXT, body: 'ok\n' };
    case '/readyz': {
      if (isDraining()) return { status: 503, type: TEXT, body: 'ending\n' };
      const faults = [
        ...((await readInTime(hub, async () => true)) ? [] : ['no database']),
        ...hub.health.faults().map(({ text }) => text),
      ];
      return faults.length === 0
        ? { status: 200, type: TEXT, body: 'ready\n' }
        : { status: 503, type: TEXT, body: `${faults.join('\n')}\n` };
    }
    case '/metrics': {
      if (metrics === undefined) return undefined;
      const { metricsToken } = hub.settings;
      if (!trusted && !isToken(authorization, metricsToken)) {
        return { status: 401, type: TEXT, body: 'a bearer token is needed\n' };
      }
      return { status: 200, type: metrics.contentType, body: await metrics.text() };
    }
    default:
      return undefined;
  }
}

function isToken(authorization: string | undefined, token: string | undefined): boolean {
  if (token === undefined || authorization === undefined) return false;
  return isSameSecret(authorization, `Bearer ${token}`);
}

/** Compares by digests, so that the time taken says nothing about the secret. */
export function isSameSecret(given: string, secret: string): boolean {
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(given), digest(secret));
}
