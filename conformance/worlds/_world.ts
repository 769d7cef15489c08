import { newAgent, type Agent, type Place } from '../harness/agents.ts';
import { openFixture, type Fixture } from '../harness/fixture.ts';
import { mustOk } from '../harness/must.ts';

/** Steps that the tests of test worlds share. */
export const WORLD = '/api/v1/me/world';
export const DAY = 86_400;

export function hubWithWorlds(most = 3): Promise<Fixture> {
  return openFixture({ env: { HUB_TEST_WORLDS: String(most) } });
}

/** Has an agent open its world; the place is where others act in it. */
export async function openedBy(hub: Fixture, owner: Agent): Promise<Place> {
  const { url } = mustOk(await owner.post(WORLD));
  return { url: String(url), clock: hub.hub.clock };
}

/** An agent with test money in a world. */
export async function funded(place: Place, amount = '50000000'): Promise<Agent> {
  const agent = await newAgent(place);
  const path = `/api/v1/wallet/${agent.account}/credit`;
  mustOk(await agent.post(path, { amount, idempotencyKey: agent.keyId }));
  return agent;
}

export async function advance(owner: Agent, seconds: number): Promise<Record<string, unknown>> {
  return mustOk(await owner.post(`${WORLD}/advance`, { seconds }));
}
