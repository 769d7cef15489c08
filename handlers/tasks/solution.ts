import { strict as assert } from 'node:assert';
import { announcedBy } from '../../db/tasks/attempts.ts';
import { offer, offerRefusal } from '../../domain/task/solve.ts';
import { attemptsLeft } from '../../domain/task/worker.ts';
import type { Handler } from '../../server/handler.ts';
import { commitChange } from './_commit.ts';
import { judgeResult, presentDelivery } from './_delivery.ts';
import { lockSettled, readSettled, settleAll } from './_due.ts';
import { taskPath } from './_present.ts';
import { granted } from './_refuse.ts';
import { actor, workerOn } from './_worker.ts';

/** T14 to T16: the first passing solution wins under the row lock. */
export const solution: Handler<'tasks.solution'> = async (call, hub) => {
  const { id } = call.path;
  const { result } = call.body;
  const who = actor(call.caller, call.body);
  const { play: seen } = await readSettled(hub, id);
  const verdict = await judgeResult(hub, seen.task, result);
  const body = await hub.once(call, async (tx) => {
    const now = hub.clock.now();
    const loaded = await lockSettled(tx, hub, id);
    const worker = await workerOn(tx, who, loaded.play.task);
    const refusal = offerRefusal(loaded.play, worker);
    if (refusal !== undefined) granted(refusal, { play: loaded.play, now });
    const announced = await announcedBy(tx, who.account, id);
    const by = { worker, attemptId: hub.ids.uuid(), ...(announced && { announced }) };
    const change = offer(loaded.play, by, { result, verdict }, now);
    const cause = { actor: who.account, at: now };
    const offered = await commitChange(tx, hub, loaded, change, cause);
    const settled = await settleAll(tx, hub, offered, now);
    const attempt = change.attempts.find((each) => each.worker === who.account);
    assert(attempt !== undefined, 'an offer is an attempt');
    const retry = {
      method: 'POST' as const,
      path: taskPath(id, 'solution'),
      body: { agentId: who.account, result: '<your result>' },
    };
    const left = Math.max(0, attemptsLeft(settled.play.task, worker.history) - 1);
    return presentDelivery(settled, { attempt, verdict, attemptsLeft: left, retry }, now);
  });
  return { status: 200, body };
};
