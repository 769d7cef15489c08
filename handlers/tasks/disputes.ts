import { disputesWith } from '../../db/tasks/disputes.ts';
import { readTask } from '../../db/tasks/tasks.ts';
import { seatOf } from '../../db/validators/seats.ts';
import { defined } from '../../domain/defined.ts';
import type { Schemas } from '../../workflows/kernel/answered.ts';
import { refuse } from '../../workflows/kernel/errors.ts';
import type { Handler } from '../../workflows/kernel/handler.ts';
import { presentDispute } from './present/dispute.ts';
import { settleDueTasks } from '../../workflows/tasks/due.ts';
import { cutPage, envelopeOf } from '../page.ts';

export const disputes: Handler<'tasks.disputes'> = async (call, hub) => {
  const { limit, cursor: after } = call.query;
  const { account } = call.caller;
  await settleDueTasks(hub, ['draw', 'void']);
  const { found, more } = await hub.store.read(async (db) => {
    const seat = await seatOf(db, account);
    if (seat === undefined || seat.state === 'closed') {
      return refuse('no-seat', { error: `${account} has no seat.` });
    }
    const page = { limit: limit + 1, ...defined({ before: after }) };
    const open = await disputesWith(db, account, page);
    const shown: Schemas['Dispute'][] = [];
    for (const { dispute, money } of open.slice(0, limit)) {
      const task = (await readTask(db, dispute.taskId))?.task;
      if (task !== undefined) shown.push(presentDispute(task, dispute, money, account));
    }
    const cut = cutPage(shown, limit, (each) => each);
    return { found: cut.shown, more: cut.more || open.length > limit };
  });
  return {
    status: 200,
    body: {
      ...envelopeOf({ rows: found, more }, limit, ({ taskId }) => taskId),
      disputes: found,
    },
  };
};
