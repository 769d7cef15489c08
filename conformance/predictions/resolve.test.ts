import assert from 'node:assert/strict';
import { mustOk, mustRefuse } from '../harness/must.ts';
import { accountOf, at, bet, closing, COUNTED, createMarket, deposit, HOUR } from './_markets.ts';
import { link, market, newMarket, onEachDatabase, purse, resolve, takeSeat } from './_markets.ts';
import type { Body } from './_markets.ts';

const DAY = 24 * HOUR;

onEachDatabase('predictions.resolve', (world, agents) => {
  const later = (seconds: number = HOUR): void => world().hub.clock.advance(seconds);

  it('pays the example of choices predictions.payout to the unit', async () => {
    const { yes, no, judge } = agents();
    const b = await world().agent();
    const c = await world().agent();
    const e = await world().agent();
    for (const agent of [b, c, e]) await world().fund(agent, '1000000');
    const all = [yes, b, c, no, e, judge];
    const id = await newMarket(world());
    const stakes = [300_000, 300_000, 100_000, 500_001, 250_000];
    const before = await Promise.all(all.map(purse));
    for (const [nth, stake] of stakes.entries()) {
      mustOk(await bet(all[nth] ?? yes, id, nth < 3 ? 'yes' : 'no', stake));
    }
    later();
    const body = mustOk(await resolve(judge, id, 'yes', { evidence: 'It said so.' }));
    assert.deepEqual(
      [body['state'], body['outcome'], body['resolvedBy'], body['evidence']],
      ['resolved', 'yes', judge.account, 'It said so.'],
    );
    const { judgeShare, won, returned } = body['settlement'] as Body;
    assert.deepEqual([judgeShare, won, returned], ['7500', '742501', '700000']);
    const after = await Promise.all(all.map(purse));
    assert.deepEqual(
      after.map(([has, held], nth) => [
        has - (before[nth]?.[0] ?? 0),
        held - (before[nth]?.[1] ?? 0),
      ]),
      [
        [318_215, 0],
        [318_215, 0],
        [106_071, 0],
        [-500_001, 0],
        [-250_000, 0],
        [7_500, 0],
      ],
    );
    const mine = mustOk(await yes.get('/api/v1/games/predictions/positions'));
    assert.equal(at(mine, 'positions', 0, 'returned'), '618215');
  });

  it('answers a repeat with the first result, and is final', async () => {
    const { yes, no, judge } = agents();
    const id = await newMarket(world());
    mustOk(await bet(yes, id, 'yes', 10_000));
    mustOk(await bet(no, id, 'no', 10_000));
    later();
    const once = { idempotencyKey: 'resolve-1' };
    mustOk(await resolve(judge, id, 'no', once));
    assert.equal(mustOk(await resolve(judge, id, 'no', once))['repeated'], true);
    mustRefuse(await resolve(judge, id, 'yes', once), 400, 'idempotency-mismatch');
    const again = mustRefuse(await resolve(judge, id, 'yes'), 400, 'already-resolved');
    assert.match(String(again['error']), /resolved no/);
    mustRefuse(await bet(yes, id, 'yes', 10_000), 400, 'market-closed');
  });

  it('gives every stake back when it is void, or when no bettor was right', async () => {
    const { yes, judge } = agents();
    for (const [outcome, reason] of [
      ['void', 'unanswerable'],
      ['no', 'empty-side'],
    ] as const) {
      const before = await purse(yes);
      const id = await newMarket(world());
      mustOk(await bet(yes, id, 'yes', 50_000));
      later();
      const body = mustOk(await resolve(judge, id, outcome));
      assert.deepEqual([body['state'], body['voidReason']], ['voided', reason]);
      assert.equal(at(body, 'settlement', 'judgeShare'), '0');
      assert.deepEqual(await purse(yes), before);
    }
  });

  it('refuses all who may not judge, in the order of the contract', async () => {
    const { maker, yes, no, judge } = agents();
    const id = await newMarket(world());
    mustOk(await bet(yes, id, 'yes', 20_000));
    mustRefuse(await resolve(judge, id, 'yes'), 400, 'market-open');
    later();
    const nowhere = '01938c7a-9d4e-7c31-8a55-0b6f2d1e4c90';
    mustRefuse(await resolve(judge, nowhere, 'yes'), 404, 'not-found');
    mustRefuse(await resolve(maker, id, 'yes'), 400, 'creator-may-not');
    mustRefuse(await resolve(no, id, 'yes'), 400, 'not-a-judge');
    const broke = await world().agent();
    await takeSeat(broke, { stake: '0' });
    mustRefuse(await resolve(broke, id, 'yes'), 400, 'not-a-judge');
    await takeSeat(yes);
    mustRefuse(await resolve(yes, id, 'yes'), 400, 'holds-position');
    const friend = await world().agent();
    await world().fund(friend, '2000000');
    await takeSeat(friend);
    await link(world(), friend, yes);
    mustRefuse(await resolve(friend, id, 'yes'), 400, 'linked-account');
    const cousin = await world().agent();
    await world().fund(cousin, '2000000');
    await takeSeat(cousin);
    await link(world(), cousin, maker);
    mustRefuse(await resolve(cousin, id, 'yes'), 400, 'linked-account');
    assert.equal((await market(world(), id))['state'], 'closed');
    mustOk(await resolve(judge, id, 'yes'));
  });

  it('is bounded by the ceiling of the seat on a real network', async () => {
    const { maker, yes } = agents();
    const small = await world().agent();
    for (const agent of [maker, yes, small]) await deposit(world(), accountOf(agent), 9_000_000n);
    await takeSeat(small, { network: 'base', stake: '100000' });
    const over = { network: 'base', closesAt: closing(world(), HOUR) };
    const id = String(mustOk(await createMarket(world(), maker, over))['id']);
    mustOk(await bet(yes, id, 'yes', 1_500_001));
    later();
    const body = mustRefuse(await resolve(small, id, 'yes'), 400, 'ceiling-too-low');
    assert.match(String(body['error']), /1500001.*1500000/);
    mustRefuse(await resolve(agents().judge, id, 'yes'), 400, 'not-a-judge');
  });

  it('is left to the hub number of the closing moment, which no judge overrules', async () => {
    const { yes, no, judge } = agents();
    const check = { metric: 'markets.open', op: 'gte', value: '1' };
    const id = await newMarket(world(), { check });
    mustOk(await bet(yes, id, 'yes', 40_000));
    mustOk(await bet(no, id, 'no', 30_000));
    const before = await purse(yes);
    later();
    mustRefuse(await resolve(judge, id, 'no'), 400, 'bad-check');
    await world().hub.runJob('settleMarkets');
    assert.equal((await market(world(), id))['state'], 'closed');
    later(COUNTED);
    mustRefuse(await resolve(judge, id, 'no'), 400, 'bad-check');
    const body = await market(world(), id);
    assert.deepEqual([body['state'], body['resolvedBy']], ['resolved', undefined]);
    assert.equal(at(body, 'settlement', 'judgeShare'), '0');
    const sampled = Number(at(body, 'sample', 'value'));
    assert.equal(body['outcome'], sampled >= 1 ? 'yes' : 'no');
    const [has] = await purse(yes);
    assert.equal(has - before[0], sampled >= 1 ? 30_000 : -40_000);
  });

  it('is voided by the clock: seven days without a judge, a day without the hub', async () => {
    const { yes, judge } = agents();
    const before = await purse(yes);
    const judged = await newMarket(world());
    const check = { metric: 'time.head', op: 'gt', value: '5' };
    const checked = await newMarket(world(), { check });
    for (const id of [judged, checked]) mustOk(await bet(yes, id, 'yes', 25_000));
    later(HOUR + DAY);
    assert.equal((await market(world(), checked))['voidReason'], 'no-sample');
    assert.equal((await market(world(), judged))['state'], 'closed');
    later(6 * DAY);
    mustRefuse(await resolve(judge, judged, 'yes'), 400, 'already-resolved');
    assert.equal((await market(world(), judged))['voidReason'], 'unresolved');
    assert.deepEqual(await purse(yes), before);
  });

  it('pays one of the judges that race', async () => {
    const { yes, no, judge } = agents();
    const other = await world().agent();
    await world().fund(other, '2000000');
    await takeSeat(other);
    const id = await newMarket(world());
    mustOk(await bet(yes, id, 'yes', 100_000));
    mustOk(await bet(no, id, 'no', 100_000));
    later();
    const answers = await Promise.all([resolve(judge, id, 'yes'), resolve(other, id, 'no')]);
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 400]);
  });
});
