import { openArranger } from '../../harness/arranger/arranger.mjs';
import { agentWith, type Agent, type Place } from '../../harness/agents.ts';
import { mustOk } from '../../harness/must.ts';
import { openFixture, type Fixture } from '../../harness/fixture.ts';
import type { Surroundings } from './overrides.ts';

/** A hub with something in it: money, tasks in every state, a claim, a solution. */
export interface FuzzFixture {
  readonly world: Fixture;
  /** The account that every generated request acts for. */
  readonly alice: Agent;
  readonly bob: Agent;
  readonly around: Surroundings;
  /** Alice by another clock. */
  aliceAt(place: Place): Agent;
}

const FUNDS = '5000000';

export async function openFuzzFixture(databaseUrl?: string): Promise<FuzzFixture> {
  // Addresses are made up, and no name server of the world is asked for them.
  const names = { untrusted: noNames, trusted: noNames, texts: noNames };
  const world = await openFixture({ ...(databaseUrl !== undefined && { databaseUrl }), names });
  const { hub } = world;
  const stamped = await someStamps(world);
  const arranger = openArranger({ url: hub.url, now: () => hub.clock.now() });
  const [alice, bob] = [agentWith(hub, arranger.alice), agentWith(hub, arranger.bob)];
  const other = await world.agent();
  await world.fund(alice, FUNDS);
  await world.fund(bob, FUNDS);
  const ids: string[] = [];
  for (const [worker, requester] of [
    [arranger.bob, arranger.alice],
    [arranger.alice, arranger.bob],
  ] as const) {
    const { tasks, others } = await arranger.tasks.worked(worker, requester);
    const { path } = await arranger.tasks.claimed(worker, requester);
    ids.push(...tasks, ...others, path.id);
  }
  const around = {
    self: alice.account,
    others: [bob.account, other.account, 'hub:demand', `evm:0x${'a1'.repeat(20)}`],
    ids,
    stamped,
    nowMs: hub.clock.now(),
  };
  return { world, alice, bob, around, aliceAt: (place) => agentWith(place, arranger.alice) };
}

const noNames = async (): Promise<readonly string[]> => [];

/** Two digests whose pulse is there, where minutes can be made to pass, and two that wait. */
async function someStamps({ hub, anyone }: Fixture): Promise<readonly string[]> {
  const digests = ['1a', '2b', '3c', '4d'].map((byte) => byte.repeat(32));
  for (const [n, digest] of digests.entries()) {
    mustOk(await anyone.post('/api/v1/time/stamp', { digest }));
    if (n !== 1 || !hub.isOurs) continue;
    hub.clock.advance(60);
    await hub.runJob('pulse');
  }
  return digests;
}
