import { sweepAddressAllowances } from '../../db/addressAllowances.ts';
import type { Writer } from '../../db/connection.ts';
import { sweepA2aTasks } from '../../db/doors/a2aTasks.ts';
import { sweepEndedKeys, sweepIdempotency } from '../../db/idempotency.ts';
import { makePartitionsAhead } from '../../db/ledger/partitions.ts';
import { sweepNonces } from '../../db/nonces.ts';
import { SWEEP_ROWS_MAX } from '../../db/sweep.ts';
import { sweepApprovals } from '../../db/wallet/approvals.ts';
import { sweepProposals } from '../../db/wallet/proposals.ts';
import type { Instant } from '../../domain/instant.ts';
import { againIfFull, type Job } from '../../workflows/kernel/job.ts';

/** Each deletes expired rows in one unit; those of tables that grow with each request say how many. */
const SWEEPS: readonly ((tx: Writer, now: Instant) => Promise<number | void>)[] = [
  sweepNonces,
  sweepA2aTasks,
  sweepIdempotency,
  sweepEndedKeys,
  sweepProposals,
  sweepAddressAllowances,
  sweepApprovals,
];

/** Deletes rows that expired, and makes the partitions of the journal ahead. */
export const housekeeping: Job = {
  name: 'housekeeping',
  everySeconds: 60,
  run: async ({ store, clock }) => {
    let most = 0;
    for (const sweep of SWEEPS) {
      // Signers have the time of the wall, so a world that is ahead of it must keep their nonces.
      const at = sweep === sweepNonces ? clock.wall() : clock.now();
      const gone = await store.write((tx) => sweep(tx, at));
      most = Math.max(most, gone ?? 0);
    }
    await store.write(makePartitionsAhead);
    return againIfFull(most, SWEEP_ROWS_MAX);
  },
};
