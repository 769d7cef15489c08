import { randomUUID } from 'node:crypto';
import Koa from 'koa';
import type { AccountDigest } from '../../domain/accountDigest.ts';
import { defined } from '../../domain/defined.ts';
import { createDispatch } from '../dispatch/dispatch.ts';
import { createDoors } from '../doors/doors.ts';
import { openFlight, type Flight } from '../../workflows/kernel/flight.ts';
import type { Door } from '../doors/transport.ts';
import type { RequestListener } from 'node:http';
import type { Handlers } from '../../workflows/kernel/handler.ts';
import type { Hub } from '../../workflows/kernel/hub.ts';
import type { Identities } from './identity.ts';
import { openLimits, type Limits } from './limits.ts';
import { readBody } from '../middleware/body.ts';
import { withCaching } from '../middleware/caching.ts';
import { call } from '../middleware/call.ts';
import { refused } from '../middleware/errors.ts';
import { Exchange, type Answer } from '../middleware/exchange.ts';
import { mustBeSound } from '../middleware/framing.ts';
import type { Observe, Observed, TraceRequest } from '../middleware/observe.ts';
import {
  countAtDoor,
  countBytes,
  countCaller,
  countRefusal,
  countUncounted,
  recogniseAddress,
} from '../middleware/rateLimit.ts';
import { preflight } from '../middleware/preflight.ts';
import { operationOf, route } from '../middleware/route.ts';
import { send } from '../middleware/send.ts';
import { identify, judgeHead } from '../middleware/signature.ts';
import { PROBED_PATHS } from '../operator/endpoints.ts';
import { isSitePath, SITE_PATH, siteAnswer } from '../pages/site.ts';
import { isWebPath, WEB_PATH, webAnswer } from '../pages/web.ts';
import type { WebFiles } from '../pages/webFiles.ts';
import { createRoutes } from './routes.ts';
import type { SandboxAccounts } from '../dispatch/sandboxMarks.ts';
import { touchedIds } from '../dispatch/touchedIds.ts';

export interface AppParts {
  readonly hub: Hub;
  /** Those of this process; of its own when absent. */
  readonly limits?: Limits;
  /** Counts what requests hold in this process; of its own when absent. */
  readonly flight?: Flight;
  readonly handlers: Handlers;
  readonly identities: Identities;
  /** Accounts of the scripted agents, marked in every answer; none when absent. */
  readonly sandboxAgents?: SandboxAccounts;
  readonly observe?: Observe;
  /** How lines of the log name an account; they name none when absent. */
  readonly accountDigest?: AccountDigest;
  /** Follows each request; absent where traces are off. */
  readonly trace?: TraceRequest;
  /** Paths of the operator's, which are no operations. */
  readonly operatorPaths?: ReadonlyMap<string, Door>;
  /** The built pages; absent where none were built. */
  readonly web?: WebFiles;
  /** Test worlds, which answer below paths of their own; none when absent. */
  readonly worlds?: WorldPaths;
  /** The path below which the app answers, without a trailing slash; the root when absent. */
  readonly below?: string;
}

export interface WorldPaths {
  at(target: string): RequestListener | undefined;
}

/** The limits of a process, which its app and the exchange with others share. */
export function limitsOf({ clock, settings }: Pick<Hub, 'clock' | 'settings'>): Limits {
  return openLimits(() => clock.wall(), settings.rateLimits);
}

/**
 * The HTTP door, without state of the process. Koa carries it as one middleware that writes the
 * answer itself; its steps are plain functions, so each needs the result of the one before it.
 */
export function createApp(parts: AppParts): Koa {
  const { hub } = parts;
  const { log, settings } = hub;
  const limits = parts.limits ?? limitsOf(hub);
  const answerTo = createPipeline(parts, limits);
  const flight = parts.flight ?? openFlight(() => performance.now());
  const { below = '', worlds } = parts;
  const surroundings = { flight, proxies: settings.trustedProxies, below };
  const app = new Koa();
  app.on('error', (error: NodeJS.ErrnoException) => {
    // A client disconnect is not an error; without a listener Koa would print its stack.
    if (error.code !== 'EPIPE' && error.code !== 'ECONNRESET') log.error({ err: error }, 'http');
  });
  const logsAccess = settings.accessLog && log.isLevelEnabled('info');
  const answered = async (exchange: Exchange): Promise<Observed> => {
    const began = performance.now();
    let answer: Answer;
    try {
      answer = await answerTo(exchange);
    } catch (thrown) {
      answer = refused(exchange, thrown, { log, baseUrl: settings.baseUrl });
    }
    answer = withCaching(exchange, answer);
    countUncounted(exchange, limits);
    countBytes(exchange, answer, limits);
    countRefusal(exchange, answer, limits);
    if (exchange.upload !== undefined) await exchange.upload.discard();
    try {
      await send(exchange, answer, log);
    } finally {
      exchange.held.leave();
    }
    const { operation, refusal: code, method, requestId } = exchange;
    const observed = { operation, status: answer.status, code, ms: performance.now() - began };
    parts.observe?.(observed);
    // Neither path nor address: both can name an account.
    if (logsAccess && !PROBED_PATHS.includes(exchange.rawPath)) {
      const touched = defined({
        account: exchange.account && parts.accountDigest?.(exchange.account),
        ids: touchedIds(exchange, answer),
      });
      const line = { requestId, method, ...observed, ms: Math.round(observed.ms), ...touched };
      log.info(line, 'request');
    }
    return observed;
  };
  app.use((context) => {
    context.respond = false;
    const world = worlds?.at(context.req.url ?? '/');
    if (world !== undefined) return world(context.req, context.res);
    const exchange = new Exchange(context, randomUUID(), surroundings);
    return parts.trace?.(exchange, () => answered(exchange)) ?? answered(exchange);
  });
  return app;
}

function createPipeline(
  { hub, handlers, identities, sandboxAgents, operatorPaths = new Map(), web }: AppParts,
  limits: Limits,
): (exchange: Exchange) => Promise<Answer> {
  const routes = createRoutes();
  const dispatch = createDispatch(handlers, hub, sandboxAgents);
  const doors = createDoors({ hub, identities, limits, dispatch }, routes);
  return async (exchange) => {
    await recogniseAddress(exchange, hub.allowances);
    countAtDoor(exchange, limits);
    mustBeSound(exchange.request);
    const door = doors.at(exchange.rawPath) ?? operatorPaths.get(exchange.rawPath);
    if (door !== undefined) {
      exchange.operation = doors.nameOf(exchange.rawPath);
      return door(exchange);
    }
    if (isWebPath(exchange.rawPath)) {
      exchange.operation = WEB_PATH;
      return webAnswer(exchange, web);
    }
    if (isSitePath(exchange.rawPath)) {
      exchange.operation = SITE_PATH;
      return siteAnswer(exchange, web);
    }
    const found = route(exchange, routes);
    if (exchange.method === 'OPTIONS') return preflight(exchange, found.allow);
    const spec = operationOf(exchange, found);
    exchange.path = found.path;
    exchange.operation = spec.id;
    exchange.spec = spec;
    const claim = await judgeHead({ exchange, spec }, identities, hub.clock);
    await readBody({ exchange, spec }, hub.files.uploads);
    const identity = await identify({ exchange, spec, claim }, identities, hub.clock, limits);
    exchange.isSigned = identity.kind !== 'visitor';
    exchange.account = identity.kind === 'visitor' ? exchange.reader : identity.account;
    countCaller({ exchange, spec, identity }, limits);
    return call({ exchange, spec, identity }, dispatch, web);
  };
}
