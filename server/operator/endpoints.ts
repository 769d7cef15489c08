import { createHash, timingSafeEqual } from 'node:crypto';
import { mustServe } from '../../db/postgresNodes.ts';
import type { Door } from '../doors/transport.ts';
import { refuse } from '../hub/errors.ts';
import type { Hub } from '../hub/hub.ts';
import type { Metrics } from './metrics.ts';

/**
 * For balancers and Prometheus. `/healthz`: the process answers. `/readyz`: 503 when it is about to
 * end, its database only reads or takes more than a second, or `Health` has a fault. `/metrics` needs
 * the bearer token.
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

const TEXT = 'text/plain; charset=utf-8';
const DATABASE_MS_MAX = 1_000;

/** Paths that balancers and Prometheus ask each few seconds; they write no access lines. */
export const PROBED_PATHS: readonly string[] = ['/healthz', '/readyz', '/metrics'];

/** The paths at the hub's own port, where no caller is trusted. */
export function operatorPaths(parts: OperatorParts): ReadonlyMap<string, Door> {
  const door: Door = async (exchange) => {
    const { authorization } = exchange.request.headers;
    const answer = await operatorAnswer(exchange.rawPath, parts, authorization, false);
    if (answer === undefined) return refuse('no-route');
    return { ...answer, headers: { 'content-type': answer.type, 'cache-control': 'no-store' } };
  };
  return new Map(PROBED_PATHS.map((path) => [path, door]));
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
        ...((await databaseAnswers(hub)) ? [] : ['no database']),
        ...hub.health.faults(),
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

async function databaseAnswers({ store }: Hub): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), DATABASE_MS_MAX);
  });
  const read = store.read(async (db) => {
    await mustServe(db);
    return true;
  });
  try {
    return await Promise.race([read.catch(() => false), late]);
  } finally {
    clearTimeout(timer);
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
