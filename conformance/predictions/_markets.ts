import { DATABASES } from '../harness/databases.ts';
import { instant, iso } from '../../domain/instant.ts';
import type { Agent, Answer } from '../harness/agents.ts';
import { at, mustOk } from '../harness/must.ts';
import { openFixture, type Fixture } from '../harness/fixture.ts';
import { closeBalanced } from '../chains/_chain.ts';
import { accountOf, deposit } from '../services/_lend.ts';
import type { Body } from '../tasks/_work.ts';

/** Steps that the tests of markets share. */
export { accountOf, at, deposit, type Agent, type Body, type Fixture };
export const MARKETS = '/api/v1/games/predictions/markets';
export const HOUR = 3_600;
/** Seconds after closing at which a number of the hub is counted. */
export const COUNTED = 10;
export const FEE = 100_000;

export function onEachDatabase(
  title: string,
  define: (world: () => Fixture, agents: () => Agents) => void,
): void {
  for (const [name, url] of DATABASES) {
    describe(`${title} (${name})`, function suite() {
      this.timeout(60_000);
      let world: Fixture;
      let agents: Agents;
      before(async () => {
        world = await openFixture({ databaseUrl: await url() });
        agents = await newAgents(world);
      });
      after(() => closeBalanced(world));
      define(
        () => world,
        () => agents,
      );
    });
  }
}

/** A creator, two bettors and a judge with a seat, each with a hundred USDC. */
export interface Agents {
  readonly maker: Agent;
  readonly yes: Agent;
  readonly no: Agent;
  readonly judge: Agent;
}

async function newAgents(world: Fixture): Promise<Agents> {
  const agents = {
    maker: world.alice,
    yes: world.bob,
    no: await world.agent(),
    judge: await world.agent(),
  };
  for (const agent of Object.values(agents)) await world.fund(agent, '100000000');
  await takeSeat(agents.judge);
  return agents;
}

export async function takeSeat(agent: Agent, over: Body = {}): Promise<void> {
  const endpoint = `https://${agent.keyId.slice(-20).toLowerCase()}.example-judges.org/judge`;
  const body = { account: agent.account, endpoint, stake: '1000000', ...over };
  mustOk(await agent.post('/api/v1/validators', body));
}

export function closing({ hub }: Fixture, after: number = HOUR): string {
  return iso(instant(hub.clock.now() + after * 1000));
}

export function createMarket(world: Fixture, agent: Agent, over: Body = {}): Promise<Answer> {
  return agent.post(MARKETS, {
    question: 'Will the page say yes at noon?',
    source: 'https://example.org/answer',
    closesAt: closing(world),
    ...over,
  });
}

export async function newMarket(world: Fixture, over: Body = {}): Promise<string> {
  return String(mustOk(await createMarket(world, world.alice, over))['id']);
}

export function bet(
  agent: Agent,
  id: string,
  side: string,
  amount: number,
  over: Body = {},
): Promise<Answer> {
  return agent.post(`${MARKETS}/${id}/bet`, { side, amount: `${amount}`, ...over });
}

export function resolve(agent: Agent, id: string, outcome: string, over: Body = {}) {
  return agent.post(`${MARKETS}/${id}/resolve`, { outcome, ...over });
}

export async function market({ anyone }: Fixture, id: string): Promise<Body> {
  return mustOk(await anyone.get(`${MARKETS}/${id}`));
}

/** Returns the balance of an account, and how much of it is held. */
export async function purse(agent: Agent): Promise<readonly [number, number]> {
  const wallet = mustOk(await agent.get(`/api/v1/wallet/${agent.account}`));
  return [Number(wallet['balance']), Number(at(wallet, 'held', 'total'))];
}

/** Makes accounts one party, as a proof that they share does. */
export async function link(world: Fixture, ...agents: readonly Agent[]): Promise<void> {
  const { store, clock, ids } = world.hub.running.hub;
  const shared = `domain:${ids.uuid()}.example`;
  await store.write(async (tx) => {
    for (const { account } of agents) {
      await tx.knex('account_links').insert({ shared, account, at: clock.now() });
    }
  });
}
