import { MODERATION_TOPIC } from '../../db/moderation/decisions.ts';
import { hiddenListings, hostedToTakeDown, openHiddenTasks } from '../../db/moderation/subjects.ts';
import { removeListing } from '../../db/registry/remove.ts';
import { cancel } from '../../domain/tasks/decide.ts';
import { HubError } from '../kernel/errors.ts';
import type { Hub } from '../kernel/hub.ts';
import type { Job } from '../kernel/job.ts';
import { takeDown } from '../hosted/takeDown.ts';
import { decideOn } from '../tasks/decideOn.ts';

/** Subjects of each kind in one run; the next run does the rest. */
const BATCH = 50;
const WHY = 'The operator took it down; GET /api/v1/me says why and how to appeal.';

/**
 * Applies decisions of the operator: hosted listings are taken down, other hidden listings leave
 * the index, and hidden tasks without a worker are withdrawn and refunded. It repeats for new ones.
 */
const enforceDecisions: Job = {
  name: 'enforceDecisions',
  everySeconds: 5,
  topic: MODERATION_TOPIC,
  run: async (hub) => {
    const found = await hub.store.read(async (db) => ({
      hosted: await hostedToTakeDown(db, BATCH),
      tasks: await openHiddenTasks(db, BATCH),
    }));
    for (const keyId of found.hosted) {
      await hub.store.write(async (tx) => void (await takeDown(tx, hub, keyId, WHY)));
    }
    const listings = await hub.store.readOne((db) => hiddenListings(db, BATCH));
    for (const id of listings) {
      await hub.store.write((tx) => removeListing(tx, id, hub.clock.now()));
    }
    for (const task of found.tasks) await withdraw(hub, task);
  },
};

type OpenTask = Awaited<ReturnType<typeof openHiddenTasks>>[number];

/** A task that was claimed meanwhile runs to its end. */
async function withdraw(hub: Hub, { id, requester: by }: OpenTask): Promise<void> {
  const unit = decideOn(
    hub,
    { id, by, decide: (aggregate, now) => cancel(aggregate, by, now) },
    () => undefined,
  );
  try {
    await hub.store.decide({ name: 'moderation.withdraw', admit: () => undefined, ...unit });
  } catch (error) {
    if (!(error instanceof HubError)) throw error;
  }
}

export const jobs: readonly Job[] = [enforceDecisions];
