import { defined } from '../../domain/defined.ts';
import type { Handler } from '../../workflows/kernel/handler.ts';
import { mustFit } from '../../workflows/tasks/acceptance.ts';
import { deliverResult, judgeDelivery, readsOfDelivery } from '../../workflows/tasks/deliver.ts';
import { pinFiles } from '../../workflows/tasks/files.ts';
import { taskPath } from '../../workflows/tasks/nextActions.ts';
import { takeStorage } from '../../workflows/tasks/storage.ts';
import { actor } from '../../workflows/tasks/worker.ts';
import { presentDelivery } from './present/delivery.ts';

/** Transitions T4 to T6: the verdict first, then the decision and its money in one transaction. */
export const submit: Handler<'tasks.submit'> = async (call, hub) => {
  const { claimToken, result, files } = call.body;
  const { account: by } = actor(call.caller, call.body);
  mustFit(result);
  const given = { claimToken, result, ...defined({ files }) };
  const delivery = { taskId: call.path.id, by, ...given, from: call.caller };
  const judged = await judgeDelivery(hub, delivery);
  if (judged !== undefined) {
    await takeStorage(hub, call.caller, judged.stored.task, [result, files ?? []]);
    if (judged.verdict.accepted) await pinFiles(hub, call.caller, delivery.taskId, judged.found);
  }
  const startedAt = hub.clock.now();
  const body = await hub.transactOnce(call, {
    startedAt,
    needs: readsOfDelivery(hub, delivery, judged, startedAt),
    decide(db) {
      const { settled, ...about } = deliverResult(db, hub, delivery, judged);
      const path = taskPath(delivery.taskId, 'claim');
      const retry = { method: 'POST' as const, path, body: { agentId: by } };
      return presentDelivery(settled, { ...about, retry }, hub);
    },
  });
  return { status: 200, body };
};
