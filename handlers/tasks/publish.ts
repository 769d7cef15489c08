import type { Writer } from '../../db/store.ts';
import { defined } from '../../domain/defined.ts';
import type { Task } from '../../domain/task/model.ts';
import { publish as decide } from '../../domain/task/publish.ts';
import { takesNonce, type Handler } from '../../server/hub/handler.ts';
import type { Hub } from '../../server/hub/hub.ts';
import { networkNamed } from '../../workflows/wallet/network.ts';
import { panelFor } from '../../workflows/validators/draw.ts';
import { ruleIn } from '../../workflows/tasks/acceptance.ts';
import { commitChange } from '../../workflows/tasks/commit.ts';
import { presentTask } from './present/task.ts';
import { orRefuse } from '../../workflows/tasks/refuse.ts';
import { draftOf } from '../../workflows/tasks/draft.ts';

/** Transition T1: the deal is fixed and its reward held in one transaction, or nothing happened. */
export const publish: Handler<'tasks.publish'> = takesNonce(async (call, hub) => {
  const { acceptance } = call.body;
  // Compiling may take a worker thread, so it is done before the transaction and told inside it.
  const compiled = acceptance && (await hub.checks.compile(acceptance));
  const body = await hub.once(call, async (tx) => {
    const now = hub.clock.now();
    const network = networkNamed(hub, call.body.network, 'body.network');
    const draft = draftOf(call.body, network, compiled && ruleIn(compiled));
    const change = orRefuse(decide(draft, hub.ids.uuid(), now));
    const cause = { actor: call.caller.account, at: now };
    const { aggregate } = await commitChange(tx, hub, undefined, change, cause);
    const warning = await warningOf(tx, hub, aggregate.task);
    return { ...presentTask(aggregate, now), ...defined({ warning }) };
  });
  return { status: 200, body };
});

/** Work for a panel may be published while nobody could sit on it (choices tasks.publication). */
async function warningOf(tx: Writer, hub: Hub, task: Task): Promise<string | undefined> {
  if (task.verification !== 'validator') return undefined;
  if ((await panelFor(tx, hub, task, [task.requester])) !== undefined) return undefined;
  return 'No validator may judge this task now: none has its skills, a ceiling that covers the reward and a place that answers. Without a panel the decision is yours 6 hours after a delivery.';
}
