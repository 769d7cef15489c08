import assert from 'node:assert/strict';
import { NETWORK } from '../../clients/sandbox/agents.ts';
import {
  HOUSE_TABLE,
  PLAYING_MS,
  pokerHouse,
  QUIET_MS,
  STYLES,
  type HousePlayer,
} from '../../clients/sandbox/pokerPlayers.ts';
import { createHub } from '../../clients/typescript/index.ts';
import { generateKey } from '../../clients/typescript/sign.ts';
import type { Agent } from '../harness/agents.ts';
import { mustOk } from '../harness/must.ts';
import { act, handsOf, leave, newTable, onEachDatabase, sit, table, view } from './_table.ts';
import type { Body, Room } from './_table.ts';

async function housePlayers({ world }: Room, calls: string[]): Promise<readonly HousePlayer[]> {
  const now = (): number => world.hub.clock.now();
  return Promise.all(
    STYLES.map(async (style) => {
      const key = await generateKey();
      const hub = createHub({ baseUrl: world.hub.url, key, now, retry: false });
      hub.use({ onRequest: ({ request }) => void calls.push(request.method) });
      return { hub, account: key.account, style };
    }),
  );
}

/** Plays on, checking or calling, until `done` says so. */
async function play(
  room: Room,
  { me, id, house }: { me: Agent; id: string; house: () => Promise<number> },
  done: () => Promise<boolean>,
  shove = false,
): Promise<void> {
  for (let rounds = 0; rounds < 250 && !(await done()); rounds += 1) {
    room.world.hub.clock.advance(2);
    await house();
    const seen = await view(me, id).catch(() => undefined);
    if (seen?.['yourTurn'] !== true) continue;
    const moves = (seen['legal'] as Body[]).map(({ move }) => String(move));
    const order = shove ? ['allin', 'call', 'check'] : ['check', 'call'];
    const move = order.find((each) => moves.includes(each));
    mustOk(await act(me, id, seen['token'], { move }));
  }
}

onEachDatabase('house players', (room) => {
  it('sit at a cash table that asks for them, play, and stand up when they are alone', async () => {
    const [me] = room().players;
    assert.ok(me !== undefined);
    const house = pokerHouse(await housePlayers(room(), []));
    const elsewhere = await newTable(room());
    const id = await newTable(room(), { name: `${HOUSE_TABLE} come in`, seats: 5, actSeconds: 5 });
    assert.equal(await house(), QUIET_MS);
    assert.equal((await table(room(), id))['taken'], 0, 'the house does not play with itself');
    mustOk(await sit(me, id));
    assert.equal(await house(), PLAYING_MS);
    assert.equal((await table(room(), elsewhere))['taken'], 0);
    assert.equal((await table(room(), id))['taken'], 4, 'one seat is left for another player');
    const three = async (): Promise<boolean> => (await handsOf(room(), id)).length >= 3;
    await play(room(), { me, id, house }, three);
    const hands = await handsOf(room(), id);
    assert.ok(hands.length >= 3);
    const byClock = hands
      .flatMap((hand) => hand['actions'] as Body[])
      .filter((each) => each['byClock']);
    assert.ok(byClock.length > 0, 'the absent one lets its clock run out');
    mustOk(await leave(me, id));
    for (let rounds = 0; rounds < 30 && (await table(room(), id))['taken'] !== 0; rounds += 1) {
      room().world.hub.clock.advance(3);
      await house();
    }
    assert.equal((await table(room(), id))['taken'], 0, 'no player is left to play with');
    assert.equal(await house(), QUIET_MS);
  });

  async function newSng(me: Agent, seats: number): Promise<string> {
    const name = `${HOUSE_TABLE} tournament`;
    const wanted = { name, format: 'sng', seats, buyIn: '1000', actSeconds: 5, network: NETWORK };
    const id = String(mustOk(await me.post('/api/v1/games/poker/tables', wanted))['id']);
    mustOk(await me.post(`/api/v1/games/poker/tables/${id}/sit`, {}));
    return id;
  }

  it('play a sit-and-go with one person to its end', async () => {
    const [me] = room().players;
    assert.ok(me !== undefined);
    const players = await housePlayers(room(), []);
    const loose = players.filter(({ style }) => style === 'loose');
    const id = await newSng(me, 2);
    const house = pokerHouse(loose);
    const over = async (): Promise<boolean> => (await table(room(), id))['state'] === 'finished';
    await play(room(), { me, id, house }, over, true);
    assert.equal((await table(room(), id))['finishedBecause'], 'won');
  });

  it('make one unsigned call a look while no agent plays, and fill a tournament', async () => {
    const calls: string[] = [];
    const house = pokerHouse(await housePlayers(room(), calls));
    await newTable(room(), { name: `${HOUSE_TABLE} empty` });
    for (let looks = 0; looks < 5; looks += 1) assert.equal(await house(), QUIET_MS);
    assert.deepEqual(calls, ['GET', 'GET', 'GET', 'GET', 'GET']);
    const [me] = room().players;
    assert.ok(me !== undefined);
    const id = await newSng(me, 4);
    assert.equal(await house(), PLAYING_MS);
    assert.equal((await table(room(), id))['taken'], 4, 'a tournament is filled');
  });
});
