import type { Agent, Answer } from '../harness/agents.ts';
import type { Fixture } from '../harness/fixture.ts';
import { mustOk } from '../harness/must.ts';
import { act, publish, RULE, submit, type Body } from '../tasks/_work.ts';

/** Refusals of the areas, provoked; alice and bob are new to the hub and have 9 USDC each. */
interface Refused {
  readonly by: Pick<Agent, 'get' | 'post'>;
  readonly answer: Answer;
}
export type Provoke = (world: Fixture) => Promise<Refused>;

const MARKETS = '/api/v1/games/predictions/markets';
const TABLES = '/api/v1/games/poker/tables';
const DAY_MS = 86_400_000;

const gets =
  (path: string): Provoke =>
  async ({ anyone }) => ({ by: anyone, answer: await anyone.get(path) });
const posts =
  (path: string, body: (world: Fixture) => Body): Provoke =>
  async (world) => ({ by: world.alice, answer: await world.alice.post(path, body(world)) });
const wallet = ({ account }: Agent, verb: string): string => `/api/v1/wallet/${account}/${verb}`;
/** Bob asks for a thing of Alice's that `made` makes. */
const bobAfter =
  (
    made: (world: Fixture) => Promise<string>,
    ask: (world: Fixture, id: string) => Promise<Answer>,
  ): Provoke =>
  async (world) => ({ by: world.bob, answer: await ask(world, await made(world)) });

async function newTask({ alice }: Fixture, over: Body = {}): Promise<string> {
  return (await publish(alice, over)).id;
}

/** Bob's accepted result, which Alice disputes. */
async function newDispute(world: Fixture): Promise<string> {
  const { alice, bob } = world;
  const id = await newTask(world, { acceptance: RULE, disputeWindowSeconds: 3_600 });
  mustOk(await submit(bob, id, 'done'));
  mustOk(await act(alice, id, 'dispute', { raisedBy: alice.account, reason: 'not what I asked' }));
  return id;
}

async function newSpace({ alice }: Fixture): Promise<string> {
  const body = { owner: alice.account, name: 'mine' };
  return String(mustOk(await alice.post('/api/v1/memory/spaces', body))['id']);
}

async function newMarket({ alice, hub }: Fixture): Promise<string> {
  const closesAt = new Date(hub.clock.now() + DAY_MS).toISOString();
  const body = { question: 'Will it rain in Rome?', source: 'the weather service', closesAt };
  return String(mustOk(await alice.post(MARKETS, body))['id']);
}

async function newTable({ alice }: Fixture): Promise<string> {
  const body = { format: 'cash', seats: 6, bigBlind: '1000' };
  return String(mustOk(await alice.post(TABLES, body))['id']);
}

const OF_DISPUTES: Readonly<Record<string, Provoke>> = {
  'already-disputed': async (world) => {
    const { alice } = world;
    const id = await newDispute(world);
    const body = { raisedBy: alice.account, reason: 'again' };
    return { by: alice, answer: await act(alice, id, 'dispute', body) };
  },
  'not-the-arbiter': bobAfter(newDispute, ({ bob }, id) =>
    act(bob, id, 'arbitrate', { by: bob.account, verdict: 'upheld' }),
  ),
};

const OF_MONEY: Readonly<Record<string, Provoke>> = {
  'rail-missing': async ({ alice }) => {
    const address = '0x52908400098527886E0F7030069857D2E4169EE7';
    const body = { address, amount: '10000', network: 'play', idempotencyKey: 'r' };
    return { by: alice, answer: await alice.post(wallet(alice, 'withdraw'), body) };
  },
  'too-many-tokens': posts('/api/v1/models/chat', ({ alice }) => ({
    caller: alice.account,
    model: 'hub/echo',
    messages: [{ role: 'user', content: 'x '.repeat(400_000) }],
  })),
  'play-money': posts('/api/v1/models/chat', ({ alice }) => ({
    caller: alice.account,
    model: 'hub/echo',
    messages: [{ role: 'user', content: 'x' }],
    network: 'play',
  })),
};

const OF_MEMORY: Readonly<Record<string, Provoke>> = {
  'note-too-long': async (world) => {
    const { alice } = world;
    const spaceId = await newSpace(world);
    const body = { author: alice.account, spaceId, content: 'x'.repeat(8_193) };
    return { by: alice, answer: await alice.post('/api/v1/memory', body) };
  },
  'name-taken': async (world) => {
    const { alice } = world;
    await newSpace(world);
    const body = { owner: alice.account, name: 'mine' };
    return { by: alice, answer: await alice.post('/api/v1/memory/spaces', body) };
  },
  'not-granted': bobAfter(newSpace, ({ bob }, id) => bob.get(`/api/v1/memory/spaces/${id}`)),
  'bad-lines': async (world) => {
    const { alice } = world;
    const path = `/api/v1/memory/spaces/${await newSpace(world)}/import`;
    const body = { owner: alice.account, lines: '{"line":"moon"}' };
    return { by: alice, answer: await alice.post(path, body) };
  },
};

const OF_GAMES: Readonly<Record<string, Provoke>> = {
  'creator-may-not': async (world) => {
    const { alice } = world;
    const path = `${MARKETS}/${await newMarket(world)}/bet`;
    return { by: alice, answer: await alice.post(path, { side: 'yes', amount: '10000' }) };
  },
  'market-moved': bobAfter(newMarket, ({ bob }, id) =>
    bob.post(`${MARKETS}/${id}/bet`, { side: 'yes', amount: '10000', ifVersion: 99 }),
  ),
  'market-open': bobAfter(newMarket, ({ bob }, id) =>
    bob.post(`${MARKETS}/${id}/resolve`, { outcome: 'yes' }),
  ),
  'not-seated': bobAfter(newTable, ({ bob }, id) => bob.post(`${TABLES}/${id}/leave`, {})),
  'already-seated': bobAfter(
    async (world) => {
      const id = await newTable(world);
      mustOk(await world.bob.post(`${TABLES}/${id}/sit`, { buyIn: '100000' }));
      return id;
    },
    ({ bob }, id) => bob.post(`${TABLES}/${id}/sit`, {}),
  ),
};

/** A minute with its pulse, and what was moved sealed. */
async function sealed({ hub }: Fixture): Promise<void> {
  await hub.runJob('sealJournal');
  hub.clock.advance(60);
  await hub.runJob('pulse');
  await hub.runJob('sealJournal');
}

const OF_TIME: Readonly<Record<string, Provoke>> = {
  'bad-pulse': async (world) => {
    await sealed(world);
    return gets('/api/v1/time/pulses/moon')(world);
  },
  'bad-block': async (world) => {
    await sealed(world);
    return gets('/api/v1/economy/seals/moon')(world);
  },
  'bad-tile': gets('/api/v1/log/tile/0/1'),
  'bad-size': gets('/api/v1/log/consistency?from=-1'),
  'bad-cosignature': async (world) => {
    await world.hub.runJob('sequenceLog');
    return posts('/api/v1/log/cosignatures', () => ({ size: 0, line: 'signed' }))(world);
  },
};

export const PROVOKED_IN_AREAS: Readonly<Record<string, Provoke>> = {
  ...OF_DISPUTES,
  ...OF_MONEY,
  ...OF_MEMORY,
  ...OF_GAMES,
  ...OF_TIME,
};
