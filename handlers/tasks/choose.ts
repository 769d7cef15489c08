import { historiesOf } from '../../db/tasks/attempts.ts';
import { pitchOfTask } from '../../db/tasks/pitches.ts';
import type { Reader } from '../../db/store.ts';
import { choosePitch } from '../../domain/task/pitch.ts';
import type { NamedPitch } from '../../domain/task/pitch.ts';
import { NO_HISTORY } from '../../domain/task/worker.ts';
import { takesNonce, type Handler } from '../../server/hub/handler.ts';
import { presentChange } from './present/change.ts';
import { commitChange } from '../../workflows/tasks/commit.ts';
import { lockSettled } from '../../workflows/tasks/due.ts';
import { orRefuse } from '../../workflows/tasks/refuse.ts';

/**
 * Transition T18: the plan's author has an hour to claim, and what its price leaves over is free at
 * once.
 */
export const choose: Handler<'tasks.choose'> = takesNonce(async (call, hub) => {
  const { id } = call.path;
  const { account } = call.caller;
  const body = await hub.once(call, async (tx) => {
    const now = hub.clock.now();
    const loaded = await lockSettled(tx, hub, id);
    const { task } = loaded.aggregate;
    const named = await namedPitch(tx, id, call.body.pitchId);
    const about = { aggregate: loaded.aggregate, now };
    const change = orRefuse(choosePitch(task, account, named, now), about);
    const committed = await commitChange(tx, hub, loaded, change, { actor: account, at: now });
    return presentChange(committed, change, { now, by: account });
  });
  return { status: 200, body };
});

async function namedPitch(db: Reader, taskId: string, id: string): Promise<NamedPitch | undefined> {
  const pitch = await pitchOfTask(db, taskId, id);
  if (pitch === undefined) return undefined;
  const histories = await historiesOf(db, pitch.worker, [taskId]);
  return { pitch, history: histories.get(taskId) ?? NO_HISTORY };
}
