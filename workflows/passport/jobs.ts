import { takeDueDomains } from '../../db/passport/domains.ts';
import { plus, seconds } from '../../domain/instant.ts';
import type { ProvedDomain } from '../../domain/passport/domain.ts';
import { apart } from '../kernel/apart.ts';
import type { Hub } from '../kernel/hub.ts';
import type { Job } from '../kernel/job.ts';
import { probeProofs } from './proofProbes.ts';
import { recordCheck } from './record.ts';

const DOMAINS_A_RUN = 40;
/** Until then no other process looks; a look that was killed is made up for afterwards. */
const TURN = seconds(3_600);

/** Looks again at domains whose time has come, each for one process. */
async function confirmDomains(hub: Hub): Promise<number | undefined> {
  const now = hub.clock.now();
  const turn = { now, until: plus(now, TURN), limit: DOMAINS_A_RUN };
  const due = await hub.store.write((tx) => takeDueDomains(tx, turn));
  await Promise.all(due.map((held) => confirm(hub, held)));
  return due.length < DOMAINS_A_RUN ? undefined : 0;
}

async function confirm(hub: Hub, { domain, origin }: ProvedDomain): Promise<void> {
  // One that fails is looked at again after its turn.
  await apart(hub, { failure: 'a domain could not be confirmed', domain }, async () => {
    const looks = await probeProofs(hub, origin);
    await hub.store.write((tx) => recordCheck(tx, hub, { domain, origin, looks }));
  });
}

export const jobs: readonly Job[] = [
  { name: 'confirmDomains', everySeconds: 60, reachesOut: true, run: confirmDomains },
];
