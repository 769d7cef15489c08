import { disputeOf } from '../../db/tasks/disputes.ts';
import type { Handler } from '../../server/handler.ts';
import { noSuchDispute, presentDispute } from './_dispute.ts';
import { readSettled } from './_due.ts';

export const readDispute: Handler<'tasks.readDispute'> = async (call, hub) => {
  const { id } = call.path;
  const { play } = await readSettled(hub, id);
  const stored = (await hub.store.read((db) => disputeOf(db, id))) ?? noSuchDispute();
  return { status: 200, body: presentDispute(play.task, stored.dispute, stored.money) };
};
