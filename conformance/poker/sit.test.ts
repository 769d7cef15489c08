import assert from 'node:assert/strict';
import { mustOk, mustRefuse } from '../harness/must.ts';
import { link } from '../predictions/_markets.ts';
import {
  act,
  balanceOf,
  dealt,
  leave,
  newSng,
  newTable,
  onEachDatabase,
  onTurn,
} from './_table.ts';
import { playOut, sit, table, TABLES, type Agent, type Body } from './_table.ts';

onEachDatabase('poker.sit', (room) => {
  const player = (nth: number): Agent => {
    const found = room().players[nth];
    assert.ok(found !== undefined);
    return found;
  };

  it('takes the buy-in at once, once, and pays the stack back', async () => {
    const id = await newTable(room());
    const before = await balanceOf(player(0));
    const once = { buyIn: '50000', seat: 3, name: 'Ann', idempotencyKey: 'sit-1' };
    const sat = mustOk(await sit(player(0), id, once));
    assert.deepEqual(
      [sat['did'], sat['seat'], sat['state'], sat['stack']],
      ['sat', 3, 'ready', '50000'],
    );
    assert.equal(mustOk(await sit(player(0), id, once))['repeated'], true);
    const other = { ...once, buyIn: '60000' };
    mustRefuse(await sit(player(0), id, other), 400, 'idempotency-mismatch');
    assert.equal(await balanceOf(player(0)), before - 50_000);
    assert.equal((await table(room(), id))['atStake'], '50000');
    const left = mustOk(await leave(player(0), id));
    assert.deepEqual([left['state'], left['cashedOut']], ['left', '50000']);
    assert.equal(await balanceOf(player(0)), before);
  });

  it('tops up to the largest buy-in, between hands or when the hand ends', async () => {
    const id = await dealt(room(), 2);
    mustRefuse(await sit(player(0), id, { buyIn: '1000' }), 400, 'buyin-range');
    mustRefuse(await sit(player(0), id, {}), 400, 'already-seated');
    await playOut(room(), id);
    const players = (await table(room(), id))['players'] as Body[];
    const short = players.find((each) => Number(each['stack']) < 100_000);
    if (short === undefined) return;
    const agent = room().players.find(({ account }) => account === short['account']);
    assert.ok(agent !== undefined);
    const missing = 100_000 - Number(short['stack']);
    const up = mustOk(await sit(agent, id, { buyIn: `${missing}` }));
    assert.deepEqual([up['did'], up['stack'], up['paid']], ['toppedUp', '100000', `${missing}`]);
  });

  it('refuses ranges, taken seats, full tables and linked accounts', async () => {
    const id = await newTable(room(), { seats: 2 });
    for (const buyIn of [undefined, '39999', '100001']) {
      mustRefuse(await sit(player(0), id, { buyIn }), 400, 'buyin-range');
    }
    mustOk(await sit(player(0), id, { buyIn: '40000', seat: 2 }));
    mustRefuse(await sit(player(1), id, { buyIn: '40000', seat: 2 }), 400, 'seat-taken');
    mustRefuse(await sit(player(1), id, { buyIn: '40000', seat: 9 }), 400, 'seat-taken');
    const friend = await room().world.agent();
    await room().world.fund(friend, '1000000');
    await link(room().world, friend, player(0));
    mustRefuse(await sit(friend, id, { buyIn: '40000' }), 400, 'linked-account');
    const poor = await room().world.agent();
    mustRefuse(await sit(poor, id, { buyIn: '40000' }), 400, 'insufficient-funds');
    mustOk(await sit(player(1), id, { buyIn: '40000' }));
    mustRefuse(await sit(player(2), id, { buyIn: '40000' }), 400, 'table-full');
    const nowhere = '01938c7a-9d4e-7c31-8a55-0b6f2d1e4c90';
    mustRefuse(await sit(player(2), nowhere), 404, 'not-found');
  });

  it('going south: who comes back within 30 minutes brings what it left with', async () => {
    const id = await newTable(room());
    mustOk(await sit(player(0), id, { buyIn: '90000' }));
    mustOk(await leave(player(0), id));
    const refused = mustRefuse(await sit(player(0), id, { buyIn: '40000' }), 400, 'buyin-range');
    assert.match(String(refused['error']), /90000/);
    room().world.hub.clock.advance(29 * 60);
    mustRefuse(await sit(player(0), id, { buyIn: '89999' }), 400, 'buyin-range');
    const other = await newTable(room());
    mustOk(await sit(player(0), other, { buyIn: '90000' }));
    mustOk(await leave(player(0), other));
    room().world.hub.clock.advance(30 * 60 - 1);
    mustOk(await sit(player(0), other, { buyIn: '90000' }));
    mustRefuse(await sit(player(1), id, { buyIn: '40000' }), 400, 'wrong-state');
  });

  it('forgets after 30 minutes what a player left with', async () => {
    const id = await newTable(room());
    mustOk(await sit(player(0), id, { buyIn: '90000' }));
    mustOk(await sit(player(1), id, { buyIn: '40000' }));
    mustOk(await leave(player(0), id));
    room().world.hub.clock.advance(30 * 60);
    mustOk(await sit(player(0), id, { buyIn: '40000' }));
  });

  /** Everybody all in, hand after hand, until a player has no chips. */
  const untilBusted = async (id: string): Promise<Agent> => {
    for (let hand = 0; hand < 100; hand += 1) {
      for (
        let turn = await onTurn(room(), id);
        turn !== undefined;
        turn = await onTurn(room(), id)
      ) {
        const moves = (turn.seen['legal'] as Body[]).map(({ move }) => move);
        const move = moves.includes('allin') ? 'allin' : 'call';
        mustOk(await act(turn.player, id, turn.seen['token'], { move }));
      }
      const players = (await table(room(), id))['players'] as Body[];
      const busted = players.find(({ state }) => state === 'busted');
      const found = room().players.find(({ account }) => account === busted?.['account']);
      if (found !== undefined) return found;
      room().world.hub.clock.advance(1);
    }
    return assert.fail('no player lost in a hundred hands of all-ins');
  };

  it('keeps the place of who lost all for a minute, to top up', async () => {
    const id = await newTable(room());
    for (const nth of [0, 1]) mustOk(await sit(player(nth), id, { buyIn: '40000' }));
    room().world.hub.clock.advance(1);
    const first = await untilBusted(id);
    room().world.hub.clock.advance(59);
    const up = mustOk(await sit(first, id, { buyIn: '100000' }));
    assert.deepEqual([up['did'], up['stack']], ['toppedUp', '100000']);
    room().world.hub.clock.advance(1);
    const second = await untilBusted(id);
    const before = await balanceOf(second);
    room().world.hub.clock.advance(60);
    mustRefuse(await second.get(`${TABLES}/${id}/seat`), 400, 'not-seated');
    assert.equal(await balanceOf(second), before, 'there was nothing to pay back');
    mustOk(await sit(second, id, { buyIn: '40000' }));
  });

  it('deals a newcomer in when the big blind comes', async () => {
    const id = await dealt(room(), 3);
    const late = mustOk(await sit(player(3), id));
    assert.equal(late['state'], 'waiting');
    await playOut(room(), id);
    const seen = new Set<unknown>();
    for (let hand = 0; hand < 4; hand += 1) {
      room().world.hub.clock.advance(1);
      const now = await table(room(), id);
      const mine = (now['players'] as Body[]).find((each) => each['account'] === player(3).account);
      const big = (now['hand'] as Body)['bigBlindSeat'];
      seen.add(mine?.['state'] === 'inHand');
      if (mine?.['state'] === 'inHand') {
        assert.equal(big, mine['seat']);
        break;
      }
      await playOut(room(), id);
    }
    assert.ok(seen.has(true));
    await playOut(room(), id);
  });

  it('starts a tournament with its last seat, and draws the seats', async () => {
    const id = await newSng(room(), 3);
    mustRefuse(await sit(player(0), id, { buyIn: '9999' }), 400, 'buyin-range');
    for (const nth of [0, 1, 2]) mustOk(await sit(player(nth), id, {}));
    room().world.hub.clock.advance(1);
    assert.equal((await table(room(), id))['state'], 'running');
    mustRefuse(await sit(player(3), id, {}), 400, 'started');
    mustRefuse(await leave(player(0), id), 400, 'started');
    assert.notEqual(await onTurn(room(), id), undefined);
  });
});
