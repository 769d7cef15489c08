import { setTimeout as sleep } from 'node:timers/promises';
import type { DirectAnswer } from '../../harness/direct.ts';
import type { Place } from './panelDriver.ts';
import { onlyGone } from './crashInjection.ts';
import { nextDue } from './model/clock.ts';
import { expect } from './model/model.ts';
import type { Calling, Death } from './model/operations.ts';
import { heldBy } from './model/settle.ts';
import { RESTART_SECONDS, type Expected, type Model } from './model/types.ts';

/**
 * An operation that a crash cuts off and that is sent again. It must happen once, and what was
 * acknowledged must not be lost.
 */
export type Deadly = Calling & { readonly dies: Death };

export interface Resent {
  readonly answer: DirectAnswer;
  readonly expected: Expected | undefined;
  readonly wrong: readonly string[];
  readonly wasDone: boolean;
}

/** Whether an operation may be sent again: under a key, or a claim, which its holder renews. */
export function isDeadly(model: Model, op: Calling): op is Deadly {
  if (op.dies === undefined) return false;
  if ('key' in op && op.key !== undefined) return true;
  const task = op.do === 'claim' ? model.tasks.get(op.task) : undefined;
  if (task === undefined) return false;
  // The second that passes must change nothing else about it.
  return (nextDue(task)?.at ?? Infinity) > model.now + RESTART_SECONDS * 1000;
}

export async function sendTwice(
  { site, model }: Place,
  op: Deadly,
  send: () => Promise<DirectAnswer>,
): Promise<Resent> {
  const reported = send().catch((error: unknown) => {
    // The wire says no more than that no server is there.
    if (error instanceof TypeError) return undefined;
    return onlyGone(error);
  });
  await sleep(op.dies.afterMs);
  await site.kill();
  const first = await reported;
  await site.restart();
  await site.advance(RESTART_SECONDS);
  const answer = await send();
  const isRepeated = answer.body['repeated'] === true;
  const wasDone = isRepeated && !isHolder(model, op);
  const before = wasDone ? expect(model, op) : undefined;
  model.now += RESTART_SECONDS * 1000;
  const isAsked = before === undefined || op.do === 'claim';
  const expected = isAsked ? expect(model, op) : before;
  const isLost = first?.status === 200 && !isRepeated;
  const wrong = isLost ? [`${op.n} ${op.do}: it was acknowledged and then lost`] : [];
  return { answer, expected, wrong, wasDone };
}

/** A claim of the holder is a repeated one, whichever call made it. */
function isHolder(model: Model, op: Calling): boolean {
  const task = op.do === 'claim' ? model.tasks.get(op.task) : undefined;
  return task !== undefined && heldBy(task)?.worker === op.by;
}
