import type { Agent, Answer } from '../harness/agents.ts';
import type { Fixture } from '../harness/fixture.ts';
import { mustOk } from '../harness/must.ts';
import type { Body } from '../tasks/_work.ts';
import type { Provoke } from './_provoked.ts';

/** Refusals at tables and of markets that are over, provoked. */
const MARKETS = '/api/v1/games/predictions/markets';
const TABLES = '/api/v1/games/poker/tables';
const DAY_SECONDS = 86_400;
const BUY_IN = { buyIn: '100000' };

async function closedMarket({ alice, hub }: Fixture): Promise<string> {
  const closesAt = new Date(hub.clock.now() + DAY_SECONDS * 1_000).toISOString();
  const body = { question: 'Will it snow in Oslo?', source: 'the weather service', closesAt };
  const id = String(mustOk(await alice.post(MARKETS, body))['id']);
  hub.clock.advance(DAY_SECONDS + 1);
  return id;
}

async function newTable({ alice }: Fixture, over: Body = {}): Promise<string> {
  const body = { format: 'cash', seats: 2, bigBlind: '1000', ...over };
  return String(mustOk(await alice.post(TABLES, body))['id']);
}

/** A table for two at which Alice and Bob sit. */
async function seated(world: Fixture, over: Body = {}, sitting: Body = BUY_IN): Promise<string> {
  const id = await newTable(world, over);
  for (const agent of [world.alice, world.bob]) {
    mustOk(await agent.post(`${TABLES}/${id}/sit`, sitting));
  }
  return id;
}

interface Turn {
  readonly id: string;
  readonly mover: Agent;
  readonly other: Agent;
  readonly token: unknown;
}

/** A hand, and whose turn it is. */
async function dealt(world: Fixture, over: Body = {}, sitting: Body = BUY_IN): Promise<Turn> {
  const id = await seated(world, over, sitting);
  for (let tries = 0; tries < 60; tries += 1) {
    for (const [mover, other] of [
      [world.alice, world.bob],
      [world.bob, world.alice],
    ] as const) {
      const { token } = mustOk(await mover.get(`${TABLES}/${id}/seat`));
      if (token !== undefined) return { id, mover, other, token };
    }
    world.hub.clock.advance(1);
  }
  throw new Error('no hand was dealt within a minute');
}

const refused =
  (ask: (turn: Turn) => readonly [Agent, Body]): Provoke =>
  async (world) => {
    const turn = await dealt(world);
    const [by, body] = ask(turn);
    return { by, answer: await by.post(`${TABLES}/${turn.id}/act`, body) };
  };
const sits = (agent: Agent, id: string, body: Body): Promise<Answer> =>
  agent.post(`${TABLES}/${id}/sit`, body);

export const PROVOKED_IN_GAMES: Readonly<Record<string, Provoke>> = {
  'market-closed': async (world) => {
    const path = `${MARKETS}/${await closedMarket(world)}/bet`;
    const { bob } = world;
    return { by: bob, answer: await bob.post(path, { side: 'yes', amount: '10000' }) };
  },
  'not-a-judge': async (world) => {
    const path = `${MARKETS}/${await closedMarket(world)}/resolve`;
    const { bob } = world;
    return { by: bob, answer: await bob.post(path, { outcome: 'yes' }) };
  },
  'table-full': async (world) => {
    const id = await seated(world);
    const third = await world.agent();
    await world.fund(third, '1000000');
    return { by: third, answer: await sits(third, id, BUY_IN) };
  },
  'seat-taken': async (world) => {
    const id = await newTable(world, { seats: 6 });
    mustOk(await sits(world.alice, id, { ...BUY_IN, seat: 1 }));
    return { by: world.bob, answer: await sits(world.bob, id, { ...BUY_IN, seat: 1 }) };
  },
  started: async (world) => {
    const over = { format: 'sng', buyIn: '10000', bigBlind: undefined };
    const { id, other } = await dealt(world, over, {});
    return { by: other, answer: await other.post(`${TABLES}/${id}/leave`, {}) };
  },
  'not-your-turn': refused(({ other, token }) => [other, { token, move: 'fold' }]),
  'act-token': refused(({ mover }) => [mover, { token: 'x'.repeat(22), move: 'fold' }]),
  'illegal-move': refused(({ mover, token }) => [mover, { token, move: 'raise', amount: '1' }]),
};
