import assert from 'node:assert/strict';
import { HOUSE_TABLE, pokerPlayer, STYLES } from '../../clients/sandbox/pokerPlayers.ts';
import { createHub } from '../../clients/typescript/index.ts';
import { generateKey } from '../../clients/typescript/sign.ts';
import { mustOk } from '../harness/must.ts';
import { act, handsOf, leave, newTable, onEachDatabase, sit, table, view } from './_table.ts';
import type { Body } from './_table.ts';

onEachDatabase('house players', (room) => {
  it('sit at tables that ask for them, and play each in its own way', async () => {
    const { world, players } = room();
    const [me] = players;
    assert.ok(me !== undefined);
    const now = (): number => world.hub.clock.now();
    const house = await Promise.all(
      STYLES.map(async (style) => {
        const key = await generateKey();
        const credit = { amount: '1000000', idempotencyKey: `house-${style}` };
        mustOk(await world.anyone.post(`/api/v1/wallet/${key.account}/credit`, credit));
        const hub = createHub({ baseUrl: world.hub.url, key, now, retry: false });
        return pokerPlayer(hub, key.account, style);
      }),
    );
    const elsewhere = await newTable(room());
    const id = await newTable(room(), { name: `${HOUSE_TABLE} come in`, seats: 5, actSeconds: 5 });
    mustOk(await sit(me, id));
    for (const look of house) await look();
    assert.equal((await table(room(), elsewhere))['taken'], 0);
    assert.equal((await table(room(), id))['taken'], 4, 'one seat is left for somebody else');
    for (let rounds = 0; rounds < 80 && (await handsOf(room(), id)).length < 3; rounds += 1) {
      world.hub.clock.advance(2);
      for (const look of house) await look();
      const seen = await view(me, id);
      if (seen['yourTurn'] !== true) continue;
      const moves = (seen['legal'] as Body[]).map(({ move }) => move);
      mustOk(
        await act(me, id, seen['token'], { move: moves.includes('check') ? 'check' : 'call' }),
      );
    }
    const hands = await handsOf(room(), id);
    assert.ok(hands.length >= 3);
    const byClock = hands
      .flatMap((hand) => hand['actions'] as Body[])
      .filter((each) => each['byClock']);
    assert.ok(byClock.length > 0, 'the absent one lets its clock run out');
    mustOk(await leave(me, id));
  });
});
