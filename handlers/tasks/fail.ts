import { isRefused } from '../../domain/tasks/change.ts';
import { giveBack, usable } from '../../domain/tasks/deliver.ts';
import type { Handler } from '../../workflows/kernel/handler.ts';
import { decideOn } from '../../workflows/tasks/decideOn.ts';
import { attemptOfToken } from '../../workflows/tasks/deliver.ts';
import { actor } from '../../workflows/tasks/worker.ts';
import { presentChange } from './present/change.ts';

/** Transition T7: honest failure; the task is back in the queue at once. */
export const fail: Handler<'tasks.fail'> = async (call, hub) => {
  const { id } = call.path;
  const { claimToken, reason } = call.body;
  const { account: by } = actor(call.caller, call.body);
  const failing = decideOn(
    hub,
    {
      id,
      by,
      decide(aggregate, now, db) {
        const attempt = usable(aggregate, attemptOfToken(db, id, claimToken), by, now);
        return isRefused(attempt) ? attempt : giveBack(aggregate, attempt, reason, now);
      },
    },
    ({ committed, change }) => ({
      ...presentChange(committed, change, { hub, by }),
      repeated: false,
    }),
  );
  return { status: 200, body: await hub.transactOnce(call, failing) };
};
