import { sweepAddressAllowances } from '../../db/addressAllowances.ts';
import { sweepNonces } from '../../db/nonces.ts';
import { sweepProposals } from '../../db/wallet/proposals.ts';
import type { Job } from '../hub/job.ts';

/**
 * Deletes expired rows: nonces that no request can replay, keys that were not confirmed,
 * introductions that ended.
 */
export const housekeeping: Job = {
  name: 'housekeeping',
  everySeconds: 60,
  run: async (hub) => {
    await hub.store.write((tx) => sweepNonces(tx, hub.clock.now()));
    await hub.store.write((tx) => sweepProposals(tx, hub.clock.now()));
    await hub.store.write((tx) => sweepAddressAllowances(tx, hub.clock.now()));
  },
};
