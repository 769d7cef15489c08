import { randomBytes } from 'node:crypto';
import type { Logger } from 'pino';
import { nonceUsed } from '../../db/nonces.ts';
import { apiKeyOf } from '../../db/wallet/apiKeys.ts';
import type { Store } from '../../db/store.ts';
import { openNotifier } from '../../workflows/kernel/notifier.ts';
import type { Chains } from '../../workflows/kernel/chain/chains.ts';
import type { Checks } from '../../workflows/kernel/checks/checks.ts';
import type { Settings } from '../../workflows/kernel/settings.ts';
import type { Hub } from '../../workflows/kernel/hub.ts';
import type { Clock } from '../../workflows/kernel/clock.ts';
import { openAddressAllowances } from '../../workflows/kernel/addressAllowances.ts';
import { openIds } from '../../workflows/kernel/ids.ts';
import type { Limits } from '../http/limits.ts';
import { openModeration } from '../../workflows/kernel/moderation.ts';
import { openStorageBudget } from '../../workflows/kernel/storageBudget.ts';
import { openNonces } from '../http/nonces.ts';
import { openUnits } from '../dispatch/units.ts';
import type { Identities } from '../http/identity.ts';
import type { ModelDesk } from '../../workflows/kernel/models/desk.ts';
import type { FileStore } from '../../workflows/kernel/files/fileStore.ts';
import type { Health } from '../../workflows/kernel/health.ts';
import type { Keys } from '../../workflows/kernel/keys/keys.ts';
import type { Outbound } from '../../workflows/kernel/outbound/fetcher.ts';
import { openAgentClient } from '../../workflows/kernel/outbound/agentClient.ts';
import { openListingTexts } from '../../workflows/kernel/listingTexts.ts';
import { openCostlyAnswers } from '../../workflows/kernel/costlyAnswers.ts';
import { openResponseCache } from '../../workflows/kernel/responseCache.ts';
import type { FeedReader } from '../../workflows/kernel/crawlFeeds/reader.ts';
import type { ByMeaning } from '../../workflows/kernel/search/byMeaning.ts';
import type { Search } from '../../workflows/kernel/search/search.ts';
import type { Vectors } from '../../workflows/kernel/vectors/vectors.ts';
import type { Worlds } from '../../workflows/kernel/worlds.ts';
import type { PaymentSignatures } from '../../workflows/kernel/x402/signatures.ts';

export interface HubParts {
  readonly store: Store;
  readonly settings: Settings;
  readonly log: Logger;
  readonly health: Health;
  readonly checks: Checks;
  readonly clock: Clock;
  readonly identities: Identities;
  readonly keys: Keys;
  readonly outbound: Outbound;
  readonly search: Search;
  readonly byMeaning: ByMeaning;
  readonly vectors: Vectors;
  readonly files: FileStore;
  readonly models: ModelDesk;
  readonly chains: Chains;
  readonly paymentSignatures: PaymentSignatures;
  readonly feedReader: FeedReader;
  readonly limits: Limits;
  readonly worlds: Worlds;
  readonly clientPackage: Hub['clientPackage'];
  readonly sandboxAgents: Hub['sandboxAgents'];
}

export function createHub(parts: HubParts): Hub {
  const { store, settings, log, checks, clock, identities, keys, outbound } = parts;
  const { search, byMeaning, vectors, files, models, chains, paymentSignatures, feedReader } =
    parts;
  const ids = openIds(clock);
  const nonces = openNonces(store, clock);
  return {
    store,
    settings,
    log,
    health: parts.health,
    checks,
    moderation: openModeration(store),
    storage: openStorageBudget(parts.limits),
    clientPackage: parts.clientPackage,
    sandboxAgents: parts.sandboxAgents,
    worlds: parts.worlds,
    search,
    byMeaning,
    vectors,
    files,
    models,
    chains,
    paymentSignatures,
    feedReader,
    clock,
    keys,
    outbound: outbound,
    agents: openAgentClient(outbound, clock),
    allowances: openAddressAllowances(store, clock),
    listingTexts: openListingTexts(store, clock),
    responses: { ...openResponseCache(store, clock), ...openCostlyAnswers(clock) },
    ids,
    random: (bytes) => randomBytes(bytes),
    notifier: openNotifier(store),
    callers: {
      inspect: (request) => identities.inspect(request),
      boundAccount: (keyId) => identities.boundAccount(keyId),
      settle: (tx, account) => identities.settle(tx, account),
      settling: (account) => identities.settling(account),
      wasNonceUsed: (keyId, nonce) => store.readOne((db) => nonceUsed(db, keyId, nonce)),
      consumeNonce: (nonce, ruling) => nonces.consume(nonce, ruling),
      isKeyGood: async (digest) =>
        (await store.readOne((db) => apiKeyOf(db, digest))) !== undefined,
    },
    ...openUnits(store, identities, clock),
  };
}
