import { strict as assert } from 'node:assert';
import { need } from '../../db/batch/need.ts';
import { TASKS } from '../../db/tasks/taskRow.ts';
import type { Verdict } from '../../domain/acceptance/rule.ts';
import { defined } from '../../domain/defined.ts';
import type { Refused } from '../../domain/tasks/change.ts';
import { offer, offerRefusal } from '../../domain/tasks/solve.ts';
import { attemptsLeft } from '../../domain/tasks/worker.ts';
import type { Call } from '../../workflows/kernel/call.ts';
import type { Handler } from '../../workflows/kernel/handler.ts';
import type { Hub } from '../../workflows/kernel/hub.ts';
import { judgeResult, mustFit } from '../../workflows/tasks/acceptance.ts';
import { commitChange } from '../../workflows/tasks/commit.ts';
import { knownTask, settleAll, settledTask } from '../../workflows/tasks/due.ts';
import { filesIn, filesNamed, pinFiles, type FoundFile } from '../../workflows/tasks/files.ts';
import { taskPath } from '../../workflows/tasks/nextActions.ts';
import { orRefuse } from '../../workflows/tasks/refuse.ts';
import { takeStorage } from '../../workflows/tasks/storage.ts';
import {
  actor,
  reachingPayee,
  readsOfWorker,
  workerIn,
  type Actor,
} from '../../workflows/tasks/worker.ts';
import { presentDelivery } from './present/delivery.ts';

/** Transitions T14 to T16: the first passing solution wins under the row lock. */
export const solution: Handler<'tasks.solution'> = async (call, hub) => {
  const { id } = call.path;
  const { result } = call.body;
  const who = actor(call.caller, call.body);
  mustFit(result);
  const judged = await verdictOf(call, hub, who);
  const payee = reachingPayee(hub, who);
  const on = { taskId: id };
  const body = await hub.transactOnce(call, {
    needs: [need(TASKS, id), ...payee.needs, ...readsOfWorker(who, on)],
    decide(db) {
      payee.mustReach(db);
      const known = settledTask(db, hub, id);
      const { aggregate } = known;
      const now = hub.clock.now();
      const about = { hub, aggregate, by: who.account };
      const { worker, announced } = workerIn(db, who, aggregate.task, on);
      const refusal = offerRefusal(aggregate, worker, now);
      if (refusal !== undefined) orRefuse(refusal, about);
      // A result that was refused a moment ago was not judged: it stays refused.
      const { verdict, found } = orRefuse(judged, about);
      const by = { worker, attemptId: db.newId(hub.ids), ...defined({ announced }) };
      const change = offer(aggregate, by, { result, verdict, ...filesIn(found) }, now);
      const offered = commitChange(db, hub, known, change, { actor: who.account, at: now });
      const settled = settleAll(db, hub, offered, now);
      const attempt = change.attempts.find((each) => each.worker === who.account);
      assert(attempt !== undefined, 'an offer is an attempt');
      const retryBody = { agentId: who.account, result: '<your result>' };
      const retry = { method: 'POST' as const, path: taskPath(id, 'solution'), body: retryBody };
      const left = Math.max(0, attemptsLeft(settled.aggregate.task, worker.history) - 1);
      return presentDelivery(settled, { attempt, verdict, attemptsLeft: left, retry }, hub);
    },
  });
  return { status: 200, body };
};

interface Offered {
  readonly verdict: Verdict;
  readonly found?: readonly FoundFile[];
}

/** Returns the verdict of the rule, or why the offer is refused before the rule runs. */
async function verdictOf(
  call: Call<'tasks.solution'>,
  hub: Hub,
  who: Actor,
): Promise<Offered | Refused> {
  const { id: taskId } = call.path;
  const { task, refusal } = await hub.store.look({
    needs: [need(TASKS, taskId), ...readsOfWorker(who, { taskId })],
    decide(db) {
      const { aggregate } = knownTask(db, taskId);
      const { worker } = workerIn(db, who, aggregate.task, { taskId });
      return { task: aggregate.task, refusal: offerRefusal(aggregate, worker, hub.clock.now()) };
    },
  });
  if (refusal !== undefined) return refusal;
  const { result, files } = call.body;
  const found = await filesNamed(hub, who.account, files);
  await takeStorage(hub, call.caller, task, [result, files ?? []]);
  const verdict = await judgeResult(hub, task, { result, found, from: call.caller });
  if (verdict.accepted) await pinFiles(hub, call.caller, task.id, found);
  return { verdict, ...defined({ found }) };
}
