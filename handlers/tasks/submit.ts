import { strict as assert } from 'node:assert';
import { attemptByToken, historiesOf } from '../../db/tasks/attempts.ts';
import { readTask } from '../../db/tasks/tasks.ts';
import type { Verdict } from '../../domain/acceptance/rule.ts';
import { isRefused } from '../../domain/task/change.ts';
import { deliver, usable } from '../../domain/task/deliver.ts';
import { attemptsLeft, NO_HISTORY } from '../../domain/task/worker.ts';
import { takesNonce, type Handler } from '../../server/hub/handler.ts';
import type { Call } from '../../server/hub/call.ts';
import type { Hub } from '../../server/hub/hub.ts';
import { commitChange } from '../../workflows/tasks/commit.ts';
import { presentDelivery } from './present/delivery.ts';
import { judgeResult, mustFit } from '../../workflows/tasks/acceptance.ts';
import { lockSettled, settleAll } from '../../workflows/tasks/due.ts';
import { taskPath } from '../../workflows/tasks/nextActions.ts';
import { orRefuse } from '../../workflows/tasks/refuse.ts';
import { actor } from '../../workflows/tasks/worker.ts';

/** Transitions T4 to T6: the verdict first, then the decision and its money in one transaction. */
export const submit: Handler<'tasks.submit'> = takesNonce(async (call, hub) => {
  const { id } = call.path;
  const { claimToken, result } = call.body;
  const { account } = actor(call.caller, call.body);
  mustFit(result);
  const verdict = await verdictOf(call, hub);
  const body = await hub.once(call, async (tx) => {
    const now = hub.clock.now();
    const loaded = await lockSettled(tx, hub, id);
    const found = await attemptByToken(tx, id, claimToken);
    const attempt = orRefuse(usable(loaded.aggregate, found, account, now), {
      aggregate: loaded.aggregate,
      now,
    });
    assert(verdict !== undefined, 'a token that works now worked a moment ago');
    const change = deliver(loaded.aggregate, attempt, { result, verdict }, now);
    const delivered = await commitChange(tx, hub, loaded, change, { actor: account, at: now });
    const settled = await settleAll(tx, hub, delivered, now);
    const ended = change.attempts.find((each) => each.id === attempt.id);
    assert(ended !== undefined, 'a delivery changes its attempt');
    const history = (await historiesOf(tx, account, [id])).get(id) ?? NO_HISTORY;
    const retry = {
      method: 'POST' as const,
      path: taskPath(id, 'claim'),
      body: { agentId: account },
    };
    const left = attemptsLeft(settled.aggregate.task, history);
    return presentDelivery(settled, { attempt: ended, verdict, attemptsLeft: left, retry }, now);
  });
  return { status: 200, body };
});

/** What the rule says; undefined for a caller whom the transaction will refuse. */
async function verdictOf(call: Call<'tasks.submit'>, hub: Hub): Promise<Verdict | undefined> {
  const { id } = call.path;
  const { claimToken, result } = call.body;
  const task = await hub.store.read(async (db) => {
    const stored = await readTask(db, id);
    const attempt = stored && (await attemptByToken(db, id, claimToken));
    if (stored === undefined) return undefined;
    const aggregate = { task: stored.task, live: [] };
    const refusal = isRefused(usable(aggregate, attempt, call.caller.account, hub.clock.now()));
    return refusal ? undefined : stored.task;
  });
  return task && judgeResult(hub, task, result);
}
