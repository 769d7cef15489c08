import { takesNonce, type Handler } from '../../server/hub/handler.ts';
import { mustFit } from '../../workflows/tasks/acceptance.ts';
import {
  deliverIn,
  delivering,
  judgeDelivery,
  type Delivered,
} from '../../workflows/tasks/deliver.ts';
import { taskPath } from '../../workflows/tasks/nextActions.ts';
import { plainOr } from '../../workflows/tasks/plain.ts';
import { takeStorage } from '../../workflows/tasks/storage.ts';
import { actor } from '../../workflows/tasks/worker.ts';
import { presentDelivery } from './present/delivery.ts';

/** Transitions T4 to T6: the verdict first, then the decision and its money in one transaction. */
export const submit: Handler<'tasks.submit'> = takesNonce(async (call, hub) => {
  const { claimToken, result } = call.body;
  const { account: by } = actor(call.caller, call.body);
  mustFit(result);
  const delivery = { taskId: call.path.id, by, claimToken, result };
  const judged = await judgeDelivery(hub, delivery);
  if (judged !== undefined) await takeStorage(hub, call.caller, judged.stored.task, result);
  const present = ({ settled, ...about }: Delivered) => {
    const path = taskPath(delivery.taskId, 'claim');
    const retry = { method: 'POST' as const, path, body: { agentId: by } };
    return presentDelivery(settled, { ...about, retry }, hub.clock.now());
  };
  const wide = () =>
    hub.once(call, async (tx) => present(await deliverIn(tx, hub, delivery, judged?.verdict)));
  if (judged === undefined) return { status: 200, body: await wide() };
  const plain = async () => {
    const unit = delivering(hub, delivery, judged);
    return hub.onceDeclared(call, { ...unit, decide: (db) => present(unit.decide(db)) });
  };
  return { status: 200, body: await plainOr(plain, wide) };
});
