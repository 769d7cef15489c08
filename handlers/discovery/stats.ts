import { countDecisions } from '../../db/moderation/decisions.ts';
import { exchangeNow } from '../../db/predictions/numbers.ts';
import { crawlCounts, indexCounts, type IndexCounts } from '../../db/registry/stats.ts';
import { iso } from '../../domain/instant.ts';
import type { components } from '../../generated/types.ts';
import type { Handler } from '../../server/hub/handler.ts';
import type { Reply } from '../../server/hub/call.ts';
import type { Hub } from '../../server/hub/hub.ts';

type Stats = components['schemas']['HubStats'];

/** It says ages in seconds. */
const STATS_MS = 1_000;
/** Returns the size and freshness of the index and one day of the exchange, in one snapshot. */
export const stats: Handler<'discovery.stats'> = (call, hub) =>
  hub.responses.answer<'discovery.stats'>(call, { most: 1, ms: STATS_MS }, () =>
    hub.responses.costly<'discovery.stats'>(call, () => counted(hub)),
  );

async function counted(hub: Hub): Promise<Reply<'discovery.stats'>> {
  const now = hub.clock.now();
  return hub.store.read(async (db) => {
    const { lastLookAt, ...crawl } = await crawlCounts(db, now);
    return {
      status: 200,
      body: {
        at: iso(now),
        index: presentIndex(await indexCounts(db, now)),
        crawl: { ...crawl, ...(lastLookAt !== undefined && { lastLookAt: iso(lastLookAt) }) },
        exchange: await exchangeNow(db, now),
        moderation: await countDecisions(db),
      },
    };
  });
}

function presentIndex({ availability, access, ...counts }: IndexCounts): Stats['index'] {
  return {
    ...counts,
    availability: {
      live: availability.get('live') ?? 0,
      unstable: availability.get('unstable') ?? 0,
      notSpeaking: availability.get('not-speaking') ?? 0,
      unreachable: availability.get('unreachable') ?? 0,
      unknown: availability.get('unknown') ?? 0,
    },
    access: {
      open: access.get('open') ?? 0,
      paid: access.get('paid') ?? 0,
      authRequired: access.get('auth-required') ?? 0,
      closed: access.get('closed') ?? 0,
      unknown: access.get('unknown') ?? 0,
    },
  };
}
