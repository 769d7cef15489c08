import assert from 'node:assert/strict';
import { mustOk, mustRefuse } from '../harness/must.ts';
import { at, bet, closing, COUNTED, HOUR, market, newMarket } from './_markets.ts';
import { MARKETS, onEachDatabase, purse, resolve } from './_markets.ts';

const DAY = 24 * HOUR;
const BACK = 2 * HOUR;

/** A clock that is set back decides nothing early, nothing twice, and undoes nothing. */
onEachDatabase('a market whose clock is set back', (world, agents) => {
  const step = (seconds: number): void => world().hub.clock.jump(seconds * 1000);
  const pass = (seconds: number): void => world().hub.clock.advance(seconds);

  it('stays open until the clock has come to closesAt, and takes bets until then', async () => {
    const { yes, no } = agents();
    const id = await newMarket(world());
    mustOk(await bet(yes, id, 'yes', 20_000));
    step(-BACK);
    mustOk(await bet(no, id, 'no', 20_000));
    pass(BACK + HOUR - 1);
    await world().hub.runJob('settleMarkets');
    assert.equal((await market(world(), id))['state'], 'open');
    mustOk(await bet(no, id, 'no', 10_000));
    pass(1);
    mustRefuse(await bet(no, id, 'no', 10_000), 400, 'market-closed');
    assert.equal((await market(world(), id))['pot'], '50000');
  });

  it('stays closed once it has closed, closes once, and is judged before closesAt comes again', async () => {
    const { yes, no, judge } = agents();
    const id = await newMarket(world());
    mustOk(await bet(yes, id, 'yes', 30_000));
    mustOk(await bet(no, id, 'no', 20_000));
    pass(HOUR);
    await world().hub.runJob('settleMarkets');
    const closed = await market(world(), id);
    assert.equal(closed['state'], 'closed');
    step(-BACK);
    mustRefuse(await bet(yes, id, 'yes', 10_000), 400, 'market-closed');
    await world().hub.runJob('settleMarkets');
    assert.deepEqual(await market(world(), id), closed);
    const before = await purse(yes);
    mustOk(await resolve(judge, id, 'yes'));
    const paid = await purse(yes);
    // The losing 20,000 less the judge's 200, and the own stake is free again.
    assert.deepEqual(paid, [before[0] + 19_800, before[1] - 30_000]);
    pass(BACK + 8 * DAY);
    await world().hub.runJob('settleMarkets');
    const [has] = await purse(yes);
    assert.deepEqual([has, (await market(world(), id))['state']], [paid[0], 'resolved']);
  });

  it('is not voided early, nor a second time', async () => {
    const { yes } = agents();
    const id = await newMarket(world());
    const before = await purse(yes);
    mustOk(await bet(yes, id, 'yes', 25_000));
    pass(HOUR + 7 * DAY - 60);
    step(-BACK);
    pass(BACK);
    await world().hub.runJob('settleMarkets');
    assert.equal((await market(world(), id))['state'], 'closed');
    pass(60);
    await world().hub.runJob('settleMarkets');
    const voided = await market(world(), id);
    assert.deepEqual([voided['state'], voided['voidReason']], ['voided', 'unresolved']);
    step(-BACK);
    await world().hub.runJob('settleMarkets');
    pass(2 * BACK);
    await world().hub.runJob('settleMarkets');
    assert.deepEqual(await market(world(), id), voided);
    assert.deepEqual(await purse(yes), before);
  });

  it('takes its number from the moment at which the clock comes to closesAt again', async () => {
    const { yes, no } = agents();
    pass(HOUR);
    const known = world().hub.clock.now();
    step(-HOUR);
    const check = { metric: 'markets.open', op: 'gte', value: '0' };
    const id = await newMarket(world(), { check, closesAt: closing(world(), HOUR) });
    mustOk(await bet(yes, id, 'yes', 20_000));
    mustOk(await bet(no, id, 'no', 20_000));
    await world().hub.runJob('settleMarkets');
    assert.equal((await market(world(), id))['state'], 'open', 'that moment is yet to come');
    pass(HOUR - 1);
    for (const question of ['Will it rain?', 'Will it snow?'])
      await newMarket(world(), { question });
    pass(1);
    assert.equal(world().hub.clock.now(), known);
    const open = mustOk(await world().anyone.get(`${MARKETS}?state=open&limit=200`));
    assert.equal((await market(world(), id))['state'], 'closed');
    pass(COUNTED);
    const body = await market(world(), id);
    assert.deepEqual([body['state'], body['outcome']], ['resolved', 'yes']);
    assert.equal(at(body, 'sample', 'value'), `${String(open['count'])}`);
  });
});
