import { countDecisions } from '../../db/moderation/decisions.ts';
import { exchangeNow } from '../../db/predictions/numbers.ts';
import { crawlCounts, indexCounts, type IndexCounts } from '../../db/registry/stats.ts';
import { defined } from '../../domain/defined.ts';
import type { Schemas } from '../../workflows/kernel/answered.ts';
import type { Handler } from '../../workflows/kernel/handler.ts';
import type { Call, Reply } from '../../workflows/kernel/call.ts';
import type { Hub } from '../../workflows/kernel/hub.ts';
import { networkNamed } from '../../workflows/wallet/network.ts';
import { statsSeries } from './present/statsSeries.ts';

type Stats = Schemas['HubStats'];

/** It says ages in seconds. */
const STATS_MS = 1_000;
/** Ranges of a few networks. */
const ASKED_MAX = 12;
/** Returns the size and freshness of the index and one day of the exchange, in one snapshot. */
export const stats: Handler<'discovery.stats'> = (call, hub) =>
  hub.responses.answer<'discovery.stats'>(call, { most: ASKED_MAX, ms: STATS_MS }, () =>
    hub.responses.costly<'discovery.stats'>(call, () => counted(call, hub)),
  );

async function counted(
  { query: { range, network } }: Call<'discovery.stats'>,
  hub: Hub,
): Promise<Reply<'discovery.stats'>> {
  const named = networkNamed(hub, network, 'query.network');
  const series = range && (await statsSeries(hub, range, named));
  const now = hub.clock.now();
  return hub.store.read(async (db) => {
    const { lastLookAt, ...crawl } = await crawlCounts(db, now);
    return {
      status: 200,
      body: {
        at: now,
        index: presentIndex(await indexCounts(db, now)),
        crawl: { ...crawl, lastLookAt },
        exchange: await exchangeNow(db, now),
        moderation: await countDecisions(db),
        ...defined({ series }),
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
