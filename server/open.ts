import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { shownUrl } from '../db/databaseUrl.ts';
import { lossOf } from '../db/replication.ts';
import { openStore } from '../db/store.ts';
import { kindOf } from '../db/wallet/networks.ts';
import { defined } from '../domain/defined.ts';
import { handlers } from '../handlers/index.ts';
import { begin, end, jobs } from '../workflows/index.ts';
import { createApp, limitsOf } from './app.ts';
import { makeDataFolder } from './dataFolder.ts';
import { openChains, type WrapPort } from './hub/chain/chains.ts';
import { createChecks } from './hub/checks/checks.ts';
import type { Settings } from './hub/settings.ts';
import { createHub } from './createHub.ts';
import type { Clock } from './hub/clock.ts';
import { openFiles } from './hub/files/store.ts';
import { openFlight } from './hub/flight.ts';
import type { Hub } from './hub/hub.ts';
import { ECHO } from '../domain/models/echo.ts';
import { openModelDesk } from './hub/models/desk.ts';
import { openIdentities } from './identity.ts';
import { moderationCheck } from './jobs/moderationCheck.ts';
import { pauseCheck } from './jobs/pauseCheck.ts';
import { openKeys } from './hub/keys/keys.ts';
import { booksCheck } from './jobs/booksCheck.ts';
import { createDriver, type Driver } from './jobs/driver.ts';
import { housekeeping } from './jobs/housekeeping.ts';
import { openOutbound, type OutboundParts } from './hub/outbound/fetcher.ts';
import { openOperator } from './operator/operator.ts';
import { CLIENT_FILE, readWebFiles, webFolder } from './pages/webFiles.ts';
import { NOBODY, type SandboxAccounts } from './sandboxMarks.ts';
import { openLog } from './log.ts';
import { listen } from './serve.ts';
import { systemClock } from './hub/systemClock.ts';
import { openFeedReader } from './hub/crawlFeeds/reader.ts';
import { openSearch } from './hub/search/search.ts';
import { openSnapshots } from './hub/search/snapshots.ts';
import { exchangeLimits } from './limitExchange.ts';
import { logFailure } from './hub/logFailure.ts';
import { openVectors } from './hub/vectors/vectors.ts';
import { openPaymentSignatures } from './hub/x402/signatures.ts';

export interface RunningHub {
  readonly hub: Hub;
  readonly driver: Driver;
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
}

export interface OpenOptions {
  readonly settings: Settings;
  readonly clock?: Clock;
  /** False in tests that run jobs themselves. */
  readonly runJobs?: boolean;
  /** The published RFC 9421 key may sign; only the project's own vectors set it. */
  readonly allowTestKey?: boolean;
  /** Accounts of the hub's own scripted agents, which its answers mark. */
  readonly sandboxAgents?: SandboxAccounts;
  /** Names and servers of a test's own outside world. */
  readonly outbound?: Pick<OutboundParts, 'resolver' | 'ca' | 'endpoint'>;
  /** Puts a test's own faults around the chain. */
  readonly wrapChain?: WrapPort;
  /** Where the built pages are; a test's own. */
  readonly webFolder?: string;
}

/** Answers of models under way at once, and to one provider; most of the time they wait. */
const MODEL_CONCURRENCY = {
  underWayMax: 1_024,
  perHostMax: 512,
  waitingMax: 2_000,
  waitingPerHostMax: 1_000,
};

/** Few hosts are asked, and often by many at once. */
const MODEL_CONNECTIONS = { perOriginMax: 64, allMax: 256 };

/**
 * How long a hub that drains serves open connections alone. A balancer without health checks learns
 * from a refused connection that the hub leaves, and sends no more requests on the others.
 */
const REFUSING_MS = 1_000;
/** How long a shutdown waits for requests under way. */
const CLOSE_MS_MAX = 5_000;

