import { sweepAddressAllowances } from '../../db/addressAllowances.ts';
import { sweepA2aTasks } from '../../db/doors/a2aTasks.ts';
import { sweepNonces } from '../../db/nonces.ts';
import { sweepProposals } from '../../db/wallet/proposals.ts';
import { instant } from '../../domain/instant.ts';
import { A2A_TASK_KEPT_MS } from '../doors/a2a/taskStore.ts';
import type { Job } from '../hub/job.ts';

/**
 * Deletes expired rows: nonces that no request can replay, keys that were not confirmed,
 * introductions that ended, tasks of the A2A door.
 */
export const housekeeping: Job = {
  name: 'housekeeping',
  everySeconds: 60,
  run: async (hub) => {
    await hub.store.write((tx) => sweepNonces(tx, hub.clock.now()));
    await hub.store.write((tx) => sweepProposals(tx, hub.clock.now()));
    await hub.store.write((tx) => sweepAddressAllowances(tx, hub.clock.now()));
    const forgotten = instant(hub.clock.now() - A2A_TASK_KEPT_MS);
    await hub.store.write((tx) => sweepA2aTasks(tx, forgotten));
  },
};
