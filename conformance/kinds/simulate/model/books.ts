import type { Agent, Model } from './types.ts';

/** A hold stays in the balance and stops being spendable (choices ledger.holds). */
export function agentOf(model: Model, index: number): Agent {
  const agent = model.agents[index];
  if (agent === undefined) throw new Error(`no agent ${index}`);
  return agent;
}

export function heldOf(agent: Agent): bigint {
  return [...agent.holds.values()].reduce((sum, amount) => sum + amount, 0n);
}

export function spendableOf(agent: Agent): bigint {
  return agent.balance - heldOf(agent);
}

export function hold(agent: Agent, what: string, amount: bigint): void {
  agent.holds.set(what, (agent.holds.get(what) ?? 0n) + amount);
  if (spendableOf(agent) < 0n) throw new Error(`${what} overdraws`);
}

export function release(agent: Agent, what: string, amount: bigint): void {
  const left = (agent.holds.get(what) ?? 0n) - amount;
  if (left < 0n) throw new Error(`${what} releases more than is held`);
  if (left === 0n) agent.holds.delete(what);
  else agent.holds.set(what, left);
}

export function bpsOf(amount: bigint, bps: bigint): bigint {
  return (amount * bps) / 10_000n;
}

export function least(...amounts: readonly bigint[]): bigint {
  return amounts.reduce((low, amount) => (amount < low ? amount : low));
}
