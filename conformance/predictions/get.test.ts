import assert from 'node:assert/strict';
import { mustOk, mustRefuse } from '../harness/must.ts';
import { bet, HOUR, market, MARKETS, newMarket, onEachDatabase, type Body } from './_markets.ts';

onEachDatabase('predictions.get', (world, agents) => {
  it('shows a market without a key, with what a judge would earn once it is closed', async () => {
    const { yes, no } = agents();
    const id = await newMarket(world());
    mustOk(await bet(yes, id, 'yes', 1_000_000));
    mustOk(await bet(no, id, 'no', 3_000_000));
    const open = await market(world(), id);
    const [first] = open['sides'] as Body[];
    // 2970000 shared: the rate is 3.97; a million more halves what each gets.
    assert.deepEqual(first?.['returns'], { stake: '1000000', now: '3970000', after: '2485000' });
    assert.equal(open['judgeEarns'], undefined);
    world().hub.clock.advance(HOUR);
    const closed = await market(world(), id);
    assert.deepEqual(closed['judgeEarns'], { yes: '30000', no: '10000' });
    assert.deepEqual(
      (closed['next'] as Body[]).map(({ action }) => action),
      ['predictions.resolve'],
    );
    assert.equal(closed['version'], 4);
    assert.equal((await market(world(), id))['version'], 4, 'reading moves nothing');
  });

  it('knows no other', async () => {
    const id = '01938c7a-9d4e-7c31-8a55-0b6f2d1e4c90';
    mustRefuse(await world().anyone.get(`${MARKETS}/${id}`), 404, 'not-found');
  });
});
