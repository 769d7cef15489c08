import type { Agent } from '../harness/agents.ts';
import type { Fixture } from '../harness/fixture.ts';
import { mustOk } from '../harness/must.ts';

/** Gives a domain to the passport of an agent, as a check that proves it does. */
export async function holdsDomain(world: Fixture, agent: Agent, domain: string): Promise<void> {
  const { keyId } = agent;
  mustOk(await agent.post('/api/v1/passport', { keyId }));
  const now = world.hub.clock.now();
  await world.hub.running.hub.store.write(async (tx) => {
    await tx.knex('passport_domains').insert({
      domain,
      key_id: keyId,
      origin: `https://${domain}`,
      method: 'dns',
      proved_at: now,
      last_confirmed_at: now,
      next_check_at: now,
    });
  });
}
