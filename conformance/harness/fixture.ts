import { newAgent, visitor, type Agent } from './agents.ts';
import { startHub, type TestHub, type TestHubOptions } from './hub.ts';
import { mustHaveConformed } from './must.ts';

/** A fresh hub with two agents and a visitor without a key. */
export interface Fixture {
  readonly hub: TestHub;
  readonly alice: Agent;
  readonly bob: Agent;
  readonly anyone: Pick<Agent, 'get' | 'post' | 'send'>;
  agent(): Promise<Agent>;
  fund(agent: Agent, amount: string): Promise<void>;
  /** Fails when the books do not balance or an answer differed from the contract. */
  close(): Promise<void>;
}

export async function openFixture(options: TestHubOptions = {}): Promise<Fixture> {
  const hub = await startHub(options);
  const anyone = visitor(hub);
  return {
    hub,
    alice: await newAgent(hub),
    bob: await newAgent(hub),
    anyone,
    agent: () => newAgent(hub),
    fund: (agent, amount) => hub.fund(agent.account, amount),
    async close() {
      try {
        await hub.audit();
      } finally {
        await hub.close();
      }
      mustHaveConformed();
    },
  };
}
