import { agentOf, bpsOf, hold, release } from './books.ts';
import { because, giveKarma } from './karma.ts';
import { claimEnded, collectFrom } from './loans.ts';
import type { Attempt, AttemptState, Model, Task } from './types.ts';

/** Acceptance, payment and refund (choices tasks.transitions, tasks.settlement). */
export const HUB_BPS = 300n;
const JUDGES_BPS = 100n;

export function waiting(task: Task): readonly Attempt[] {
  return task.attempts.filter((attempt) => attempt.state === 'waiting');
}

export function heldBy(task: Task): Attempt | undefined {
  return task.attempts.find((attempt) => attempt.state === 'claimed');
}

/** The hold that carries the reward of work that is not accepted. */
function escrowOf({ name, chain }: Task): string {
  return chain === undefined ? `task ${name}` : `chain ${chain.name}`;
}

/** The result is good: an unpaid task ends here, a rewarded one waits its window or is paid. */
export function acceptResult(model: Model, task: Task, attempt: Attempt, atOnce: boolean): void {
  attempt.state = 'accepted';
  for (const other of waiting(task)) endAttempt(model, other, 'superseded');
  task.state = 'accepted';
  if (task.reward === 0n) return;
  const requester = agentOf(model, task.requester);
  release(requester, escrowOf(task), task.reward);
  hold(requester, `payout ${task.name}`, task.reward);
  task.hold = 'payout';
  task.payoutAt = model.now + task.windowSeconds * 1000;
  if (atOnce || task.windowSeconds === 0) payOut(model, task);
}

/** Releases an accepted reward: the hub's fee, loans, and the rest to the payee. */
export function payOut(model: Model, task: Task, isPraised = true): void {
  const attempt = task.attempts.find(({ state }) => state === 'accepted');
  if (attempt === undefined) throw new Error(`${task.name} has no accepted attempt`);
  const requester = agentOf(model, task.requester);
  release(requester, `payout ${task.name}`, task.reward);
  const fee = bpsOf(task.reward, HUB_BPS);
  model.fees += fee;
  const share = task.reward - fee - payJudges(model, task);
  const taken = collectFrom(model, attempt, share, fee);
  requester.balance -= fee + share;
  agentOf(model, attempt.payee).balance += share - taken;
  task.hold = 'none';
  task.state = 'paid';
  if (isPraised) giveKarma(model, attempt.worker, 1, because(task, 'task.paid'));
}

/** The pot of everybody who voted in a decided round; the first get what cannot be shared. */
export function payJudges(model: Model, { requester, reward, judges }: Task): bigint {
  if (judges.length === 0) return 0n;
  const pot = bpsOf(reward, JUDGES_BPS);
  const each = pot / BigInt(judges.length);
  const left = pot % BigInt(judges.length);
  for (const [place, judge] of judges.entries()) {
    agentOf(model, judge).balance += each + (BigInt(place) < left ? 1n : 0n);
  }
  agentOf(model, requester).balance -= pot;
  return pot;
}

/** An attempt ends without acceptance; a loan taken on it falls due. */
export function endAttempt(model: Model, attempt: Attempt, state: AttemptState): void {
  const hadClaim = attempt.state === 'claimed' || attempt.state === 'waiting';
  attempt.state = state;
  if (hadClaim) claimEnded(model, attempt.name);
}

/** The task ends unpaid and its escrow goes back, less what judges earned. */
export function endUnpaid(model: Model, task: Task, state: 'withdrawn' | 'expired'): void {
  for (const attempt of waiting(task)) endAttempt(model, attempt, 'superseded');
  if (task.reward > 0n) release(agentOf(model, task.requester), escrowOf(task), task.reward);
  task.kept = payJudges(model, task);
  task.hold = 'none';
  task.reservation = undefined;
  task.state = state;
}
