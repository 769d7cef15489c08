import {
  countNumbers,
  minuteOf,
  newestSampled,
  retireSamples,
  saveSample,
} from '../../db/predictions/samples.ts';
import type { Hub } from '../../server/hub/hub.ts';

/** Samples the hub numbers of the present minute, once, and drops what no market waits for. */
export async function sampleMetrics(hub: Hub): Promise<void> {
  const now = hub.clock.now();
  const numbers = await hub.store.read(async (db) =>
    (await newestSampled(db)) === minuteOf(now) ? undefined : countNumbers(db, now),
  );
  if (numbers === undefined) return;
  await hub.store.write(async (tx) => {
    await saveSample(tx, numbers, now);
    await retireSamples(tx, now);
  });
}
