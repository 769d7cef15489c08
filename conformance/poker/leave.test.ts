import assert from 'node:assert/strict';
import { mustOk, mustRefuse } from '../harness/must.ts';
import {
  balanceOf,
  dealt,
  handsOf,
  leave,
  newSng,
  onEachDatabase,
  onTurn,
  playOut,
  sit,
} from './_table.ts';
import { newTable, PURSE, stay, table, TABLES, type Body } from './_table.ts';

onEachDatabase('poker.leave', (room) => {
  it('folds in a hand when action reaches the seat and is paid when the hand ends', async () => {
    const id = await dealt(room(), 3);
    const turn = await onTurn(room(), id);
    assert.ok(turn !== undefined);
    const leaver = room()
      .players.slice(0, 3)
      .find((each) => each !== turn.player);
    assert.ok(leaver !== undefined);
    const before = await balanceOf(leaver);
    const left = mustOk(await leave(leaver, id, { idempotencyKey: 'leave-1' }));
    assert.deepEqual([left['state'], left['cashedOut']], ['leaving', undefined]);
    assert.equal(await balanceOf(leaver), before);
    for (let moves = 0; moves < 2; moves += 1) {
      await stay(room(), id);
      const players = (await table(room(), id))['players'] as Body[];
      const [folded] = players.filter((each) => each['folded']);
      if (folded !== undefined) assert.equal(folded['account'], leaver.account);
    }
    await playOut(room(), id);
    const blind = PURSE - (await balanceOf(leaver));
    assert.ok([0, 500, 1000].includes(blind), `lost ${blind}`);
    mustRefuse(await leave(leaver, id), 400, 'not-seated');
    const again = mustOk(await leave(leaver, id, { idempotencyKey: 'leave-1' }));
    assert.equal(again['repeated'], true);
    const elsewhere = await newTable(room());
    mustOk(await sit(leaver, elsewhere));
    const reused = await leave(leaver, elsewhere, { idempotencyKey: 'leave-1' });
    mustRefuse(reused, 400, 'idempotency-mismatch');
  });

  it('folds at once on turn', async () => {
    const id = await dealt(room(), 2);
    const turn = await onTurn(room(), id);
    assert.ok(turn !== undefined);
    assert.equal(mustOk(await leave(turn.player, id))['state'], 'left');
    assert.equal((await table(room(), id))['state'], 'open');
    const [record] = await handsOf(room(), id);
    const folded = (record?.['actions'] as Body[]).at(-1);
    assert.deepEqual([folded?.['move'], folded?.['byClock']], ['fold', undefined]);
    assert.match(String(folded?.['signatureDigest']), /^[0-9a-f]{64}$/, 'the player did it');
  });

  it('gives a tournament buy-in back before the start', async () => {
    const id = await newSng(room(), 3);
    const [first] = room().players;
    assert.ok(first !== undefined);
    const before = await balanceOf(first);
    mustOk(await sit(first, id, {}));
    assert.equal(mustOk(await leave(first, id))['cashedOut'], '10000');
    assert.equal(await balanceOf(first), before);
    mustOk(await sit(first, id, {}));
    room().world.hub.clock.advance(24 * 3600);
    const closed = await table(room(), id);
    assert.deepEqual([closed['state'], closed['finishedBecause']], ['finished', 'not-filled']);
    assert.equal(await balanceOf(first), before);
  });

  it('leaves a table that was never used for 30 minutes', async () => {
    const id = await newTable(room());
    room().world.hub.clock.advance(30 * 60 - 1);
    assert.equal((await table(room(), id))['state'], 'open');
    room().world.hub.clock.advance(1);
    assert.equal((await table(room(), id))['finishedBecause'], 'idle');
  });

  it('closes an empty table, and refuses other accounts', async () => {
    const id = await newTable(room());
    const [first, second] = room().players;
    assert.ok(first !== undefined && second !== undefined);
    mustOk(await sit(first, id));
    mustRefuse(await leave(second, id), 400, 'not-seated');
    mustOk(await leave(first, id));
    room().world.hub.clock.advance(30 * 60);
    assert.equal((await table(room(), id))['finishedBecause'], 'idle');
    const nowhere = '01938c7a-9d4e-7c31-8a55-0b6f2d1e4c90';
    mustRefuse(await first.post(`${TABLES}/${nowhere}/leave`, {}), 404, 'not-found');
  });
});
