import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { shownUrl } from '../../db/databaseUrl.ts';
import { accessLogKey } from '../../db/operator/accessLogKey.ts';
import { lossOf } from '../../db/replication.ts';
import { kindOf } from '../../db/wallet/networks.ts';
import { accountDigest } from '../../domain/accountDigest.ts';
import { defined } from '../../domain/defined.ts';
import { handlers } from '../../handlers/index.ts';
import { createApp, limitsOf } from '../http/app.ts';
import { assemble } from './assemble.ts';
import { makeDataFolder } from './dataFolder.ts';
import type { WrapPort } from '../../workflows/kernel/chain/chains.ts';
import { ownPort } from './entrance.ts';
import type { Clock } from '../../workflows/kernel/clock.ts';
import { flightBudget, openFlight } from '../../workflows/kernel/flight.ts';
import type { Hub } from '../../workflows/kernel/hub.ts';
import type { OutboundParts } from '../../workflows/kernel/outbound/fetcher.ts';
import type { Settings } from '../../workflows/kernel/settings.ts';
import { systemClock } from '../../workflows/kernel/systemClock.ts';
import type { Driver } from '../jobs/driver.ts';
import { exchangeLimits } from '../http/limitExchange.ts';
import { openLog } from './log.ts';
import { openOperator } from '../operator/operator.ts';
import { CLIENT_FILE, readWebFiles, webFolder } from '../pages/webFiles.ts';
import { NO_AGENTS, type SandboxAccounts } from '../dispatch/sandboxMarks.ts';
import { connectionsMax } from '../http/connections.ts';
import { listen } from './serve.ts';
import type { Link } from '../workers/link.ts';
import { openWorlds } from './worlds.ts';

export interface RunningHub {
  readonly hub: Hub;
  readonly driver: Driver;
  /** How many connections are open. */
  connections(): number;
  /** Where it listens; the port is the real one when port 0 was asked for. */
  readonly url: string;
  /** The address of its database without user and password. */
  readonly database: string;
  /**
   * Serves for some time while `/readyz` is 503. At the end of the time it refuses new connections,
   * and each answer closes its connection, so that balancers and clients go elsewhere.
   */
  drain(ms: number): Promise<void>;
  /** Stops accepting, answers open long polls early, finishes transactions, closes the store. */
  close(): Promise<void>;
  /** Accepts no connection more and serves the open ones to their end, or until `now`. */
  retire(now: AbortSignal): Promise<void>;
}

export interface OpenOptions {
  readonly settings: Settings;
  readonly clock?: Clock;
  /** Whether it is compared with other clocks; the usual for the clock of the machine alone. */
  readonly comparesClock?: boolean;
  /** False in tests that run jobs themselves. */
  readonly runJobs?: boolean;
  /** The published RFC 9421 key may sign; only the project's own vectors set it. */
  readonly allowTestKey?: boolean;
  readonly sandboxAgents?: SandboxAccounts;
  /** Names and servers of a test's own outside world. */
  readonly outbound?: Pick<OutboundParts, 'resolver' | 'ca' | 'endpoint'>;
  /** Puts a test's own faults around the chain. */
  readonly wrapChain?: WrapPort;
  /** Where the built pages are; a test's own. */
  readonly webFolder?: string;
  /** The parent of several workers, of which this is one: what is bounded is divided among them. */
  readonly link?: Pick<Link, 'place' | 'siblings' | 'entrance'>;
}

/**
 * How long a hub that drains serves open connections alone. A balancer without health checks learns
 * from a refused connection that the hub leaves, and sends no more requests on the others.
 */
const REFUSING_MS = 1_000;
/** How long a shutdown waits for requests under way. */
const CLOSE_MS_MAX = 5_000;
/** Longer than a connection stays open without a request, and than any long poll. */
const RETIRE_MS_MAX = 75_000;

/** Config to running hub: store, app, jobs. Two of them in one process share nothing. */
export async function openHub(options: OpenOptions): Promise<RunningHub> {
  const { sandboxAgents = NO_AGENTS, outbound, wrapChain, link } = options;
  const count = link?.place.count ?? 1;
  const entrance = link?.entrance ?? ownPort;
  const memoryCacheBytes = Math.floor(options.settings.memoryCacheBytes / count);
  const settings: Settings = { ...options.settings, memoryCacheBytes };
  const clock = options.clock ?? systemClock;
  const { log, alerts } = openLog(settings, link?.place.number);
  makeDataFolder(settings);
  const traces =
    settings.traces && (await import('../operator/traces.ts')).openTraces(settings.traces);
  const web = readWebFiles(options.webFolder ?? webFolder());
  const limits = limitsOf({ clock, settings });
  const flight = openFlight(() => performance.now(), flightBudget(count));
  const worlds = openWorlds({ settings, log, limits, flight, outbound, clock });
  const assembly = await assemble({
    settings,
    clock,
    log,
    limits,
    worlds,
    sandboxAgents,
    outbound,
    wrapChain,
    traces,
    clientPackage: web?.client && { path: `/${CLIENT_FILE}`, ...web.client },
    allowTestKey: options.allowTestKey ?? false,
    comparesClock: options.comparesClock ?? options.clock === undefined,
  });
  const { hub, driver, identities } = assembly;
  const { store } = hub;
  const operator = await openOperator(hub, driver, alerts, {
    entrance,
    siblings: link?.siblings,
    limits,
  });
  const secret = await store.decide(accessLogKey(() => randomBytes(32).toString('hex')));
  const endExchange = exchangeLimits(limits, store);
  const listening = await listen(
    createApp({
      hub,
      flight,
      limits,
      handlers,
      identities,
      sandboxAgents,
      worlds,
      accountDigest: accountDigest(secret),
      ...operator.app,
      ...defined({ web, trace: traces?.request }),
    }),
    hub,
    flight,
    { connectionsMax: connectionsMax(count), entrance },
  );
  const { server } = listening;
  const loss = await store.read(async (db) =>
    (await kindOf(db, settings.network)) === 'real' ? lossOf(db) : undefined,
  );
  if (loss !== undefined) log.warn(loss);
  if (options.runJobs ?? true) driver.start();
  return {
    hub,
    driver,
    connections: () => listening.connections.count(),
    url: `${settings.tls === undefined ? 'http' : 'https'}://${listening.address}`,
    database: shownUrl(settings.databaseUrl),
    async drain(ms) {
      if (ms === 0) return;
      operator.drain();
      await sleep(Math.max(0, ms - REFUSING_MS));
      await listening.leave();
      await sleep(Math.min(ms, REFUSING_MS));
    },
    async retire(now) {
      await listening.leave();
      const end = AbortSignal.any([now, AbortSignal.timeout(RETIRE_MS_MAX)]);
      await Promise.race([listening.connections.ended(), once(end, 'abort')]);
    },
    async close() {
      await listening.leave();
      operator.close();
      endExchange();
      const closed = listening.connections.ended();
      assembly.leave();
      const ended = worlds.end();
      server.closeIdleConnections();
      // A request that never arrives whole must not hold the process.
      const last = setTimeout(() => server.closeAllConnections(), CLOSE_MS_MAX);
      await driver.stop();
      await closed;
      clearTimeout(last);
      await ended;
      await assembly.close();
      await traces?.close();
    },
  };
}
