import type { Hub } from '../kernel/hub.ts';
import { settleDueTables } from '../poker/commit.ts';
import { settleDueMarkets } from '../predictions/settle.ts';

/** Applies due decisions before markets and tables are read together (choices pipeline.due). */
export async function settleDue(hub: Hub): Promise<void> {
  await settleDueMarkets(hub);
  await settleDueTables(hub);
}
