import assert from 'node:assert/strict';
import type { Agent } from '../harness/agents.ts';
import { mustOk } from '../harness/must.ts';
import type { Fixture } from '../harness/fixture.ts';
import { RULE, type Body } from '../tasks/_work.ts';

/** Steps that the tests of this folder share. */
export const STEP: Body = { title: 'A step', rewardAmount: '1000000', acceptance: RULE };
/** Terms without a dispute window: an accepted result is paid at once. */
export const AT_ONCE: Body = { ...STEP, disputeWindowSeconds: 0 };

export type Chain = Body & { readonly id: string; readonly steps: readonly Body[] };

function chain(body: Body): Chain {
  return { ...body, id: String(body['id']), steps: body['steps'] as readonly Body[] };
}

export async function publishChain(
  agent: Agent,
  steps: readonly Body[],
  over: Body = {},
): Promise<Chain> {
  const body = { requester: agent.account, title: 'In order', steps, ...over };
  return chain(mustOk(await agent.post('/api/v1/chains', body)));
}

export async function readChain(world: Fixture, { id }: Pick<Chain, 'id'>): Promise<Chain> {
  return chain(mustOk(await world.anyone.get(`/api/v1/chains/${id}`)));
}

/** The task of step `n`, which must have been opened. */
export async function taskOf(world: Fixture, id: Pick<Chain, 'id'>, n: number): Promise<string> {
  return String((await readChain(world, id)).steps[n - 1]?.['taskId']);
}

/** Where the money is, and where each step stands. */
export async function stand(world: Fixture, id: Pick<Chain, 'id'>): Promise<string> {
  const { state, spent, stillHeld, refunded, steps } = await readChain(world, id);
  const states = steps.map((step) => String(step['state'])).join(' ');
  return `${String(state)} ${String(spent)}/${String(stillHeld)}/${String(refunded)} ${states}`;
}

/** Closes a world whose books, counted by the hub itself, agree with its chains and tasks. */
export async function closeBalanced(world: Fixture): Promise<void> {
  const books = mustOk(await world.anyone.get('/api/v1/economy/conservation'));
  assert.deepEqual(books['differences'], []);
  await world.close();
}
