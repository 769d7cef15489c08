import { collectableLoans } from '../../db/credit/loans.ts';
import { apart } from '../kernel/apart.ts';
import type { Hub } from '../kernel/hub.ts';
import type { Job } from '../kernel/job.ts';
import { collectDue } from './collect.ts';
import { callDefault } from './defaults.ts';
import { refillCredit } from './refill.ts';

const LOANS_AT_ONCE_MAX = 100;

/** Calls a default what is late and collects what is due, each loan in transactions of its own. */
async function collectLoans(hub: Hub): Promise<void> {
  const now = hub.clock.now();
  const loans = await hub.store.readOne((db) => collectableLoans(db, now, LOANS_AT_ONCE_MAX));
  for (const loan of loans) {
    await apart(hub, { failure: 'collecting a loan failed', loan: loan.id }, async () => {
      await hub.store.decide({ needs: [], decide: (db) => callDefault(db, hub, loan) });
      await hub.store.decide({ needs: [], decide: (db) => collectDue(db, hub, loan) });
    });
  }
}

export const jobs: readonly Job[] = [
  { name: 'loanCollection', everySeconds: 60, run: collectLoans },
  { name: 'creditRefill', everySeconds: 3_600, run: refillCredit },
];
