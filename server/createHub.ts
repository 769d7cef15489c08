import { randomBytes } from 'node:crypto';
import type { Logger } from 'pino';
import { nonceUsed } from '../db/nonces.ts';
import { apiKeyOf } from '../db/wallet/apiKeys.ts';
import type { Store } from '../db/store.ts';
import { openNotifier } from './hub/notifier.ts';
import type { Chains } from './hub/chain/chains.ts';
import type { Checks } from './hub/checks/checks.ts';
import type { Settings } from './hub/settings.ts';
import type { Hub } from './hub/hub.ts';
import type { Clock } from './hub/clock.ts';
import { openAddressAllowances } from './hub/addressAllowances.ts';
import { openIds } from './hub/ids.ts';
import type { Limits } from './limits.ts';
import { openModeration } from './hub/moderation.ts';
import { openStorageBudget } from './hub/storageBudget.ts';
import { openNonces } from './nonces.ts';
import { openUnits } from './units.ts';
import type { Identities } from './identity.ts';
import type { ModelDesk } from './hub/models/desk.ts';
import type { FileStore } from './hub/files/fileStore.ts';
import type { Health } from './hub/health.ts';
import type { Keys } from './hub/keys/keys.ts';
import type { Outbound } from './hub/outbound/fetcher.ts';
import { openAgentClient } from './hub/outbound/agentClient.ts';
import { openListingTexts } from './hub/listingTexts.ts';
import { openCostlyAnswers } from './hub/costlyAnswers.ts';
import { openResponseCache } from './hub/responseCache.ts';
import type { FeedReader } from './hub/crawlFeeds/reader.ts';
import type { Search } from './hub/search/search.ts';
import type { Vectors } from './hub/vectors/vectors.ts';
import type { Worlds } from './hub/worlds.ts';
import type { PaymentSignatures } from './hub/x402/signatures.ts';

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
  const { search, vectors, files, models, chains, paymentSignatures, feedReader } = parts;
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
