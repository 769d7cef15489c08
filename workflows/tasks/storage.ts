import type { Task } from '../../domain/tasks/model.ts';
import type { Caller } from '../kernel/call.ts';
import type { Hub } from '../kernel/hub.ts';
import { buysHere } from '../metering/charge.ts';

/**
 * Takes what a task, or a result for it, adds to the store from the budgets of the caller. A reward
 * makes it cheaper where its money is worth something (choices pipeline.storage).
 */
export async function takeStorage(
  hub: Hub,
  caller: Caller,
  { reward }: Pick<Task, 'reward'>,
  stored: unknown,
): Promise<void> {
  const isPaid = reward !== undefined && (await buysHere(hub, reward.network));
  hub.storage.take(caller, Buffer.byteLength(JSON.stringify(stored)), isPaid);
}
