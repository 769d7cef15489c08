import { strict as assert } from 'node:assert';
import { attemptByToken } from '../../db/tasks/attempts.ts';
import { deliver, usable } from '../../domain/task/deliver.ts';
import { attemptsLeft } from '../../domain/task/worker.ts';
import type { Handler } from '../../server/handler.ts';
import { commitChange } from './_commit.ts';
import { judgeResult, presentDelivery } from './_delivery.ts';
import { lockSettled, readSettled, settleAll } from './_due.ts';
import { taskPath } from './_present.ts';
import { granted } from './_refuse.ts';
import { actor, workerOn } from './_worker.ts';

/** T4 to T6: the verdict first, then the decision and its money in one transaction. */
export const submit: Handler<'tasks.submit'> = async (call, hub) => {
  const { id } = call.path;
  const { claimToken, result } = call.body;
  const who = actor(call.caller, call.body);
  const { play: seen } = await readSettled(hub, id);
  const verdict = await judgeResult(hub, seen.task, result);
  const body = await hub.once(call, async (tx) => {
    const now = hub.clock.now();
    const loaded = await lockSettled(tx, hub, id);
    const found = await attemptByToken(tx, id, claimToken);
    const about = { play: loaded.play, now };
    const attempt = granted(usable(loaded.play, found, who.account, now), about);
    const change = deliver(loaded.play, attempt, { result, verdict }, now);
    const cause = { actor: who.account, at: now };
    const delivered = await commitChange(tx, hub, loaded, change, cause);
    const settled = await settleAll(tx, hub, delivered, now);
    const ended = change.attempts.find((each) => each.id === attempt.id);
    assert(ended !== undefined, 'a delivery changes its attempt');
    const { history } = await workerOn(tx, who, settled.play.task);
    const retry = {
      method: 'POST' as const,
      path: taskPath(id, 'claim'),
      body: { agentId: who.account },
    };
    const left = attemptsLeft(settled.play.task, history);
    return presentDelivery(settled, { attempt: ended, verdict, attemptsLeft: left, retry }, now);
  });
  return { status: 200, body };
};
