import { needNew } from '../../db/batch/need.ts';
import type { Decider } from '../../db/batch/transaction.ts';
import { TASKS } from '../../db/tasks/taskRow.ts';
import type { Instant } from '../../domain/instant.ts';
import type { Change } from '../../domain/tasks/change.ts';
import { publish as decide } from '../../domain/tasks/publish.ts';
import type { Call } from '../../workflows/kernel/call.ts';
import { HubError } from '../../workflows/kernel/errors.ts';
import type { Handler } from '../../workflows/kernel/handler.ts';
import type { Hub } from '../../workflows/kernel/hub.ts';
import { mustNotBeModerated } from '../../workflows/kernel/moderation.ts';
import { networkNamed } from '../../workflows/wallet/network.ts';
import { hasReliableJudges, panelFor } from '../../workflows/validators/draw.ts';
import { ruleIn } from '../../workflows/tasks/acceptance.ts';
import { taskComes } from '../../workflows/tasks/claimLines.ts';
import { commitChange } from '../../workflows/tasks/commit.ts';
import { readsOfChange } from '../../workflows/tasks/effects.ts';
import { filesIn, filesNamed, pinFiles, type FoundFile } from '../../workflows/tasks/files.ts';
import { presentTask } from './present/task.ts';
import { presentNextFor } from '../../workflows/tasks/nextActions.ts';
import { orRefuse } from '../../workflows/tasks/refuse.ts';
import { takeStorage } from '../../workflows/tasks/storage.ts';
import { draftOf } from '../../workflows/tasks/draft.ts';

/** Transition T1: the deal is fixed and its reward held in one transaction, or nothing happened. */
export const publish: Handler<'tasks.publish'> = async (call, hub) => {
  const { acceptance } = call.body;
  // Compiling may take a worker thread: it runs before the transaction, its error is thrown inside.
  const compiled = acceptance && (await hub.checks.compile(acceptance, call.caller));
  const at = hub.clock.now();
  const found = await filesOrError(call, hub);
  const change = found instanceof HubError ? found : decided(call, hub, compiled, { at, found });
  if (!(change instanceof HubError)) {
    await takeStorage(hub, call.caller, change.task, call.request.wireBody ?? {});
    if (!(found instanceof HubError)) await pinFiles(hub, call.caller, change.task.id, found);
  }
  const { account: actor } = call.caller;
  const isDecided = !(change instanceof HubError);
  const budget = compiled && 'ok' in compiled ? compiled.budget : undefined;
  const publishing = hub.transactOnce(call, {
    startedAt: at,
    needs: isDecided
      ? [needNew(TASKS, change.task.id), ...readsOfChange(hub, { actor, at, change })]
      : [],
    decide(db) {
      if (!isDecided) throw change;
      mustNotBeModerated(hub, undefined, change.task.invited?.accounts ?? []);
      const cause = { actor, at: hub.clock.now() };
      const { aggregate } = commitChange(db, hub, undefined, change, cause);
      const warning = warningOf(db, hub, change);
      const next = presentNextFor(hub, aggregate, actor);
      return { ...presentTask(aggregate, at, next), budget, warning };
    },
  });
  if (isDecided) taskComes(hub, change.task);
  return { status: 200, body: await publishing };
};

/** A refusal of a file waits for the look for a replay, as that of the terms does. */
async function filesOrError(
  { body, caller }: Call<'tasks.publish'>,
  hub: Hub,
): Promise<readonly FoundFile[] | undefined | HubError> {
  try {
    return await filesNamed(hub, caller.account, body.files);
  } catch (error) {
    if (error instanceof HubError) return error;
    throw error;
  }
}

/** The decision, or its refusal for the transaction to throw after it looked for a replay. */
function decided(
  call: Call<'tasks.publish'>,
  hub: Hub,
  compiled: Awaited<ReturnType<Hub['checks']['compile']>> | undefined,
  { at, found }: { readonly at: Instant; readonly found: readonly FoundFile[] | undefined },
): Change | HubError {
  try {
    const network = networkNamed(hub, call.body.network, 'body.network');
    const draft = draftOf(call.body, network, compiled && ruleIn(compiled), filesIn(found));
    const isHouse = hub.sandboxAgents.has(draft.requester);
    return orRefuse(decide({ ...draft, isHouse }, hub.ids.uuid(), at));
  } catch (error) {
    if (error instanceof HubError) return error;
    throw error;
  }
}

/** Work for a panel may be published while no seat could judge it (choices tasks.publication). */
function warningOf(db: Decider, hub: Hub, { task }: Change): string | undefined {
  if (task.verification !== 'validator') return undefined;
  if (panelFor(db, hub, task, [task.requester]) !== undefined) {
    if (hasReliableJudges(db, hub, task, [task.requester])) return undefined;
    return 'Fewer than five unlinked judges reach minReliabilityBps now; until they do, panels are drawn without it.';
  }
  return 'No validator may judge this task now: none has its skills, a ceiling that covers the reward and a place that answers. Without a panel the decision is yours 6 hours after a delivery.';
}
