import { closeSites } from '../../clients/examples/agents/site.ts';
import type { Agent } from '../harness/agents.ts';
import type { Fixture } from '../harness/fixture.ts';
import { echo, startAgent, type ScriptedAgent } from '../router/_agent.ts';
import { newHolder, openHostedFixture, publish, type Body } from './_world.ts';

/** One free and one priced tool of a scripted agent. */
export const FREE = { name: 'free', description: 'Free.' };
export const JOB = { name: 'job', description: 'Paid.', priceAtomic: '700' };

export interface Scripted {
  readonly world: Fixture;
  readonly agents: readonly ScriptedAgent[];
  /** A holder with a listing of the agent, and the listing. */
  listed(nth: number, body?: Body): Promise<{ readonly holder: Agent; readonly listing: Body }>;
  close(): Promise<void>;
}

/** A hub that may dial so many scripted agents. */
export async function openScripted(databaseUrl: string, count: number): Promise<Scripted> {
  const agents = await Promise.all(
    Array.from({ length: count }, () => startAgent({ job: echo, free: echo })),
  );
  for (const agent of agents) agent.offer([FREE, JOB]);
  const world = await openHostedFixture(
    databaseUrl,
    agents.map(({ site }) => site.pair),
  );
  return {
    world,
    agents,
    async listed(nth, body = {}) {
      const holder = await newHolder(world);
      const offer = { endpoint: agents[nth]?.endpoint, tools: [FREE, JOB] };
      return { holder, listing: await publish(holder, { ...offer, ...body }) };
    },
    async close() {
      await world.close();
      await closeSites();
    },
  };
}

export const pathOf = (holder: Agent, verb: string): string =>
  `/api/v1/hosted/${holder.keyId}/${verb}`;

export function takeDown(holder: Agent, of: Agent = holder): ReturnType<Agent['post']> {
  return holder.post(pathOf(of, 'delete'), { owner: holder.account });
}

/** Where a tool waits until the test lets it go on; `reached` resolves when the tool is there. */
export interface Barrier {
  readonly reached: Promise<void>;
  open(): void;
  /** Waits there, as the tool does. */
  pass(): Promise<void>;
}

export function barrier(): Barrier {
  let come = (): void => undefined;
  let open = (): void => undefined;
  const reached = new Promise<void>((resolve) => (come = resolve));
  const opened = new Promise<void>((resolve) => (open = resolve));
  return {
    reached,
    open: () => open(),
    pass: () => {
      come();
      return opened;
    },
  };
}
