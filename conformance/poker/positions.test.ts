import assert from 'node:assert/strict';
import { mustOk, mustRefuse } from '../harness/must.ts';
import { dealt, leave, newTable, onEachDatabase, playOut, sit, type Body } from './_table.ts';

onEachDatabase('poker.positions', (room) => {
  it('shows what was bought, what is there and what came back', async () => {
    const [first, second] = room().players;
    assert.ok(first !== undefined && second !== undefined);
    const left = await newTable(room());
    mustOk(await sit(first, left, { buyIn: '40000' }));
    mustOk(await leave(first, left));
    mustOk(await sit(first, left, { buyIn: '50000' }));
    mustOk(await leave(first, left));
    const playing = await dealt(room(), 2);
    const page = mustOk(await first.get('/api/v1/games/poker/positions'));
    const [now, then] = page['positions'] as Body[];
    assert.deepEqual([now?.['tableId'], now?.['state']], [playing, 'inHand']);
    assert.equal(Number(now?.['stack']) + Number(now?.['inPot']), 100_000, 'less its blind');
    assert.deepEqual(
      [then?.['state'], then?.['boughtIn'], then?.['cashedOut'], then?.['stack']],
      ['left', '90000', '90000', '0'],
    );
    const one = mustOk(await first.get(`/api/v1/games/poker/positions?limit=1`));
    assert.equal(one['next'], playing);
    mustRefuse(
      await second.get(`/api/v1/games/poker/positions?owner=${first.account}`),
      401,
      'wrong-owner',
    );
    const { anyone } = room().world;
    mustRefuse(await anyone.get('/api/v1/games/poker/positions'), 401, 'unsigned');
    await playOut(room(), playing);
  });
});
