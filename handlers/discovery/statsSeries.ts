import { earnedByPart } from '../../db/ledger/earned.ts';
import { supplyByPart } from '../../db/ledger/supplyByPart.ts';
import { instant, iso } from '../../domain/instant.ts';
import { ASSET } from '../../domain/network.ts';
import type { Call, Reply } from '../../server/hub/call.ts';
import type { Handler } from '../../server/hub/handler.ts';
import type { Hub } from '../../server/hub/hub.ts';
import { networkNamed } from '../../workflows/wallet/network.ts';

const HOUR_SECONDS = 3_600;
/** About as many parts as a plot has room for on a phone. */
const PARTS_OF = {
  '24h': { seconds: HOUR_SECONDS, count: 24 },
  '7d': { seconds: 6 * HOUR_SECONDS, count: 28 },
  '30d': { seconds: 24 * HOUR_SECONDS, count: 30 },
} as const;

/** Payouts, paid tasks and stocks of money in equal parts of a range; the last part is still running. */
export const statsSeries: Handler<'discovery.statsSeries'> = (call, hub) =>
  hub.responses.costly<'discovery.statsSeries'>(call, () => series(call, hub));

async function series(
  { query }: Call<'discovery.statsSeries'>,
  hub: Hub,
): Promise<Reply<'discovery.statsSeries'>> {
  const network = networkNamed(hub, query.network, 'query.network');
  const { seconds, count } = PARTS_OF[query.range];
  const partMs = seconds * 1_000;
  const to = hub.clock.now();
  const from = instant((Math.floor(to / partMs) - count + 1) * partMs);
  const place = { network, asset: ASSET };
  const { paid, stocks } = await hub.store.read(async (db) => ({
    paid: await earnedByPart(db, place, { from, to, partMs }),
    stocks: await supplyByPart(db, place, { from, partMs, count }),
  }));
  const parts = stocks.map(({ supply, ofUsers, held }, part) => {
    const { paidNet = 0n, tasksPaid = 0 } = paid.get(part) ?? {};
    return {
      from: iso(instant(from + part * partMs)),
      paidNet: `${paidNet}`,
      tasksPaid,
      supply: `${supply}`,
      ofUsers: `${ofUsers}`,
      held: `${held}`,
    };
  });
  const body = { ...place, at: iso(to), range: query.range, partSeconds: seconds, parts };
  return { status: 200, body };
}
