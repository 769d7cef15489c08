import type { Pitch, Task } from '../../../domain/tasks/model.ts';
import type { Account } from '../../../domain/account.ts';
import { pitchActions, pitchState } from '../../../domain/tasks/pitch.ts';
import type { Schemas } from '../../../workflows/kernel/answered.ts';
import { presentMoney } from './task.ts';
import { ofReader, presentActions } from '../../../workflows/tasks/nextActions.ts';

/** A pitch as everybody may see it: plans and prices are public. */
export function presentPitch(pitch: Pitch, task: Task, reader?: Account): Schemas['Pitch'] {
  const { id, taskId, worker, plan, price, createdAt } = pitch;
  const { reward, reserved } = task;
  const state = pitchState(pitch, task);
  return {
    id,
    taskId,
    worker,
    plan,
    ...(reward && price !== undefined && { price: presentMoney({ ...reward, amount: price }) }),
    state,
    createdAt,
    ...(state === 'chosen' && reserved && { reservedUntil: reserved.until }),
    next: presentActions(taskId, ofReader(pitchActions(pitch, task), reader)),
  };
}
