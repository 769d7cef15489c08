import assert from 'node:assert/strict';
import { mustOk, mustRefuse } from '../harness/must.ts';
import {
  at,
  bet,
  HOUR,
  link,
  market,
  newMarket,
  onEachDatabase,
  purse,
  resolve,
} from './_markets.ts';

const RACES = 12;

/** The exit of a creator (choices predictions.exits). */
onEachDatabase('the withdrawal of a market by its creator', (world, agents) => {
  it('voids an open market without bets, moves nothing and takes no further bet', async () => {
    const { maker, yes } = agents();
    const id = await newMarket(world());
    const before = await purse(maker);
    const body = mustOk(await resolve(maker, id, 'void', { evidence: 'A typing error.' }));
    assert.deepEqual(
      [body['state'], body['voidReason'], body['resolvedBy'], body['evidence']],
      ['voided', 'unanswerable', maker.account, 'A typing error.'],
    );
    assert.deepEqual(await purse(maker), before, 'the listing fee stays paid');
    const late = mustRefuse(await bet(yes, id, 'yes', 10_000), 400, 'market-closed');
    assert.match(String(late['error']), /closed at/);
    const again = mustRefuse(await resolve(maker, id, 'void'), 400, 'already-resolved');
    assert.match(String(again['error']), /withdrawn/);
    world().hub.clock.advance(HOUR);
    await world().hub.runJob('settleMarkets');
    assert.equal((await market(world(), id))['state'], 'voided');
  });

  it('serves closed markets and markets with a check, and repeats under its key', async () => {
    const { maker } = agents();
    const check = { metric: 'tasks.open', op: 'gte', value: '1' };
    const checked = await newMarket(world(), { check });
    const once = { idempotencyKey: 'withdraw-checked' };
    mustOk(await resolve(maker, checked, 'void', once));
    assert.equal(mustOk(await resolve(maker, checked, 'void', once))['repeated'], true);
    const closed = await newMarket(world());
    world().hub.clock.advance(HOUR);
    assert.equal(mustOk(await resolve(maker, closed, 'void'))['state'], 'voided');
  });

  it('is refused once there is a bet, to others, and for another outcome', async () => {
    const { maker, yes, no, judge } = agents();
    const id = await newMarket(world());
    for (const other of [yes, judge]) {
      mustRefuse(await resolve(other, id, 'void'), 400, 'market-open');
    }
    mustRefuse(await resolve(maker, id, 'yes'), 400, 'market-open');
    mustOk(await bet(yes, id, 'yes', 10_000));
    const refused = mustRefuse(await resolve(maker, id, 'void'), 400, 'creator-may-not');
    assert.match(String(refused['error']), /1 accounts have bet/);
    const friend = await world().agent();
    await link(world(), maker, friend);
    mustRefuse(await resolve(friend, id, 'void'), 400, 'market-open');
    mustOk(await bet(no, id, 'no', 10_000));
    world().hub.clock.advance(HOUR);
    mustRefuse(await resolve(maker, id, 'void'), 400, 'creator-may-not');
    mustOk(await resolve(judge, id, 'yes'));
    mustRefuse(await resolve(maker, id, 'void'), 400, 'already-resolved');
  });

  it('never takes a bet with it, whichever of the two comes first', async () => {
    const { maker, yes } = agents();
    const ended = { withdrawn: 0, bet: 0 };
    for (let race = 0; race < RACES; race += 1) {
      const id = await newMarket(world());
      const before = await purse(yes);
      const taking = (): ReturnType<typeof resolve> => resolve(maker, id, 'void');
      const betting = (): ReturnType<typeof bet> => bet(yes, id, 'yes', 10_000);
      const both = race % 2 === 0 ? [taking(), betting()] : [betting(), taking()];
      const answers = await Promise.all(both);
      const [taken, placed] = race % 2 === 0 ? answers : [...answers].reverse();
      const body = await market(world(), id);
      assert.notEqual(taken?.status, placed?.status, 'one of them is refused');
      if (taken?.status === 200) {
        ended.withdrawn += 1;
        assert.deepEqual([body['state'], at(body, 'sides', 0, 'pot')], ['voided', '0']);
        assert.deepEqual(await purse(yes), before);
      } else {
        ended.bet += 1;
        assert.deepEqual([body['state'], at(body, 'sides', 0, 'pot')], ['open', '10000']);
      }
    }
    assert.equal(ended.withdrawn + ended.bet, RACES);
  });
});
