import { cancel as decide } from '../../domain/tasks/decide.ts';
import type { Handler } from '../../workflows/kernel/handler.ts';
import { decideOn } from '../../workflows/tasks/decideOn.ts';
import { presentChange } from './present/change.ts';

/** Transition T24: an unclaimed task is withdrawn and its escrow goes back at once. */
export const cancel: Handler<'tasks.cancel'> = async (call, hub) => {
  const { id } = call.path;
  const { account: by } = call.caller;
  const cancelling = decideOn(
    hub,
    { id, by, decide: (aggregate, now) => decide(aggregate, by, now) },
    ({ committed, change }) => presentChange(committed, change, { hub, by }),
  );
  return { status: 200, body: await hub.transactOnce(call, cancelling) };
};
