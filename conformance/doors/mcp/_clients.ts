import { generateKey, signer, signRequest } from '../../../clients/typescript/sign.ts';
import { agentWith, type Agent } from '../../harness/agents.ts';
import type { Fixture } from '../../harness/fixture.ts';

/** A key for third-party clients: they sign in the `fetch` that they let one replace. */
export interface Signing {
  readonly agent: Agent;
  /** Signs every request; the client's own bytes are what is sent. */
  readonly fetch: (input: RequestInfo | URL, init?: RequestInit) => Promise<Response>;
}

export async function newSigning(world: Fixture): Promise<Signing> {
  const key = await generateKey();
  const signing = signer(key);
  return {
    agent: agentWith(world.hub, key),
    fetch: async (input, init) =>
      fetch(await signRequest(new Request(input, init), signing, world.hub.clock.now())),
  };
}
