import { agentOf, bpsOf, release } from './books.ts';
import { because, giveKarma } from './karma.ts';
import { collectFrom } from './loans.ts';
import { endAttempt, HUB_BPS, waiting } from './settle.ts';
import type { Attempt, Model, Task } from './types.ts';

/** Rewards that several winners divide (choices tasks.shares). */
export const WHOLE = 10_000;

export function sumOf(places: readonly number[]): number {
  return places.reduce((sum, bps) => sum + bps, 0);
}

/** The parts of all places: floors, then one unit each to the largest remainders. */
export function partsOf(reward: bigint, places: readonly number[]): readonly bigint[] {
  const parts = places.map((bps) => bpsOf(reward, BigInt(bps)));
  const left = reward - parts.reduce((sum, part) => sum + part, 0n);
  const rest = (place: number): bigint => (reward * BigInt(places[place] ?? 0)) % BigInt(WHOLE);
  const order = places
    .map((_, place) => place)
    .sort((a, b) => (rest(a) === rest(b) ? a - b : rest(a) < rest(b) ? 1 : -1));
  for (const place of order.slice(0, Number(left))) parts[place] = (parts[place] ?? 0n) + 1n;
  return parts;
}

export function areOneParty(a: Attempt, b: Attempt): boolean {
  return [a.worker, a.payee].some((party) => party === b.worker || party === b.payee);
}

/** Pays each winner its part, the first place first; the rest goes back. */
export function payShares(model: Model, task: Task, winners: readonly Attempt[]): void {
  const parts = partsOf(task.reward, task.shares ?? []);
  const requester = agentOf(model, task.requester);
  release(requester, `task ${task.name}`, task.reward);
  for (const winner of winners) winner.state = 'accepted';
  for (const other of waiting(task)) endAttempt(model, other, 'superseded');
  for (const [place, winner] of winners.entries()) {
    const part = parts[place] ?? 0n;
    const fee = bpsOf(part, HUB_BPS);
    model.fees += fee;
    const taken = collectFrom(model, winner, part - fee, fee);
    requester.balance -= part;
    agentOf(model, winner.payee).balance += part - fee - taken;
    giveKarma(model, winner.worker, 1, because(task, 'task.paid'));
  }
  task.hold = 'none';
  task.state = 'paid';
}

/** Silence gives the places to the first results; nothing is paid when no rule judged them. */
export function divideBySilence(model: Model, task: Task): boolean {
  const places = task.shares?.length ?? 0;
  if (places === 0 || !task.rule) return false;
  const winners: Attempt[] = [];
  for (const attempt of [...waiting(task)].sort((a, b) => a.deliveredAt - b.deliveredAt)) {
    const isTaken = winners.some((winner) => areOneParty(winner, attempt));
    if (winners.length < places && !isTaken) winners.push(attempt);
  }
  if (winners.length === 0) return false;
  payShares(model, task, winners);
  return true;
}
