import type { Model, Task } from './model/types.ts';
import type { Operation } from './model/operations.ts';
import type { Random } from './random.ts';

/** The state that the driver chooses by; `done` are the operations so far. */
export interface SimulationFixture {
  readonly model: Model;
  readonly random: Random;
  readonly done: readonly Operation[];
  /** Whether most of its work goes to panels. */
  readonly isCourt: boolean;
  readonly isGang: boolean;
  readonly isMortal: boolean;
}

export const SKILLS = ['translate', 'extract', 'law'];
/** The last agents are those who take seats. */
export const FIRST_JUDGE = 12;
/** The agents that publish most; everybody may. */
export const REQUESTERS = 5;

export function anyone({ model, random }: SimulationFixture): number {
  return random.below(model.agents.length);
}

export function tasksWhere(
  { model }: SimulationFixture,
  fits: (task: Task) => boolean,
): readonly Task[] {
  return [...model.tasks.values()].filter(fits);
}

/** A task that fits, or, now and then, any task at all. */
export function pickTask(
  fixture: SimulationFixture,
  fits: (task: Task) => boolean,
): Task | undefined {
  const { random } = fixture;
  const fitting = random.chance(12) ? [] : tasksWhere(fixture, fits);
  const from = fitting.length > 0 ? fitting : tasksWhere(fixture, () => true);
  return from.length === 0 ? undefined : random.pick(from);
}

export function key(random: Random): { readonly key?: string } {
  return random.chance(40) ? { key: `k${random.below(1_000_000)}` } : {};
}

export function isOver({ state }: Task): boolean {
  return ['paid', 'refunded', 'withdrawn', 'expired'].includes(state);
}

/** The requester of a task, and now and then another agent. */
export function owner(fixture: SimulationFixture, task: Task): number {
  return fixture.random.chance(94) ? task.requester : anyone(fixture);
}
