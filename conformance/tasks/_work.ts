import type { Agent, Answer } from '../harness/agents.ts';
import { at, mustOk } from '../harness/must.ts';
import type { Fixture } from '../harness/fixture.ts';

/** Steps that the tests of this folder share: they go over the wire like everybody's. */
export type Body = Record<string, unknown>;

export const REWARD = '1000000';
export const RULE = { kind: 'contains', values: ['done'] };

/** Alice publishes; the answer is the task. */
export async function publish(agent: Agent, over: Body = {}): Promise<Body & { id: string }> {
  const body = { requester: agent.account, title: 'Do it', rewardAmount: REWARD, ...over };
  const task = mustOk(await agent.post('/api/v1/tasks', body));
  return { ...task, id: String(task['id']) };
}

export function act(agent: Agent, id: string, verb: string, body: Body = {}): Promise<Answer> {
  return agent.post(`/api/v1/tasks/${id}/${verb}`, body);
}

export async function claim(agent: Agent, id: string): Promise<string> {
  const claimed = mustOk(await act(agent, id, 'claim', { agentId: agent.account }));
  return String(claimed['claimToken']);
}

export async function submit(agent: Agent, id: string, result: unknown): Promise<Answer> {
  const claimToken = await claim(agent, id);
  return act(agent, id, 'submit', { claimToken, result });
}

export async function read(world: Fixture, id: string): Promise<Body> {
  return mustOk(await world.anyone.get(`/api/v1/tasks/${id}`));
}

/** Balance, held and spendable in atomic units, as the owner reads them. */
export async function money(agent: Agent): Promise<readonly unknown[]> {
  const wallet = mustOk(await agent.get(`/api/v1/wallet/${agent.account}`));
  return [wallet['balance'], at(wallet, 'held', 'total'), wallet['spendable']];
}

export async function events(world: Fixture, id: string): Promise<readonly unknown[]> {
  const { history } = await read(world, id);
  return (history as Body[]).map((event) => event['event']);
}

export function names(next: unknown): readonly unknown[] {
  return (next as Body[]).map((action) => action['action']);
}
