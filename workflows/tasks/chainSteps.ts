import { dueInChain } from '../../db/chains/tasks.ts';
import type { Hub } from '../kernel/hub.ts';
import { readSettled } from './due.ts';

/** Applies due decisions about a chain's steps; the chain follows (choices pipeline.due). */
export async function settleChain(hub: Hub, id: string): Promise<void> {
  const now = hub.clock.now();
  const due = await hub.store.readOne((db) => dueInChain(db, id, now));
  for (const taskId of due) await readSettled(hub, taskId);
}
