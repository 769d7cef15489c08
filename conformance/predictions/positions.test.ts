import assert from 'node:assert/strict';
import { mustOk, mustRefuse } from '../harness/must.ts';
import { bet, HOUR, newMarket, onEachDatabase, resolve, type Body } from './_markets.ts';

const POSITIONS = '/api/v1/games/predictions/positions';

onEachDatabase('predictions.positions', (world, agents) => {
  it('shows what each outcome would bring, and what came back', async () => {
    const { yes, no, judge } = agents();
    const older = await newMarket(world());
    const newer = await newMarket(world());
    mustOk(await bet(yes, older, 'yes', 10_000));
    mustOk(await bet(yes, newer, 'yes', 100_000));
    mustOk(await bet(yes, newer, 'no', 50_000));
    mustOk(await bet(no, newer, 'no', 150_000));
    const page = mustOk(await yes.get(`${POSITIONS}?limit=1`));
    const [shown] = page['positions'] as Body[];
    assert.deepEqual(
      [page['count'], page['next'], shown?.['marketId'], shown?.['stake']],
      [1, newer, newer, '150000'],
    );
    // Yes: 100000 + 200000 - 2000. No: 50000 + a quarter of 99000.
    assert.deepEqual([shown?.['ifYes'], shown?.['ifNo']], ['298000', '74750']);
    const next = mustOk(await yes.get(`${POSITIONS}?limit=1&after=${newer}`));
    assert.deepEqual(
      (next['positions'] as Body[]).map(({ marketId }) => marketId),
      [older],
    );
    world().hub.clock.advance(HOUR);
    mustOk(await resolve(judge, newer, 'no'));
    const after = mustOk(await yes.get(`${POSITIONS}?owner=${yes.account}`));
    const [settled, waiting] = after['positions'] as Body[];
    assert.deepEqual([settled?.['outcome'], settled?.['returned']], ['no', '74750']);
    assert.deepEqual([waiting?.['state'], waiting?.['returned']], ['closed', undefined]);
  });

  it('is shown to its account alone', async () => {
    const { yes, no } = agents();
    mustRefuse(await no.get(`${POSITIONS}?owner=${yes.account}`), 401, 'wrong-owner');
    mustRefuse(await world().anyone.get(POSITIONS), 401, 'unsigned');
  });
});
