import { strict as assert } from 'node:assert';
import { announcedBy } from '../../db/tasks/attempts.ts';
import { readTask } from '../../db/tasks/tasks.ts';
import type { Verdict } from '../../domain/acceptance/rule.ts';
import type { Refused } from '../../domain/task/change.ts';
import { offer, offerRefusal } from '../../domain/task/solve.ts';
import { attemptsLeft } from '../../domain/task/worker.ts';
import type { Handler } from '../../server/hub/handler.ts';
import type { Call } from '../../server/hub/call.ts';
import type { Hub } from '../../server/hub/hub.ts';
import { commitChange } from '../../workflows/tasks/commit.ts';
import { presentDelivery } from './present/delivery.ts';
import { judgeResult, mustFit } from '../../workflows/tasks/acceptance.ts';
import { aggregateOf, lockSettled, settleAll } from '../../workflows/tasks/due.ts';
import { taskPath } from '../../workflows/tasks/nextActions.ts';
import { orRefuse, noSuchTask } from '../../workflows/tasks/refuse.ts';
import { takeStorage } from '../../workflows/tasks/storage.ts';
import { actor, mustReachPayee, workerOn, type Actor } from '../../workflows/tasks/worker.ts';

/** Transitions T14 to T16: the first passing solution wins under the row lock. */
export const solution: Handler<'tasks.solution'> = async (call, hub) => {
  const { id } = call.path;
  const { result } = call.body;
  const who = actor(call.caller, call.body);
  mustFit(result);
  const judged = await verdictOf(call, hub, who);
  const body = await hub.once(call, async (tx) => {
    const now = hub.clock.now();
    await mustReachPayee(hub, tx, who);
    const loaded = await lockSettled(tx, hub, id);
    const about = { aggregate: loaded.aggregate, now };
    const worker = await workerOn(tx, who, loaded.aggregate.task);
    const refusal = offerRefusal(loaded.aggregate, worker);
    if (refusal !== undefined) orRefuse(refusal, about);
    // What was refused a moment ago was not judged: it stays refused.
    const { verdict } = orRefuse(judged, about);
    const announced = await announcedBy(tx, who.account, id);
    const by = { worker, attemptId: hub.ids.uuid(), ...(announced && { announced }) };
    const change = offer(loaded.aggregate, by, { result, verdict }, now);
    const cause = { actor: who.account, at: now };
    const offered = await commitChange(tx, hub, loaded, change, cause);
    const settled = await settleAll(tx, hub, offered, now);
    const attempt = change.attempts.find((each) => each.worker === who.account);
    assert(attempt !== undefined, 'an offer is an attempt');
    const retryBody = { agentId: who.account, result: '<your result>' };
    const retry = { method: 'POST' as const, path: taskPath(id, 'solution'), body: retryBody };
    const left = Math.max(0, attemptsLeft(settled.aggregate.task, worker.history) - 1);
    return presentDelivery(settled, { attempt, verdict, attemptsLeft: left, retry }, now);
  });
  return { status: 200, body };
};

/** What the rule says, or why the offer is refused before it is asked. */
async function verdictOf(
  call: Call<'tasks.solution'>,
  hub: Hub,
  who: Actor,
): Promise<{ readonly verdict: Verdict } | Refused> {
  const { task, refusal } = await hub.store.read(async (db) => {
    const stored = (await readTask(db, call.path.id)) ?? noSuchTask();
    const { aggregate } = await aggregateOf(db, stored);
    return {
      task: aggregate.task,
      refusal: offerRefusal(aggregate, await workerOn(db, who, aggregate.task)),
    };
  });
  if (refusal !== undefined) return refusal;
  await takeStorage(hub, call.caller, task, call.body.result);
  return { verdict: await judgeResult(hub, task, call.body.result) };
}
