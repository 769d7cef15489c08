import { dueHosted } from '../../db/hosted/agents.ts';
import { longCallLists, trimCalls } from '../../db/hosted/calls.ts';
import { lostConnections, showConnection } from '../../db/hosted/connections.ts';
import { connectedUntil } from '../../db/hosted/connections.ts';
import { dropExpired } from '../../db/hosted/letters.ts';
import { instant } from '../../domain/instant.ts';
import { apart } from '../kernel/apart.ts';
import type { Hub } from '../kernel/hub.ts';
import type { Job } from '../kernel/job.ts';
import { HOSTED_TOPIC } from '../topics.ts';
import { lookAtAgent } from './look.ts';

const LOOKS_AT_ONCE = 8;
const LOOKS_A_RUN = 200;
/** Longer than any look: an agent is due again only when its look was killed. */
const CLAIM_MS = 300_000;
const BATCH = 200;

/** Looks at the agents that are due; several processes share the work row by row. */
async function look(hub: Hub): Promise<number | undefined> {
  let done = 0;
  const worker = async (): Promise<void> => {
    while (done < LOOKS_A_RUN) {
      const now = hub.clock.now();
      const until = instant(now + CLAIM_MS);
      const [agent] = await hub.store.write((tx) => dueHosted(tx, { now, until, limit: 1 }));
      if (agent === undefined) return;
      done += 1;
      const named = { failure: 'a look failed', listing: agent.listingId };
      // It is due again later.
      await apart(hub, named, () => lookAtAgent(hub, agent, 'due'));
    }
  };
  await Promise.all(Array.from({ length: LOOKS_AT_ONCE }, worker));
  return done >= LOOKS_A_RUN ? 0 : undefined;
}

/** Takes agents off the live list whose connection was not renewed (choices hosted.connections). */
async function dropLost(hub: Hub): Promise<void> {
  const now = hub.clock.now();
  const lost = await hub.store.readOne((db) => lostConnections(db, now, BATCH));
  for (const keyId of lost) {
    await hub.store.write(async (tx) => {
      const until = await connectedUntil(tx, keyId);
      // It came back in this moment.
      if (until !== undefined && until > now) return;
      const why = 'Its connection was lost; it is live again with its next poll.';
      await showConnection(tx, keyId, { live: false, why, at: now });
    });
  }
  await hub.store.write((tx) => dropExpired(tx, now, BATCH));
}

async function trim(hub: Hub): Promise<void> {
  for (const keyId of await hub.store.read((db) => longCallLists(db))) {
    await hub.store.write((tx) => trimCalls(tx, keyId, BATCH));
  }
}

export const jobs: readonly Job[] = [
  { name: 'hostedLook', everySeconds: 10, topic: HOSTED_TOPIC, run: look },
  { name: 'hostedLost', everySeconds: 3, run: dropLost },
  { name: 'hostedTrim', everySeconds: 60, run: trim },
];