/** Config to running hub: store, app, jobs. Two of them in one process share nothing. */
export async function openHub(options: OpenOptions): Promise<RunningHub> {
  const { settings } = options;
  const clock = options.clock ?? systemClock;
  const { log, alerts } = openLog(settings);
  makeDataFolder(settings);
  const chains = openChains(settings.chain, options.wrapChain);
  // A key that cannot be used is said now and not when money waits for it.
  for (const network of chains.networks) await chains.wallets(network);
  const traces =
    settings.traces && (await import('./operator/traces.ts')).openTraces(settings.traces);
  const opened = await openStore(settings.databaseUrl, {
    jitter: Math.random,
    report: (error) => logFailure(log, error, 'store'),
    notice: (text) => log.info(text),
    guardNesting: settings.checkAnswers,
    directUrl: settings.databaseDirectUrl,
    connections: settings.databaseConnections,
    replica: settings.databaseReplica,
  });
  const store = traces?.store(opened) ?? opened;
  const checks = createChecks();
  const identities = openIdentities(store, clock, {
    origins: [new URL(settings.baseUrl).origin],
    allowTestKey: options.allowTestKey ?? false,
  });
  const keys = await openKeys({ store, dataDir: settings.dataDir, clock }, log).catch(
    async (error: unknown) => {
      await store.close();
      throw error;
    },
  );
  const guard = {
    ...options.outbound,
    allowList: settings.allowPrivateHosts,
    baseUrl: settings.baseUrl,
    clock,
    key: () => keys.current(),
  };
  const openedOutbound = openOutbound(guard);
  const outbound = traces?.outbound(openedOutbound) ?? openedOutbound;
  const models = openModelDesk({
    offers: settings.models.length > 0 ? settings.models : [ECHO],
    // A desk of their own, so that long answers delay no call to an agent.
    outbound: openOutbound({ ...guard, concurrency: MODEL_CONCURRENCY, kept: MODEL_CONNECTIONS }),
    clock,
  });
  const files = await openFiles(settings);
  const search = openSearch(store, (error) => logFailure(log, error, 'search'), {
    snapshots: openSnapshots(store, files, clock),
  });
  const vectors = openVectors(settings.memoryCacheBytes);
  const parts = { store, settings, log, checks, clock, identities, keys, outbound };
  const paymentSignatures = openPaymentSignatures();
  const feedReader = openFeedReader();
  const web = readWebFiles(options.webFolder ?? webFolder());
  const clientPackage = web?.client && { path: `/${CLIENT_FILE}`, ...web.client };
  const sandboxAgents = options.sandboxAgents ?? NOBODY;
  const desks = {
    clientPackage,
    sandboxAgents,
    search,
    vectors,
    files,
    models,
    chains,
    paymentSignatures,
    feedReader,
  };
  const limits = limitsOf(parts);
  const hub = createHub({ ...parts, ...desks, limits });
  await begin(hub);
  await search.begin();
  const all = [...jobs, housekeeping, booksCheck(), pauseCheck, moderationCheck];
  const driver = createDriver(hub, traces === undefined ? all : all.map(traces.job));
  await driver.runOnce(pauseCheck.name);
  await hub.moderation.refresh();
  const marks = options.sandboxAgents && { sandboxAgents: options.sandboxAgents };
  const operator = await openOperator(hub, driver, alerts);
  const pages = web && { web };
  const endExchange = exchangeLimits(limits, store, log);
  const flight = openFlight(() => performance.now());
  const listening = await listen(
    createApp({
      ...{ hub, flight, limits, handlers, identities, ...marks, ...operator.app, ...pages },
      ...defined({ trace: traces?.request }),
    }),
    hub,
    flight,
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
    url: urlOf(server, settings.tls === undefined ? 'http' : 'https'),
    database: shownUrl(settings.databaseUrl),
    async drain(ms) {
      if (ms === 0) return;
      operator.drain();
      await sleep(Math.max(0, ms - REFUSING_MS));
      await listening.leave();
      await sleep(Math.min(ms, REFUSING_MS));
    },
    async close() {
      await listening.leave();
      operator.close();
      endExchange();
      const closed = new Promise((resolve) => server.close(resolve));
      hub.notifier.releaseAll();
      // A call to a slow host must not outlast the requests and jobs that wait for it.
      outbound.close();
      models.leave();
      server.closeIdleConnections();
      // A request that never arrives whole must not hold the process.
      const last = setTimeout(() => server.closeAllConnections(), CLOSE_MS_MAX);
      await driver.stop();
      await closed;
      clearTimeout(last);
      await end(hub);
      await models.close();
      await checks.close();
      await search.close();
      await vectors.close();
      await paymentSignatures.close();
      await feedReader.close();
      await files.close();
      await store.close();
      await traces?.close();
    },
  };
}

function urlOf(server: Server, scheme: 'http' | 'https'): string {
  const { address, port } = server.address() as AddressInfo;
  return `${scheme}://${address.includes(':') ? `[${address}]` : address}:${port}`;
}
