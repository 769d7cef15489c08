import type { Agent, Answer } from '../../harness/agents.ts';
import type { Fixture } from '../../harness/fixture.ts';
import { mustOk } from '../../harness/must.ts';
import { newSng, newTable, sit, TABLES, type Room } from '../../poker/_table.ts';
import type { Body } from '../../tasks/_work.ts';
import { firstCall, type Met } from './_follow.ts';

/** Steps to the places at which the operations of tables refuse. */
export const OTHERS = /tables\?state=open$/;

export const tabled = (world: Fixture): Room => ({ world, players: [world.alice, world.bob] });

/** An agent beside the two, with money to sit down. */
export async function third(world: Fixture): Promise<Agent> {
  const agent = await world.agent();
  await world.fund(agent, '1000000');
  return agent;
}

/** Takes another table that the hint leads to. */
export async function sitElsewhere(by: Agent, hint: string): Promise<Answer> {
  const { tables } = mustOk(await by.get(firstCall(hint, OTHERS)));
  const open = (tables as readonly Body[]).find(({ format }) => format === 'cash');
  return sit(by, String(open?.['id']), { buyIn: String(open?.['minBuyIn']) });
}

/** A refusal whose hint leads to another table; one is open there. */
export async function leadsElsewhere(
  world: Fixture,
  by: Agent,
  ask: () => Promise<Answer>,
  says: RegExp,
): Promise<Met> {
  await newTable(tabled(world));
  return { by, answer: await ask(), says, helps: (_, hint) => sitElsewhere(by, hint) };
}

/** A tournament that Alice, Bob and others have begun. */
export async function begun(world: Fixture, ...others: readonly Agent[]): Promise<string> {
  const players = [world.alice, world.bob, ...others];
  const id = await newSng(tabled(world), players.length);
  for (const player of players) mustOk(await sit(player, id, {}));
  world.hub.clock.advance(1);
  mustOk(await world.anyone.get(`${TABLES}/${id}`));
  return id;
}

/** A cash table of two where Alice and Bob are in a hand. */
export async function inHand(world: Fixture, over: Body = {}): Promise<string> {
  const id = await newTable(tabled(world), { seats: 2, ...over });
  for (const player of [world.alice, world.bob]) mustOk(await sit(player, id));
  world.hub.clock.advance(1);
  mustOk(await world.anyone.get(`${TABLES}/${id}`));
  return id;
}

/** A cash table that closed because it stayed empty, and another that is open. */
export async function finished(world: Fixture): Promise<string> {
  const id = await newTable(tabled(world));
  world.hub.clock.advance(1_800);
  mustOk(await world.anyone.get(`${TABLES}/${id}`));
  await newTable(tabled(world));
  return id;
}
