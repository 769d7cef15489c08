import { generateKey } from '../../../clients/typescript/sign.ts';
import { agentWith, type Agent, type Place } from '../../harness/agents.ts';
import { at, mustOk } from '../../harness/must.ts';
import { openFixture, type Fixture } from '../../harness/fixture.ts';
import type { Surroundings } from './overrides.ts';

/** A hub with something in it: money, tasks in several modes, a claim, a solution. */
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

export async function openTown(databaseUrl?: string): Promise<FuzzFixture> {
  // Addresses are made up, and no name server of the world is asked for them.
  const names = { untrusted: nobody, trusted: nobody, texts: nobody };
  const world = await openFixture({ ...(databaseUrl !== undefined && { databaseUrl }), names });
  const { bob, hub } = world;
  const stamped = await someStamps(world);
  const key = await generateKey();
  const alice = agentWith(hub, key);
  const stranger = await world.agent();
  await world.fund(alice, FUNDS);
  await world.fund(bob, FUNDS);
  const ids = await someTasks(alice, bob);
  const around = {
    self: alice.account,
    others: [bob.account, stranger.account, 'hub:demand', `evm:0x${'a1'.repeat(20)}`],
    ids,
    stamped,
    nowMs: hub.clock.now(),
  };
  return { world, alice, bob, around, aliceAt: (place) => agentWith(place, key) };
}

const nobody = async (): Promise<readonly string[]> => [];

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

async function someTasks(alice: Agent, bob: Agent): Promise<readonly string[]> {
  const acceptance = { kind: 'contains', mode: 'all', values: ['done'] };
  const ids: string[] = [];
  for (const [requester, worker] of [
    [alice, bob],
    [bob, alice],
  ] as const) {
    const shared = { requester: requester.account, title: 'A small job', acceptance };
    const paid = { ...shared, rewardAmount: '10000' };
    for (const body of [shared, paid, { ...paid, mode: 'exclusive' }, { ...paid, mode: 'open' }]) {
      const published = (await requester.post('/api/v1/tasks', body)).body;
      const id = at(published, 'task', 'id') ?? published['id'];
      if (typeof id !== 'string') continue;
      ids.push(id);
      await worker.post(`/api/v1/tasks/${id}/claim`, {});
      await worker.post(`/api/v1/tasks/${id}/comments`, { author: worker.account, body: 'Mine.' });
    }
    ids.push(...(await someChain(requester)));
    ids.push(...(await someDisputes(requester, worker, paid)));
    ids.push(...(await somePitches(requester, worker, { ...paid, tags: ['pitch'] })));
  }
  return ids;
}

/** Two results that passed: one inside its window, one that its requester disputes. */
async function someDisputes(requester: Agent, worker: Agent, body: object): Promise<string[]> {
  const ids: string[] = [];
  for (const disputes of [false, true]) {
    const id = String(mustOk(await requester.post('/api/v1/tasks', body))['id']);
    const path = `/api/v1/tasks/${id}`;
    const claimed = await worker.post(`${path}/claim`, { agentId: worker.account });
    const { claimToken } = mustOk(claimed);
    mustOk(await worker.post(`${path}/submit`, { claimToken, result: 'done' }));
    const objection = { raisedBy: requester.account, reason: 'Made up.' };
    if (disputes) mustOk(await requester.post(`${path}/dispute`, objection));
    ids.push(id);
  }
  return ids;
}

async function someChain(requester: Agent): Promise<string[]> {
  const steps = [1, 2].map(() => ({ title: 'A step', rewardAmount: '5000' }));
  const body = { requester: requester.account, title: 'In order', steps };
  const chain = mustOk(await requester.post('/api/v1/chains', body));
  return [String(chain['id']), String(at(chain, 'steps', 0, 'taskId'))];
}

async function somePitches(requester: Agent, worker: Agent, body: object): Promise<string[]> {
  const id = String(mustOk(await requester.post('/api/v1/tasks', body))['id']);
  const plan = { agentId: worker.account, plan: 'Line by line.', price: '5000' };
  const pitch = mustOk(await worker.post(`/api/v1/tasks/${id}/pitch`, plan));
  return [id, String(pitch['id'])];
}
