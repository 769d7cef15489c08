import { need } from '../../db/declared/table.ts';
import { TASKS } from '../../db/tasks/declared.ts';
import type { Writer } from '../../db/store.ts';
import { defined } from '../../domain/defined.ts';
import type { Instant } from '../../domain/instant.ts';
import type { Change } from '../../domain/task/change.ts';
import type { Task } from '../../domain/task/model.ts';
import { publish as decide } from '../../domain/task/publish.ts';
import type { Call } from '../../server/hub/call.ts';
import { HubError } from '../../server/hub/errors.ts';
import { takesNonce, type Handler } from '../../server/hub/handler.ts';
import type { Hub } from '../../server/hub/hub.ts';
import { networkNamed } from '../../workflows/wallet/network.ts';
import { panelFor } from '../../workflows/validators/draw.ts';
import { ruleIn } from '../../workflows/tasks/acceptance.ts';
import { taskComes } from '../../workflows/tasks/claimLines.ts';
import { commitChange } from '../../workflows/tasks/commit.ts';
import { readsOfChange } from '../../workflows/tasks/effects.ts';
import { commitPlain } from '../../workflows/tasks/plain.ts';
import { presentTask } from './present/task.ts';
import { orRefuse } from '../../workflows/tasks/refuse.ts';
import { takeStorage } from '../../workflows/tasks/storage.ts';
import { draftOf } from '../../workflows/tasks/draft.ts';

/** Transition T1: the deal is fixed and its reward held in one transaction, or nothing happened. */
export const publish: Handler<'tasks.publish'> = takesNonce(async (call, hub) => {
  const { acceptance } = call.body;
  // Compiling may take a worker thread, so it is done before the transaction and told inside it.
  const compiled = acceptance && (await hub.checks.compile(acceptance));
  const at = hub.clock.now();
  const change = decided(call, hub, compiled, at);
  if (!(change instanceof HubError)) {
    await takeStorage(hub, call.caller, change.task, call.request.wireBody ?? {});
  }
  if (change instanceof HubError || change.task.verification === 'validator') {
    return { status: 200, body: await publishWide(call, hub, change) };
  }
  const { account: actor } = call.caller;
  const publishing = hub.onceDeclared(call, {
    startedAt: at,
    needs: [need(TASKS, change.task.id), ...readsOfChange(hub, { actor, at, change })],
    decide(db) {
      const cause = { actor, at: hub.clock.now(), before: undefined, change };
      return presentTask(commitPlain(db, hub, cause).aggregate, at);
    },
  });
  taskComes(hub, change.task);
  const body = await publishing;
  return { status: 200, body };
});

/** The decision, or its refusal for the unit to tell, in which a replay is found first. */
function decided(
  call: Call<'tasks.publish'>,
  hub: Hub,
  compiled: Awaited<ReturnType<Hub['checks']['compile']>> | undefined,
  at: Instant,
): Change | HubError {
  try {
    const network = networkNamed(hub, call.body.network, 'body.network');
    const draft = draftOf(call.body, network, compiled && ruleIn(compiled));
    const isHouse = hub.sandboxAgents.has(draft.requester);
    return orRefuse(decide({ ...draft, isHouse }, hub.ids.uuid(), at));
  } catch (error) {
    if (error instanceof HubError) return error;
    throw error;
  }
}

/** What is refused, and what a panel judges: whether one could is asked of many tables. */
function publishWide(call: Call<'tasks.publish'>, hub: Hub, change: Change | HubError) {
  return hub.once(call, async (tx) => {
    if (change instanceof HubError) throw change;
    const at = hub.clock.now();
    const cause = { actor: call.caller.account, at };
    const { aggregate } = await commitChange(tx, hub, undefined, change, cause);
    const warning = await warningOf(tx, hub, aggregate.task);
    return { ...presentTask(aggregate, at), ...defined({ warning }) };
  });
}

/** Work for a panel may be published while nobody could sit on it (choices tasks.publication). */
async function warningOf(tx: Writer, hub: Hub, task: Task): Promise<string | undefined> {
  if ((await panelFor(tx, hub, task, [task.requester])) !== undefined) return undefined;
  return 'No validator may judge this task now: none has its skills, a ceiling that covers the reward and a place that answers. Without a panel the decision is yours 6 hours after a delivery.';
}
