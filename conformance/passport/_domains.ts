import assert from 'node:assert/strict';
import { closeSites } from '../../clients/examples/agents/site.ts';
import type { Agent } from '../harness/agents.ts';
import { at, mustOk } from '../harness/must.ts';
import { openFixture, type Fixture } from '../harness/fixture.ts';
import { startAgent, type ScriptedAgent, type Tool } from '../router/_agent.ts';
import { list, type Body } from '../router/_fixture.ts';

/** Agents at home on this machine, whose owners prove that they are. */
export const WELL_KNOWN = '/.well-known/hub.json';
export const HOUR = 3_600;
export const DAY = 86_400;

export interface Street {
  readonly world: Fixture;
  readonly homes: readonly [ScriptedAgent, ScriptedAgent, ScriptedAgent];
  /** TXT records by name; a function may fail. */
  readonly records: Map<string, readonly string[] | (() => never)>;
  /** Names that were asked for TXT records. */
  readonly asked: string[];
  close(): Promise<void>;
}

export interface StreetOptions {
  readonly tools?: Readonly<Record<string, Tool>>;
  readonly env?: Readonly<Record<string, string>>;
}

/** A hub that may call three agents here, and that asks a name server of the test alone. */
export async function openStreet(
  databaseUrl: string,
  { tools = {}, env = {} }: StreetOptions = {},
): Promise<Street> {
  const homes = [
    await startAgent(tools),
    await startAgent(tools),
    await startAgent(tools),
  ] as const;
  const records: Street['records'] = new Map();
  const asked: string[] = [];
  const none = (): Promise<never> =>
    Promise.reject(Object.assign(new Error('none'), { code: 'ENOTFOUND' }));
  const texts = (name: string): Promise<readonly string[]> => {
    asked.push(name);
    const found = records.get(name);
    if (found === undefined) return none();
    return Promise.resolve(found).then((known) => (typeof known === 'function' ? known() : known));
  };
  const HUB_ALLOW_PRIVATE_HOSTS = homes.map(({ site }) => site.pair).join(',');
  const world = await openFixture({
    databaseUrl,
    env: { HUB_ALLOW_PRIVATE_HOSTS, ...env },
    names: { untrusted: none, trusted: none, texts },
  });
  const close = async (): Promise<void> => {
    await world.close();
    await closeSites();
  };
  return { world, homes, records, asked, close };
}

/** Publishes a key, or whatever is given in place of its document. */
export function publish(
  { pages }: ScriptedAgent,
  key: string,
  body = JSON.stringify({ key }),
): void {
  pages.set(WELL_KNOWN, { body });
}

export function check(agent: Pick<Agent, 'post'>, origin: string, keyId?: string) {
  return agent.post('/api/v1/passport/verify', { origin, ...(keyId !== undefined && { keyId }) });
}

/** Has a domain checked, and expects that it is recorded. */
export async function prove(agent: Agent, home: ScriptedAgent): Promise<Body> {
  publish(home, agent.keyId);
  const checked = mustOk(await check(agent, home.site.url, agent.keyId));
  assert.deepEqual([checked['proved'], checked['recorded']], [true, true]);
  return checked;
}

export function claim(agent: Agent, agentId?: string) {
  const body = { keyId: agent.keyId, ...(agentId !== undefined && { agentId }) };
  return agent.post('/api/v1/passport/claim', body);
}

export function claimEndpoint(agent: Agent, agentId: string) {
  return agent.post('/api/v1/passport/claim-endpoint', { keyId: agent.keyId, agentId });
}

export async function passportOf(world: Fixture, { keyId }: Agent): Promise<Body> {
  return mustOk(await world.anyone.get(`/api/v1/passport/${keyId}`));
}

/** Who holds a listing and how, as its record says. */
export async function holderOf(world: Fixture, id: string): Promise<readonly unknown[]> {
  const record = mustOk(await world.anyone.get(`/api/v1/agents/${id}`));
  return [record['passportKeyId'], record['verification'], record['karma']];
}

export function idsOf(answer: Body): readonly unknown[] {
  return (answer['claimed'] as Body[]).map((each) => at(each, 'id'));
}

export { list, type Body };
