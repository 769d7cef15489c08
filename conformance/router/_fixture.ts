import assert from 'node:assert/strict';
import { probedListing, listedSkill } from '../../db/registry/fixture.ts';
import { saveListing } from '../../db/registry/listings.ts';
import { atomic } from '../../domain/money.ts';
import { listingCode } from '../../domain/registry/code.ts';
import type { ListedSkill, ProbedListing } from '../../domain/registry/listing.ts';
import type { Agent } from '../harness/agents.ts';
import { mustOk } from '../harness/must.ts';
import { openFixture, type Fixture } from '../harness/fixture.ts';
import type { ScriptedAgent } from './_agent.ts';

/** A hub that may call the agents of a test, with listings of them as looks would leave them. */
export type Body = Record<string, unknown>;
export const SUITE_MS_MAX = 60_000;
export async function openRouterFixture(
  databaseUrl: string,
  pairs: readonly string[],
): Promise<Fixture> {
  return openFixture({ databaseUrl, env: { HUB_ALLOW_PRIVATE_HOSTS: pairs.join(',') } });
}

export interface Listed {
  /** Account that holds the listing; none when absent. */
  readonly holder?: Agent;
  readonly skill?: Partial<ListedSkill>;
  readonly price?: string;
  readonly listing?: Partial<ProbedListing>;
}

/** Lists an agent with these tools, all alike; answers its code. */
export async function list(
  world: Fixture,
  agent: Pick<ScriptedAgent, 'endpoint'>,
  tools: readonly string[],
  { holder, skill, price, listing }: Listed = {},
): Promise<string> {
  const { origin } = new URL(agent.endpoint);
  const id = listing?.id ?? listingCode('mcp', origin);
  const priced = price !== undefined && {
    access: 'paid' as const,
    price: { amount: atomic(BigInt(price)), asset: 'USDC' },
  };
  const found = {
    listing: probedListing({ id, origin, endpoint: agent.endpoint, ...listing }),
    skills: tools.map((name) => listedSkill(name, { access: 'open', ...priced, ...skill })),
  };
  const { store } = world.hub.running.hub;
  await store.write(async (tx) => {
    await saveListing(tx, found);
    if (holder === undefined) return;
    const claimed_at = world.hub.clock.now();
    const held = { passport_key_id: holder.keyId, verification: 'dns', claimed_at };
    await tx.knex('listings').where({ id }).update(held);
  });
  return id;
}

let keys = 0;

/** Calls, and expects 200. */
export async function call(caller: Agent, body: Body): Promise<Body> {
  return mustOk(await tryCall(caller, body));
}

export async function tryCall(
  caller: Agent,
  body: Body,
): Promise<Awaited<ReturnType<Agent['post']>>> {
  keys += 1;
  const idempotencyKey = `call-${keys}`;
  return caller.post('/api/v1/call', { caller: caller.account, idempotencyKey, ...body });
}

export function receiptOf(answer: Body): Body {
  const { receipt } = answer;
  assert.ok(typeof receipt === 'object' && receipt !== null, 'an answer has a receipt');
  return receipt as Body;
}

export async function walletOf(agent: Agent): Promise<Body> {
  const wallet = mustOk(await agent.get(`/api/v1/wallet/${agent.account}`));
  const { balance, held, spendable } = wallet;
  return { balance, held: (held as Body)['total'], spendable };
}

/** Spendable atomic units. */
export async function spendable(agent: Agent): Promise<bigint> {
  return BigInt(String((await walletOf(agent))['spendable']));
}
