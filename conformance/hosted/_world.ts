import { mustOk } from '../harness/must.ts';
import type { Agent, Answer } from '../harness/agents.ts';
import type { Fixture } from '../harness/fixture.ts';
import { openRouterFixture, spendable } from '../router/_fixture.ts';

/** A hub that may dial the agents of a test, and what holders and callers of hosted agents do. */
export type Body = Record<string, unknown>;
export { SUITE_MS_MAX } from '../router/_fixture.ts';
export const FEE = 250_000n;
export const openHostedFixture = openRouterFixture;

/** The tools of the example agents, one of them with a price. */
export const PRICED = [
  { name: 'list-currencies', description: 'Lists the currencies.' },
  { name: 'convert', description: 'Converts an amount.', priceAtomic: '2000' },
];
export const CONVERT = { amount: 12.5, from: 'EUR', to: 'USD' };

let keys = 0;

export function tryPublish(agent: Agent, body: Body): Promise<Answer> {
  keys += 1;
  return agent.post('/api/v1/hosted', {
    owner: agent.account,
    keyId: agent.keyId,
    tools: PRICED,
    idempotencyKey: `hosted-${keys}`,
    ...body,
  });
}

export async function publish(agent: Agent, body: Body): Promise<Body> {
  return mustOk(await tryPublish(agent, body));
}

/** A holder with money for the fee and nothing else. */
export async function newHolder(world: Fixture): Promise<Agent> {
  const holder = await world.agent();
  await world.fund(holder, `${FEE}`);
  return holder;
}

/** Returns the amount by which an account has less than before. */
export async function paid(agent: Agent, act: () => Promise<unknown>): Promise<bigint> {
  const before = await spendable(agent);
  await act();
  return before - (await spendable(agent));
}

export async function callsOf(holder: Agent, query = ''): Promise<Body> {
  return mustOk(await holder.get(`/api/v1/hosted/${holder.keyId}/calls${query}`));
}
