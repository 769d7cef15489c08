import { disputeOf } from '../../db/tasks/disputes.ts';
import type { Handler } from '../../server/hub/handler.ts';
import { presentDispute } from './present/dispute.ts';
import { noSuchDispute } from '../../workflows/tasks/dispute.ts';
import { readSettled } from '../../workflows/tasks/due.ts';

export const readDispute: Handler<'tasks.readDispute'> = async (call, hub) => {
  const { id } = call.path;
  const { aggregate } = await readSettled(hub, id);
  const stored = (await hub.store.readOne((db) => disputeOf(db, id))) ?? noSuchDispute();
  return { status: 200, body: presentDispute(aggregate.task, stored.dispute, stored.money) };
};
