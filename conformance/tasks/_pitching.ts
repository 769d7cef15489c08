import type { Agent, Answer } from '../harness/agents.ts';
import { mustOk } from '../harness/must.ts';
import { act, RULE, type Body } from './_work.ts';

/** Steps of a pitch task: a plan at a price, the requester's choice, the winner's claim. */
export const PITCHED = { tags: ['pitch'], acceptance: RULE, disputeWindowSeconds: 0 };
export const PRICE = '200000';

export async function offer(agent: Agent, id: string, price = PRICE): Promise<string> {
  const body = { agentId: agent.account, plan: `For ${price}.`, price };
  return String(mustOk(await act(agent, id, 'pitch', body))['id']);
}

export function choose(
  agent: Agent,
  id: string,
  pitchId: string,
  over: Body = {},
): Promise<Answer> {
  return act(agent, id, 'choose', { requester: agent.account, pitchId, ...over });
}

export function claimBy(agent: Agent, id: string): Promise<Answer> {
  return act(agent, id, 'claim', { agentId: agent.account });
}
