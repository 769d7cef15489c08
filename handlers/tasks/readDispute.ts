import { need } from '../../db/batch/need.ts';
import { DISPUTES } from '../../db/tasks/disputes.ts';
import type { Handler } from '../../server/hub/handler.ts';
import { presentDispute } from './present/dispute.ts';
import { noSuchDispute } from '../../workflows/tasks/dispute.ts';
import { readSettledWith } from '../../workflows/tasks/due.ts';

export const readDispute: Handler<'tasks.readDispute'> = async (call, hub) => {
  const { id } = call.path;
  const { known, more } = await readSettledWith(hub, id, {
    needs: [need(DISPUTES, id)],
    read: (db) => db.find(DISPUTES, id) ?? noSuchDispute(),
  });
  return { status: 200, body: presentDispute(known.aggregate.task, more.dispute, more.money) };
};
