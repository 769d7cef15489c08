import { assertBooksBalance } from '../ledger/auditor.ts';
import { newAgent, visitor, type Agent } from './agents.ts';
import { startHub, type TestHub, type TestHubOptions } from './hub.ts';
import { mustHaveConformed, mustOk } from './must.ts';

/** A fresh hub with two agents and somebody without a key. */
export interface Fixture {
  readonly hub: TestHub;
  readonly alice: Agent;
  readonly bob: Agent;
  readonly anyone: Pick<Agent, 'get' | 'post' | 'send'>;
  agent(): Promise<Agent>;
  /** Gives an agent test money from the faucet. */
  fund(agent: Agent, amount: string): Promise<void>;
  /** Fails when the books do not balance or an answer differed from the contract. */
  close(): Promise<void>;
}

let faucetCalls = 0;

export async function openFixture(options: TestHubOptions = {}): Promise<Fixture> {
  const hub = await startHub(options);
  const anyone = visitor(hub);
  return {
    hub,
    alice: await newAgent(hub),
    bob: await newAgent(hub),
    anyone,
    agent: () => newAgent(hub),
    async fund(agent, amount) {
      faucetCalls += 1;
      const body = { amount, idempotencyKey: `fund-${faucetCalls}` };
      mustOk(await anyone.post(`/api/v1/wallet/${agent.account}/credit`, body));
    },
    async close() {
      try {
        await assertBooksBalance(hub.running.hub.store);
      } finally {
        await hub.close();
      }
      mustHaveConformed();
    },
  };
}
