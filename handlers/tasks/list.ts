import { liveAttemptsOf } from '../../db/tasks/attempts.ts';
import type { StoredTask } from '../../db/tasks/taskRow.ts';
import { listTasks } from '../../db/tasks/listing.ts';
import type { Handler } from '../../server/hub/handler.ts';
import { networkNamed } from '../../workflows/wallet/network.ts';
import { settleDueTasks } from '../../workflows/tasks/due.ts';
import { jsonBytes, readPage } from '../page.ts';
import { presentTask } from './present/task.ts';

/** What a task has at most beside its texts. */
const TASK_BYTES = 4_096;

export const list: Handler<'tasks.list'> = async (call, hub) => {
  const { limit, network, ...filter } = call.query;
  if (network !== undefined) networkNamed(hub, network, 'query.network');
  await settleDueTasks(hub);
  const now = hub.clock.now();
  const { page, more, live } = await hub.store.read(async (db) => {
    const wanted = { ...filter, ...(network !== undefined && { network }) };
    const found = await readPage<StoredTask>({
      limit,
      read: (last, count) =>
        listTasks(db, { ...wanted, ...(last && { before: last.task.id }) }, count),
      weigh: ({ task: { description, input, acceptance } }) =>
        TASK_BYTES + jsonBytes([description, input, acceptance]),
    });
    const ids = found.page.map(({ task }) => task.id);
    return { ...found, live: await liveAttemptsOf(db, ids) };
  });
  const last = page.at(-1)?.task.id;
  return {
    status: 200,
    body: {
      count: page.length,
      tasks: page.map(({ task }) => presentTask({ task, live: live.get(task.id) ?? [] }, now)),
      limit,
      ...(more && last !== undefined && { nextBefore: last }),
    },
  };
};
