import { liveAttemptsOf } from '../../db/tasks/attempts.ts';
import { listTasks } from '../../db/tasks/listing.ts';
import type { Handler } from '../../server/hub/handler.ts';
import { networkNamed } from '../../workflows/wallet/network.ts';
import { settleDueTasks } from '../../workflows/tasks/due.ts';
import { presentTask } from './present/task.ts';

export const list: Handler<'tasks.list'> = async (call, hub) => {
  const { limit, network, ...filter } = call.query;
  if (network !== undefined) networkNamed(hub, network, 'query.network');
  await settleDueTasks(hub);
  const now = hub.clock.now();
  const { stored, live } = await hub.store.read(async (db) => {
    const wanted = { ...filter, ...(network !== undefined && { network }) };
    const page = await listTasks(db, wanted, limit + 1);
    const ids = page.map(({ task }) => task.id);
    return { stored: page, live: await liveAttemptsOf(db, ids) };
  });
  const page = stored.slice(0, limit);
  const last = page.at(-1)?.task.id;
  return {
    status: 200,
    body: {
      count: page.length,
      tasks: page.map(({ task }) => presentTask({ task, live: live.get(task.id) ?? [] }, now)),
      limit,
      ...(stored.length > limit && last !== undefined && { nextBefore: last }),
    },
  };
};
