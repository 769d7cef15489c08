import { openStore } from '../../db/store.ts';
import { ECHO, LETTERS } from '../../domain/models/echo.ts';
import { HASHED_WORDS } from '../../domain/models/hashedWords.ts';
import { begin, end, jobs } from '../../workflows/index.ts';
import type { Logger } from 'pino';
import { createHub } from './createHub.ts';
import { openChains, type WrapPort } from '../../workflows/kernel/chain/chains.ts';
import { createChecks } from '../../workflows/kernel/checks/checks.ts';
import type { Clock } from '../../workflows/kernel/clock.ts';
import { openFeedReader } from '../../workflows/kernel/crawlFeeds/reader.ts';
import { openFiles } from '../../workflows/kernel/files/store.ts';
import { openHealth } from '../../workflows/kernel/health.ts';
import type { Hub } from '../../workflows/kernel/hub.ts';
import { openKeys } from '../../workflows/kernel/keys/keys.ts';
import { logFailure } from '../../workflows/kernel/logFailure.ts';
import { openModelDesk } from '../../workflows/kernel/models/desk.ts';
import { openOutbound, type OutboundParts } from '../../workflows/kernel/outbound/fetcher.ts';
import { openPeerClocks } from '../../workflows/kernel/peerClocks.ts';
import { openByMeaning } from '../../workflows/kernel/search/byMeaning.ts';
import { embeddingModel } from '../../workflows/kernel/search/embeddings.ts';
import { openSearch } from '../../workflows/kernel/search/search.ts';
import { openSnapshots } from '../../workflows/kernel/search/snapshots.ts';
import type { Settings } from '../../workflows/kernel/settings.ts';
import { openVectors } from '../../workflows/kernel/vectors/vectors.ts';
import type { Worlds } from '../../workflows/kernel/worlds.ts';
import { openPaymentSignatures } from '../../workflows/kernel/x402/signatures.ts';
import { openIdentities, type Identities } from '../http/identity.ts';
import { booksCheck } from '../jobs/booksCheck.ts';
import { createDriver, type Driver } from '../jobs/driver.ts';
import { certificateCheck } from '../jobs/certificateCheck.ts';
import { healthCheck } from '../jobs/healthCheck.ts';
import { housekeeping } from '../jobs/housekeeping.ts';
import { moderationCheck } from '../jobs/moderationCheck.ts';
import { pauseCheck } from '../jobs/pauseCheck.ts';
import type { Limits } from '../http/limits.ts';
import type { Traces } from '../operator/traces.ts';
import type { SandboxAccounts } from '../dispatch/sandboxMarks.ts';

export interface AssemblyOptions {
  readonly settings: Settings;
  readonly clock: Clock;
  readonly log: Logger;
  readonly limits: Limits;
  readonly worlds: Worlds;
  readonly sandboxAgents: SandboxAccounts;
  readonly clientPackage: Hub['clientPackage'];
  readonly allowTestKey: boolean;
  readonly traces?: Traces | undefined;
  readonly outbound?: Pick<OutboundParts, 'resolver' | 'ca' | 'endpoint'> | undefined;
  readonly wrapChain?: WrapPort | undefined;
  /** False where the clock is moved on purpose. */
  readonly comparesClock: boolean;
}

/** A hub that does not listen yet, with its jobs, which are not started. */
export interface Assembly {
  readonly hub: Hub;
  readonly identities: Identities;
  readonly driver: Driver;
  /** Answers long polls early and ends calls to others. */
  leave(): void;
  /** Ends jobs and closes everything; no request may be under way. */
  close(): Promise<void>;
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

/** Settings to a hub with its jobs. Two of them in one process share what they are given alone. */
export async function assemble(options: AssemblyOptions): Promise<Assembly> {
  const { settings, clock, log, limits, traces } = options;
  const chains = openChains(settings.chain, options.wrapChain);
  // A key that cannot be used is said now and not when money waits for it.
  for (const network of chains.networks) await chains.wallets(network);
  const opened = await openStore(settings.databaseUrl, {
    jitter: Math.random,
    report: (error) => logFailure(log, error, 'store'),
    notice: (text) => log.info(text),
    trace: settings.traceBatches ? (pass) => log.info(pass, 'batch') : undefined,
    guardNesting: settings.checkAnswers,
    directUrl: settings.databaseDirectUrl,
    connections: settings.databaseConnections,
    replica: settings.databaseReplica,
  });
  const store = traces?.store(opened) ?? opened;
  const checks = createChecks();
  const identities = openIdentities(store, clock, {
    origins: [new URL(settings.baseUrl).origin],
    allowTestKey: options.allowTestKey,
  });
  const keys = await openKeys({ store, dataDir: settings.dataDir, clock }, log).catch(
    async (error: unknown) => {
      await store.close();
      throw error;
    },
  );
  const peers = openPeerClocks(clock, settings);
  const guard = {
    ...options.outbound,
    allowList: settings.allowPrivateHosts,
    baseUrl: settings.baseUrl,
    clock,
    key: () => keys.current(),
    noteDate: peers.note,
  };
  const openedOutbound = openOutbound(guard);
  const outbound = traces?.outbound(openedOutbound) ?? openedOutbound;
  const standIns = [ECHO, ...(settings.sandboxAgents ? [LETTERS] : []), HASHED_WORDS];
  const models = openModelDesk({
    offers: settings.models.length > 0 ? settings.models : standIns,
    // A desk of their own, so that long answers delay no call to an agent.
    outbound: openOutbound({ ...guard, concurrency: MODEL_CONCURRENCY, kept: MODEL_CONNECTIONS }),
    clock,
  });
  const files = await openFiles(settings);
  const search = openSearch(store, (error) => logFailure(log, error, 'search'), {
    snapshots: openSnapshots(store, files, clock),
  });
  const embeddings = settings.searchEmbeddings;
  const byMeaning = openByMeaning({
    store,
    models,
    clock,
    limits,
    log,
    model: embeddings === undefined ? undefined : embeddingModel(models.offers, embeddings),
  });
  const vectors = openVectors(settings.memoryCacheBytes);
  const paymentSignatures = openPaymentSignatures();
  const feedReader = openFeedReader();
  const { clientPackage, sandboxAgents, worlds } = options;
  const hub = createHub({
    store,
    settings,
    log,
    health: openHealth({ ...options, store, keys, peers }),
    checks,
    clock,
    identities,
    keys,
    outbound,
    limits,
    worlds,
    clientPackage,
    sandboxAgents,
    search,
    byMeaning,
    vectors,
    files,
    models,
    chains,
    paymentSignatures,
    feedReader,
  });
  await begin(hub);
  await search.begin();
  const own = [housekeeping, booksCheck(), pauseCheck, moderationCheck, healthCheck];
  const all = [...jobs, ...own, certificateCheck];
  const driver = createDriver(hub, traces === undefined ? all : all.map(traces.job));
  await driver.runOnce(pauseCheck.name);
  await driver.runOnce(healthCheck.name);
  await hub.moderation.refresh();
  return {
    hub,
    identities,
    driver,
    leave() {
      hub.notifier.releaseAll();
      // A call to a slow host must not outlast the requests and jobs that wait for it.
      outbound.close();
      models.leave();
    },
    async close() {
      await driver.stop();
      await end(hub);
      await models.close();
      await checks.close();
      await search.close();
      await byMeaning.close();
      await vectors.close();
      await paymentSignatures.close();
      await feedReader.close();
      await files.close();
      await store.close();
    },
  };
}
