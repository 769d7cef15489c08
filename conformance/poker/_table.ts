import assert from 'node:assert/strict';
import { DATABASES } from '../harness/databases.ts';
import { closeBalanced } from '../chains/_chain.ts';
import type { Agent, Answer } from '../harness/agents.ts';
import { at, mustOk } from '../harness/must.ts';
import { openFixture, type Fixture } from '../harness/fixture.ts';
import type { Body } from '../tasks/_work.ts';

/** Steps that the tests of tables share. */
export { at, type Agent, type Body };
export const TABLES = '/api/v1/games/poker/tables';
export const PURSE = 100_000_000;

export interface Room {
  readonly world: Fixture;
  readonly players: readonly Agent[];
}

export function onEachDatabase(title: string, define: (room: () => Room) => void): void {
  for (const [name, url] of DATABASES) {
    describe(`${title} (${name})`, function suite() {
      this.timeout(60_000);
      let room: Room;
      before(async () => {
        const world = await openFixture({ databaseUrl: await url() });
        const players = [world.alice, world.bob, await world.agent(), await world.agent()];
        for (const player of players) await world.fund(player, `${PURSE}`);
        room = { world, players };
      });
      after(() => closeBalanced(room.world));
      define(() => room);
    });
  }
}

export async function newTable({ players }: Room, over: Body = {}): Promise<string> {
  const [creator] = players;
  assert.ok(creator !== undefined);
  const body = { format: 'cash', seats: 6, bigBlind: '1000', ...over };
  return String(mustOk(await creator.post(TABLES, body))['id']);
}

export function newSng(room: Room, seats: number, buyIn = '10000'): Promise<string> {
  const over = { format: 'sng', seats, buyIn, bigBlind: undefined };
  return newTable(room, over);
}

export function sit(player: Agent, id: string, over: Body = { buyIn: '100000' }): Promise<Answer> {
  return player.post(`${TABLES}/${id}/sit`, over);
}

export function leave(player: Agent, id: string, over: Body = {}): Promise<Answer> {
  return player.post(`${TABLES}/${id}/leave`, over);
}

export async function table({ world }: Room, id: string, query = ''): Promise<Body> {
  return mustOk(await world.anyone.get(`${TABLES}/${id}${query}`));
}

export async function view(player: Agent, id: string, query = ''): Promise<Body> {
  return mustOk(await player.get(`${TABLES}/${id}/seat${query}`));
}

export function act(player: Agent, id: string, token: unknown, over: Body): Promise<Answer> {
  return player.post(`${TABLES}/${id}/act`, { token, ...over });
}

/** Two to four of the players at a cash table, with the first hand dealt. */
export async function dealt(room: Room, count: number, over: Body = {}): Promise<string> {
  const id = await newTable(room, over);
  for (const player of room.players.slice(0, count)) mustOk(await sit(player, id));
  room.world.hub.clock.advance(1);
  assert.equal((await table(room, id))['state'], 'running');
  return id;
}

/** Who is on turn, with the seat view that has the token. */
export async function onTurn(
  { players }: Room,
  id: string,
): Promise<{ readonly player: Agent; readonly seen: Body } | undefined> {
  for (const player of players) {
    const answer = await player.get(`${TABLES}/${id}/seat`);
    if (answer.status === 200 && answer.body['yourTurn'] === true) {
      return { player, seen: answer.body };
    }
  }
  return undefined;
}

/** The cheapest way on: checks, else calls. */
export async function stay(room: Room, id: string): Promise<boolean> {
  const turn = await onTurn(room, id);
  if (turn === undefined) return false;
  const moves = (turn.seen['legal'] as Body[]).map(({ move }) => move);
  const move = moves.includes('check') ? 'check' : 'call';
  mustOk(await act(turn.player, id, turn.seen['token'], { move }));
  return true;
}

/** Plays the hand under way to its showdown by checks and calls. */
export async function playOut(room: Room, id: string): Promise<void> {
  while (await stay(room, id));
}

export async function handsOf(room: Room, id: string, query = ''): Promise<readonly Body[]> {
  const body = mustOk(await room.world.anyone.get(`${TABLES}/${id}/hands${query}`));
  return body['hands'] as Body[];
}

export async function balanceOf(player: Agent): Promise<number> {
  return Number(mustOk(await player.get(`/api/v1/wallet/${player.account}`))['balance']);
}
