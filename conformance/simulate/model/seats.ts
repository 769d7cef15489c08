import { agentOf, hold, release, spendableOf } from './books.ts';
import type { Expected, Model, Seated, Task } from './types.ts';

/** Seats (choices 3.1): a stake is held while the seat is taken, and carries its ceiling. */
const CEILING_FREE = 1_000_000n;
const CEILING_PER_STAKE = 5n;
const WEIGHT_MIN = 1_000n;
/** The one skill that seats of a town judge; tasks that panels judge never ask for it. */
export const SEAT_SKILL = 'law';

/** A second call raises the stake; only resigning gives it back. */
export function takeSeat(model: Model, by: number, stake: bigint | undefined): Expected {
  const agent = agentOf(model, by);
  const before = agent.seat?.state === 'seated' ? agent.seat.stake : 0n;
  const asked = stake ?? before;
  if (asked < before) return { refused: 'seat-exists' };
  if (spendableOf(agent) < asked - before) return { refused: 'insufficient-funds' };
  if (asked > before) hold(agent, 'stake', asked - before);
  agent.seat = { state: 'seated', stake: asked };
  return { ok: { state: 'seated', stake: String(asked) } };
}

export function resign(model: Model, by: number): Expected {
  const agent = agentOf(model, by);
  if (agent.seat?.state !== 'seated') return { refused: 'no-seat' };
  const isBusy = [...model.tasks.values()].some(
    ({ dispute }) => dispute?.state === 'drawn' && dispute.arbiter === by,
  );
  if (isBusy) return { refused: 'seat-busy' };
  const { stake } = agent.seat;
  if (stake > 0n) release(agent, 'stake', stake);
  agent.seat = { state: 'closed', stake: 0n };
  return { ok: { state: 'closed' } };
}

/** Who may be drawn: within its ceiling, for its skill, and no party (choices 3.1, 3.5). */
export function poolFor(model: Model, task: Task, late: readonly number[]): readonly Seated[] {
  const winner = task.attempts.find(({ state }) => state === 'accepted');
  const parties = [task.requester, winner?.worker, winner?.payee, ...late];
  if (!task.skills.includes(SEAT_SKILL)) return [];
  return [...model.agents.entries()].flatMap(([agent, { seat }]) => {
    if (seat?.state !== 'seated' || parties.includes(agent)) return [];
    if (CEILING_FREE + CEILING_PER_STAKE * seat.stake < task.reward) return [];
    return [{ agent, weight: seat.stake > WEIGHT_MIN ? seat.stake : WEIGHT_MIN }];
  });
}
