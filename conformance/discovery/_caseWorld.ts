import { mustOk } from '../harness/must.ts';
import type { Agent } from '../harness/agents.ts';
import type { Fixture } from '../harness/fixture.ts';
import { act, claim, publish, RULE, type Body } from '../tasks/_work.ts';

/** Work that is paid at once, and the jobs that publish its cases. */
export async function earnOnce(world: Fixture, worker: Agent, reward = '100000'): Promise<void> {
  const task = { acceptance: RULE, disputeWindowSeconds: 0, rewardAmount: reward };
  const { id } = await publish(world.alice, task);
  world.hub.clock.advance(1);
  const claimToken = await claim(worker, id);
  world.hub.clock.advance(1);
  mustOk(await act(worker, id, 'submit', { claimToken, result: 'done' }));
}

export async function recorded(world: Fixture): Promise<void> {
  world.hub.clock.advance(60);
  await world.hub.runJob('pulse');
  // The first look names what is under way, the second seals it.
  await world.hub.runJob('sealJournal');
  await world.hub.runJob('sealJournal');
  await world.hub.runJob('cases');
}

export async function casesOf(world: Fixture, query = ''): Promise<Body[]> {
  return mustOk(await world.anyone.get(`/api/v1/cases${query}`))['cases'] as Body[];
}
