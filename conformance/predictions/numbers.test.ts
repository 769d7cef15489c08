import assert from 'node:assert/strict';
import { METRICS } from '../../domain/predictions/model.ts';
import { mustOk } from '../harness/must.ts';
import { earn } from '../services/_lend.ts';
import { at, bet, COUNTED, createMarket, FEE, HOUR, link, market } from './_markets.ts';
import { newMarket, onEachDatabase, type Body, type Fixture } from './_markets.ts';

/** Numbers of the hub, as the markets that they settled show them (choices predictions.checks). */
onEachDatabase('hub numbers that markets are settled by', (world, agents) => {
  const settle = async (): Promise<void> => {
    world().hub.clock.advance(HOUR + COUNTED);
    await world().hub.runJob('settleMarkets');
  };
  /** The numbers of now, each from a market of its own that it settled. */
  const numbersOf = async (here: Fixture): Promise<ReadonlyMap<string, number>> => {
    const ids: string[] = [];
    for (const metric of METRICS) {
      const check = { metric, op: 'gte', value: '0' };
      const id = String(mustOk(await createMarket(here, agents().maker, { check }))['id']);
      mustOk(await bet(agents().yes, id, 'yes', 10_000));
      ids.push(id);
    }
    await settle();
    const settled: Body[] = [];
    for (const id of ids) settled.push(await market(here, id));
    return new Map(
      settled.map((body) => {
        assert.deepEqual([body['state'], body['outcome']], ['resolved', 'yes']);
        return [String(at(body, 'check', 'metric')), Number(at(body, 'sample', 'value'))];
      }),
    );
  };

  it('each settle one, by what the hub shows of them at that moment', async () => {
    await newMarket(world(), { closesAt: new Date(world().hub.clock.now() + 1e9).toISOString() });
    const numbers = await numbersOf(world());
    assert.deepEqual([...numbers.keys()], METRICS);
    assert.equal(numbers.get('validators.seated'), 1);
    assert.equal(numbers.get('markets.open'), 1, 'of all markets one is still open');
    assert.equal(numbers.get('fees.pool'), (METRICS.length + 1) * FEE);
    const purses = [agents().maker, agents().yes, agents().no, agents().judge];
    assert.ok((numbers.get('supply.total') ?? 0) >= purses.length * 100_000_000);
    assert.equal(numbers.get('tasks.open'), 0);
    assert.equal(numbers.get('disputes.open'), 0);
    assert.equal(numbers.get('poker.hands.24h'), 0);
  });

  it('count a paid task of the day, and none between linked accounts', async () => {
    const { no, judge } = agents();
    const counted = async (): Promise<readonly unknown[]> => {
      const numbers = await numbersOf(world());
      return [numbers.get('tasks.paid.24h'), numbers.get('volume.settled.24h')];
    };
    await earn(no, judge);
    assert.deepEqual(await counted(), [1, 1_000_000]);
    const worker = await world().agent();
    await earn(no, worker);
    await link(world(), no, worker);
    assert.deepEqual(await counted(), [1, 1_000_000], 'linked accounts pay each other for nothing');
    world().hub.clock.advance(24 * HOUR);
    assert.deepEqual(await counted(), [0, 0]);
  });
});
