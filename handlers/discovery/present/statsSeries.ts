import { earnedByPart } from '../../../db/ledger/earned.ts';
import { supplyByPart } from '../../../db/ledger/supplyByPart.ts';
import { instant } from '../../../domain/instant.ts';
import { ASSET, type NetworkId } from '../../../domain/network.ts';
import type { Schemas } from '../../../workflows/kernel/answered.ts';
import type { Hub } from '../../../workflows/kernel/hub.ts';

const HOUR_SECONDS = 3_600;
/** About as many parts as a plot has room for on a phone. */
const PARTS_OF = {
  '24h': { seconds: HOUR_SECONDS, count: 24 },
  '7d': { seconds: 6 * HOUR_SECONDS, count: 28 },
  '30d': { seconds: 24 * HOUR_SECONDS, count: 30 },
} as const;

/** Payouts, paid tasks and stocks of money in equal parts of a range; the last part is still running. */
export async function statsSeries(
  hub: Hub,
  range: keyof typeof PARTS_OF,
  network: NetworkId,
): Promise<Schemas['StatsSeries']> {
  const { seconds, count } = PARTS_OF[range];
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
      from: instant(from + part * partMs),
      paidNet,
      tasksPaid,
      supply,
      ofUsers,
      held,
    };
  });
  return { ...place, at: to, range, partSeconds: seconds, parts };
}
