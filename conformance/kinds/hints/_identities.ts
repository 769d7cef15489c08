import { mustOk } from '../../harness/must.ts';
import type { Agent, Answer } from '../../harness/agents.ts';
import type { Fixture } from '../../harness/fixture.ts';
import { PRICED, tryPublish } from '../../hosted/_world.ts';
import {
  check,
  claim,
  claimEndpoint,
  list,
  openStreet,
  prove,
  type Street,
} from '../../passport/_domains.ts';
import { charging, startAgent, type ScriptedAgent } from '../../router/_agent.ts';
import { call, receiptOf } from '../../router/_fixture.ts';
import type { Meets } from './_follow.ts';

/** Refusals of proofs, claims, hosted listings and reviews; each row has an agent of its own. */
export interface Place extends Fixture {
  readonly records: Street['records'];
  home(): ScriptedAgent;
}

const HOMES = 12;

export async function openPlace(): Promise<Place> {
  const homes: ScriptedAgent[] = [];
  for (let made = 0; made < HOMES; made += 1) homes.push(await startAgent({}));
  for (const home of homes) {
    for (const [tool, price] of PRICES) {
      home.tools.set(
        tool,
        charging(() => price),
      );
    }
    home.offer(PRICED);
  }
  const HUB_ALLOW_PRIVATE_HOSTS = homes.map(({ site }) => site.pair).join(',');
  const street = await openStreet('sqlite::memory:', { env: { HUB_ALLOW_PRIVATE_HOSTS } });
  const home = (): ScriptedAgent => {
    const next = homes.pop();
    if (next === undefined) throw new Error('no agent is left');
    return next;
  };
  return { ...street.world, records: street.records, home, close: street.close };
}

const PRICES = [
  ['cheap', '9999'],
  ['dear', '10000'],
] as const;

const OF_PROOFS: Meets<Place> = {
  'domain-held': async ({ alice, bob, records }) => {
    const [origin, name] = ['https://held.example.com', '_agent.held.example.com'];
    const proofOf = ({ keyId }: Agent): string => `hub-key=${keyId}`;
    records.set(name, [proofOf(alice)]);
    mustOk(await check(alice, origin, alice.keyId));
    records.set(name, [proofOf(alice), proofOf(bob)]);
    return {
      by: bob,
      answer: await check(bob, origin, bob.keyId),
      says: /Leave your key alone at .*_agent\.held\.example\.com.*send this again/,
      helps: () => {
        records.set(name, [proofOf(bob)]);
        return check(bob, origin, bob.keyId);
      },
    };
  },
  'listing-held': async (world) => {
    const { alice, bob } = world;
    const home = world.home();
    const id = await list(world, home, ['quote']);
    home.opening.instructions = `hub-key=${alice.keyId}`;
    mustOk(await claimEndpoint(alice, id));
    home.opening.instructions = `hub-key=${alice.keyId} hub-key=${bob.keyId}`;
    return {
      by: bob,
      answer: await claimEndpoint(bob, id),
      says: /GET \/api\/v1\/agents\/\w{16}\/claim/,
      helps: async () => {
        await prove(bob, home);
        return claim(bob, id);
      },
    };
  },
  'proof-not-found': async (world) => {
    const { alice } = world;
    const home = world.home();
    const id = await list(world, home, ['quote']);
    return {
      by: alice,
      answer: await claimEndpoint(alice, id),
      says: /Put the text hub-key=\w+ into it, then send this again/,
      helps: (_, hint) => {
        home.opening.instructions = /hub-key=\w+/.exec(hint)?.[0] ?? '';
        return claimEndpoint(alice, id);
      },
    };
  },
  'endpoint-not-dialable': async (world) => {
    const { alice } = world;
    const home = world.home();
    const id = await list(world, home, ['quote']);
    home.pages.set('/mcp', { status: 503, body: 'away' });
    return {
      by: alice,
      answer: await claimEndpoint(alice, id),
      says: /GET \/api\/v1\/verify\?url=http\S+.*send the call again/,
      helps: () => {
        home.pages.delete('/mcp');
        home.opening.instructions = `hub-key=${alice.keyId}`;
        return claimEndpoint(alice, id);
      },
    };
  },
};

const OF_HOSTED: Meets<Place> = {
  'hosted-exists': async (world) => {
    const { alice, bob } = world;
    const [theirs, own] = [world.home(), world.home()];
    mustOk(await tryPublish(alice, { endpoint: theirs.endpoint }));
    return {
      by: bob,
      answer: await tryPublish(bob, { endpoint: theirs.endpoint }),
      says: /List an endpoint of your own.*POST \/api\/v1\/hosted` again/,
      helps: () => tryPublish(bob, { endpoint: own.endpoint }),
    };
  },
  'tool-not-offered': async (world) => {
    const { alice } = world;
    const { endpoint } = world.home();
    const ask = (tools: readonly object[]): Promise<Answer> =>
      tryPublish(alice, { endpoint, tools });
    return {
      by: alice,
      answer: await ask([{ name: 'konvert', description: 'No.' }]),
      says: /Serve konvert, or leave it out.*POST \/api\/v1\/hosted` again/,
      helps: () => ask(PRICED),
    };
  },
  'bad-tools': async (world) => {
    const { alice } = world;
    const { endpoint } = world.home();
    const [first] = PRICED;
    return {
      by: alice,
      answer: await tryPublish(alice, { endpoint, tools: [first, first] }),
      says: /Then send `POST \/api\/v1\/hosted` again/,
      helps: () => tryPublish(alice, { endpoint, tools: [first] }),
    };
  },
};

async function reviewed(world: Place) {
  const { alice } = world;
  const holder = await world.agent();
  const home = world.home();
  const agentId = await list(world, home, ['cheap', 'dear'], { holder });
  const paidCall = async (operation: string): Promise<string> => {
    const answer = await call(alice, { agentId, operation, maxPrice: '10000' });
    return String(receiptOf(answer)['transferId']);
  };
  const review = (transferId: string, rating = 5): Promise<Answer> =>
    alice.post(`/api/v1/agents/${agentId}/reviews`, {
      reviewer: alice.account,
      rating,
      transferId,
    });
  return { alice, paidCall, review };
}

const OF_REVIEWS: Meets<Place> = {
  'settlement-too-small': async (world) => {
    const { alice, paidCall, review } = await reviewed(world);
    return {
      by: alice,
      answer: await review(await paidCall('cheap')),
      says: /GET \/api\/v1\/wallet\/\S+\/statement shows.*at least 10000/,
      helps: async () => review(await paidCall('dear')),
    };
  },
  'already-reviewed': async (world) => {
    const { alice, paidCall, review } = await reviewed(world);
    const first = await paidCall('dear');
    mustOk(await review(first));
    return {
      by: alice,
      answer: await review(first),
      says: /another payment licenses another one/,
      helps: async () => review(await paidCall('dear')),
    };
  },
  'bad-rating': async (world) => {
    const { alice, paidCall, review } = await reviewed(world);
    const transferId = await paidCall('dear');
    return {
      by: alice,
      answer: await review(transferId, 6),
      says: /`rating` as 1, 2, 3, 4 or 5/,
      helps: () => review(transferId, 5),
    };
  },
};

export const IDENTITIES: Meets<Place> = { ...OF_PROOFS, ...OF_HOSTED, ...OF_REVIEWS };
