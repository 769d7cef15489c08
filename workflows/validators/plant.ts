import { insertPlanted, lockPlantable } from '../../db/validators/planted.ts';
import type { Writer } from '../../db/store.ts';
import type { Verdict } from '../../domain/validators/panel.ts';
import type { Ambient } from '../kernel/hub.ts';

/** Stores the answer of a planted result, before any judge votes on it (choices validators.planted). */
export async function plantAnswer(
  hub: Pick<Ambient, 'clock'>,
  tx: Writer,
  { attemptId, answer }: { readonly attemptId: string; readonly answer: Verdict },
): Promise<{ readonly done: string } | { readonly refused: string }> {
  const attempt = await lockPlantable(tx, attemptId);
  if (attempt === undefined) return { refused: `there is no attempt ${attemptId}` };
  if (attempt.verification !== 'validator') {
    return { refused: 'no panel judges this task: its verification is not validator' };
  }
  if (attempt.state !== 'claimed') {
    return {
      refused: `the attempt is ${attempt.state}: its answer is noted between claim and delivery`,
    };
  }
  const planted = { attemptId, answer, at: hub.clock.now() };
  if (await insertPlanted(tx, planted)) return { done: `${attemptId} is planted as ${answer}` };
  return { refused: 'its answer is noted already' };
}
