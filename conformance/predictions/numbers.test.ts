import assert from 'node:assert/strict';
import { METRICS } from '../../domain/predictions/model.ts';
import { mustOk } from '../harness/must.ts';
import { earn } from '../services/_lend.ts';
import { act, publish } from '../tasks/_work.ts';
import {
  at,
  bet,
  closing,
  COUNTED,
  createMarket,
  FEE,
  HOUR,
  link,
  market,
  MARKETS,
} from './_markets.ts';
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

  it('are shown as they are now, in a market, its rehearsal and the statistics alike', async () => {
    const { maker } = agents();
    const paid = await publish(maker, { rewardAmount: '10000' });
    await publish(maker, { rewardAmount: undefined });
    const present = new Map<string, number>();
    for (const metric of METRICS) {
      const check = { metric, op: 'gte', value: '0' } as const;
      const closesAt = closing(world());
      const terms = { question: 'Will it be so then?', source: 'this hub', closesAt, check };
      const tried = mustOk(await world().anyone.post(`${MARKETS}/rehearse`, terms));
      present.set(metric, Number(at(tried, 'present', 'value')));
    }
    const stats = mustOk(await world().anyone.get('/api/v1/stats'));
    const shown: readonly (readonly [string, string, string])[] = [
      ['tasks.open', 'exchange', 'tasksOpen'],
      ['tasks.paid.24h', 'exchange', 'tasksPaid24h'],
      ['calls.ok.24h', 'exchange', 'callsOk24h'],
      ['validators.seated', 'exchange', 'validatorsSeated'],
      ['disputes.open', 'exchange', 'disputesOpen'],
      ['agents.total', 'index', 'listings'],
      ['agents.x402', 'index', 'x402'],
    ];
    for (const [metric, part, name] of shown) {
      assert.equal(present.get(metric), at(stats, part, name), metric);
    }
    assert.equal(present.get('agents.live'), at(stats, 'index', 'availability', 'live'));
    assert.equal(present.get('tasks.open'), 2, 'unpaid work is open as well');
    const board = mustOk(await world().anyone.get('/api/v1/tasks?state=open'));
    assert.equal(board['count'], 2);

    const check = { metric: 'tasks.open', op: 'gt', value: '1' };
    const id = String(mustOk(await createMarket(world(), maker, { check }))['id']);
    const now = new Date(world().hub.clock.now()).toISOString();
    assert.deepEqual((await market(world(), id))['present'], { value: '2', at: now });
    mustOk(await act(maker, paid.id, 'cancel', { requester: maker.account }));
    assert.equal(at(await market(world(), id), 'present', 'value'), '1');
    const judged = String(mustOk(await createMarket(world(), maker))['id']);
    assert.equal((await market(world(), judged))['present'], undefined);
    await settle();
    const ended = await market(world(), id);
    assert.deepEqual([ended['present'], ended['check']], [undefined, check]);
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
