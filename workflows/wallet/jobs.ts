import { dropEvents } from '../../db/wallet/accountEvents.ts';
import { instant } from '../../domain/instant.ts';
import type { Hub } from '../kernel/hub.ts';
import { againIfFull, type Job } from '../kernel/job.ts';

/** How long an event of an account is kept (choices wallet.following). */
const KEPT_MS = 90 * 86_400_000;
const BATCH_MAX = 1_000;

async function expireEvents(hub: Hub): Promise<number | undefined> {
  const before = instant(hub.clock.now() - KEPT_MS);
  const gone = await hub.store.write((tx) => dropEvents(tx, before, BATCH_MAX));
  return againIfFull(gone, BATCH_MAX);
}

export const jobs: readonly Job[] = [{ name: 'eventExpiry', everySeconds: 600, run: expireEvents }];
