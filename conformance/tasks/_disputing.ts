import type { Agent, Answer } from '../harness/agents.ts';
import { mustOk } from '../harness/must.ts';
import { judgeBy, type PanelDriver } from '../validators/_court.ts';
import { act, claim, publish, RULE, type Body } from './_work.ts';

/** Steps of a dispute: an accepted result, an objection, the arbiter's word. */
export interface Accepted {
  readonly id: string;
  readonly requester: Agent;
  readonly worker: Agent;
}

export const DAY = 86_400;

/** A result of the worker that passed, its payout waiting a day for objections. */
export async function accepted(
  { world }: PanelDriver,
  over: Body = {},
  worker: Agent = world.bob,
): Promise<Accepted> {
  const { id } = await publish(world.alice, { acceptance: RULE, ...over });
  const claimToken = await claim(worker, id);
  mustOk(await act(worker, id, 'submit', { claimToken, result: 'done' }));
  return { id, requester: world.alice, worker };
}

export function object(by: Agent, id: string, over: Body = {}): Promise<Answer> {
  return act(by, id, 'dispute', { raisedBy: by.account, reason: 'Made up.', ...over });
}

export async function disputed(driver: PanelDriver, over: Body = {}): Promise<Accepted> {
  const work = await accepted(driver, over);
  mustOk(await object(work.requester, work.id));
  return work;
}

export async function disputeOf({ world }: PanelDriver, id: string): Promise<Body> {
  return mustOk(await world.anyone.get(`/api/v1/tasks/${id}/dispute`));
}

export async function arbiterOf(driver: PanelDriver, id: string): Promise<Agent> {
  const { arbiter } = await disputeOf(driver, id);
  return judgeBy(driver, arbiter).agent;
}

export function rule(by: Agent, id: string, verdict: string, over: Body = {}): Promise<Answer> {
  return act(by, id, 'arbitrate', { by: by.account, verdict, ...over });
}

/** Sends the verdict of the drawn arbiter. */
export async function ruled(
  driver: PanelDriver,
  id: string,
  verdict: string,
  over: Body = {},
): Promise<Body> {
  return mustOk(await rule(await arbiterOf(driver, id), id, verdict, over));
}
