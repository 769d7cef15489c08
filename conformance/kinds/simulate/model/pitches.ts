import { agentOf, release } from './books.ts';
import { areAttemptsUsed, isCooling } from './claims.ts';
import { settleDue } from './clock.ts';
import { isRestricted } from './karma.ts';
import { HOUR, type Expected, type Model, type Pitch, type Task } from './types.ts';

/** Plans and the requester's choice (T18 of choices tasks.transitions, tasks.pitching). */
const PRICE_MIN = 1_000n;

export function pitch(
  model: Model,
  task: Task,
  worker: number,
  price: bigint | undefined,
  name: string,
): Expected {
  settleDue(model, task);
  const refused = pitchRefusal(model, task, worker, price);
  if (refused !== undefined) return { refused };
  const asked = price ?? task.reward;
  const mine = task.pitches.find((each) => each.worker === worker && each.state !== 'replaced');
  if (mine?.state === 'standing' && mine.price === asked) {
    return { ok: { state: stateOf(task, mine) }, made: mine.name };
  }
  if (mine !== undefined) mine.state = 'replaced';
  const made: Pitch = { name, task: task.name, worker, price: asked, state: 'standing' };
  task.pitches.push(made);
  return { ok: { state: stateOf(task, made) }, made: name };
}

/** A plan that asks more than was agreed since can no longer be chosen. */
function stateOf(task: Task, { price }: Pitch): 'offered' | 'passed' {
  return price > task.reward ? 'passed' : 'offered';
}

function pitchRefusal(
  model: Model,
  task: Task,
  worker: number,
  price: bigint | undefined,
): string | undefined {
  if (!task.isPitch) return 'wrong-mode';
  const isTaken = task.reservation !== undefined || task.chosen?.worker === worker;
  if (task.state !== 'open' || isTaken) return 'wrong-state';
  if (task.requester === worker) return 'self-dealing';
  if (isRestricted(agentOf(model, worker))) return 'claim-limit';
  if (areAttemptsUsed(task, worker)) return 'attempts-used';
  if (isCooling(model, task, worker)) return 'claim-cooldown';
  const isUnpaid = task.reward === 0n;
  if (price !== undefined && (isUnpaid || price > task.reward)) return 'price-above-reward';
  if (price !== undefined && price < PRICE_MIN) return 'reward-too-small';
  return undefined;
}

export function choose(model: Model, task: Task, by: number, chosen: Pitch): Expected {
  settleDue(model, task);
  if (by !== task.requester) return { refused: 'not-a-party' };
  if (!task.isPitch) return { refused: 'wrong-mode' };
  if (task.state === 'held' || task.state === 'delivered' || task.reservation !== undefined) {
    return { refused: 'already-claimed' };
  }
  if (task.state !== 'open') return { refused: 'wrong-state' };
  if (chosen.state === 'replaced') return { refused: 'not-found' };
  if (!isChoosable(model, task, chosen)) return { refused: 'decided' };
  task.chosen = chosen;
  task.reservation = {
    pitch: chosen,
    until: Math.min(model.now + HOUR, task.deadline),
  };
  if (chosen.price < task.reward) {
    release(agentOf(model, by), `task ${task.name}`, task.reward - chosen.price);
    task.reward = chosen.price;
    task.revision += 1;
  }
  return { ok: { state: 'open' } };
}

/** No worker is bound below its price, and none is chosen who could not claim. */
function isChoosable(model: Model, task: Task, chosen: Pitch): boolean {
  const { worker, price, state } = chosen;
  return (
    state === 'standing' &&
    task.chosen !== chosen &&
    price <= task.reward &&
    !areAttemptsUsed(task, worker) &&
    !isCooling(model, task, worker)
  );
}
