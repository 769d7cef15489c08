import assert from 'node:assert/strict';
import { mustOk, mustRefuse } from '../harness/must.ts';
import { at, bet, createMarket, deposit, HOUR, market, newMarket } from './_markets.ts';
import { accountOf, closing, MARKETS, onEachDatabase, purse, type Body } from './_markets.ts';

onEachDatabase('predictions.bet', (world, agents) => {
  it('holds the stake, counts it, and says what it would bring back', async () => {
    const { yes, no } = agents();
    const id = await newMarket(world());
    const [has, held] = await purse(yes);
    const first = mustOk(await bet(yes, id, 'yes', 300_000));
    assert.deepEqual(first['projected'], { before: '300000', after: '300000' });
    assert.deepEqual([first['spendableAfter'], first['version']], [`${has - held - 300_000}`, 2]);
    mustOk(await bet(no, id, 'no', 500_001));
    const second = mustOk(await bet(yes, id, 'yes', 100_000));
    // Losing pot 500001, judge 5000: 495001 shared by 300000 before, by 400000 after.
    assert.deepEqual(second['projected'], { before: '265000', after: '223750' });
    const position = second['position'] as Body;
    assert.deepEqual(
      [position['yes'], position['no'], position['ifYes'], position['ifNo']],
      ['400000', '0', '895001', '0'],
    );
    assert.deepEqual(await purse(yes), [has, held + 400_000]);
    const now = await market(world(), id);
    assert.deepEqual([now['pot'], now['version']], ['900001', 4]);
    assert.deepEqual(
      (now['odds'] as Body[]).map((point) => [point['yes'], point['no']]),
      [
        ['300000', '0'],
        ['300000', '500001'],
        ['400000', '500001'],
      ],
    );
    const [side] = now['sides'] as Body[];
    assert.deepEqual([side?.['bettors'], side?.['potBps']], [1, 4444]);
  });

  it('holds once however often it is sent, and keeps one hold for each side', async () => {
    const { yes } = agents();
    const id = await newMarket(world());
    const [, held] = await purse(yes);
    const once = { idempotencyKey: 'bet-1' };
    const made = mustOk(await bet(yes, id, 'no', 20_000, once));
    const again = mustOk(await bet(yes, id, 'no', 20_000, once));
    assert.deepEqual([made['repeated'], again['repeated'], again['id']], [false, true, made['id']]);
    mustRefuse(await bet(yes, id, 'no', 30_000, once), 400, 'idempotency-mismatch');
    for (const side of ['no', 'yes', 'no']) mustOk(await bet(yes, id, side, 10_000));
    const wallet = mustOk(await yes.get(`/api/v1/wallet/${yes.account}`));
    const bets = (at(wallet, 'held', 'by') as Body[]).filter(
      (hold) => at(hold, 'ref', 'id') === id,
    );
    assert.deepEqual(bets.map((hold) => hold['amount']).sort(), ['10000', '40000']);
    assert.equal((await purse(yes))[1], held + 50_000);
  });

  it('is refused when the market moved under its guard, and then holds nothing', async () => {
    const { yes, no } = agents();
    const id = await newMarket(world());
    mustOk(await bet(no, id, 'no', 1_000_000, { ifVersion: 1 }));
    const before = await purse(yes);
    const stale = mustRefuse(
      await bet(yes, id, 'yes', 10_000, { ifVersion: 1 }),
      400,
      'market-moved',
    );
    assert.match(String(stale['error']), /version 2/);
    const greedy = { minPayout: '1000001' };
    mustRefuse(await bet(yes, id, 'yes', 10_000, greedy), 400, 'market-moved');
    assert.deepEqual(await purse(yes), before);
    mustOk(await bet(yes, id, 'yes', 10_000, { ifVersion: 2, minPayout: '1000000' }));
  });

  it('takes one of the bets that race by one version', async () => {
    const { yes, no } = agents();
    const id = await newMarket(world());
    const guarded = { ifVersion: 1 };
    const racing = [yes, no, yes, no].map((by) => bet(by, id, 'yes', 10_000, guarded));
    const answers = await Promise.all(racing);
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 400, 400, 400]);
    assert.equal((await market(world(), id))['pot'], '10000');
  });

  it('refuses the creator, small stakes, short balances and unknown markets', async () => {
    const { maker, yes } = agents();
    const id = await newMarket(world());
    mustRefuse(await bet(yes, id, 'yes', 9_999), 400, 'below-minimum');
    mustRefuse(await bet(maker, id, 'yes', 10_000), 400, 'creator-may-not');
    mustRefuse(await bet(yes, id, 'yes', 10 ** 12), 400, 'insufficient-funds');
    for (const side of ['maybe', 'YES', '', 'void']) {
      assert.equal((await bet(yes, id, side, 10_000)).status, 400, `the side ${side}`);
    }
    for (const amount of ['10000.5', '-10000', '1e5', 'all']) {
      const odd = await yes.post(`${MARKETS}/${id}/bet`, { side: 'yes', amount });
      assert.equal(odd.status, 400, `the amount ${amount}`);
    }
    const nowhere = '01938c7a-9d4e-7c31-8a55-0b6f2d1e4c90';
    mustRefuse(await bet(yes, nowhere, 'yes', 10_000), 404, 'not-found');
    assert.equal((await world().anyone.post(`${MARKETS}/${id}/bet`, {})).status, 401);
  });

  it('is taken strictly before closesAt, without any job having run', async () => {
    const { yes } = agents();
    const id = await newMarket(world(), { closesAt: closing(world(), 10) });
    const later = await newMarket(world(), { closesAt: closing(world(), 10.001) });
    world().hub.clock.advance(10);
    mustRefuse(await bet(yes, id, 'yes', 10_000), 400, 'market-closed');
    mustOk(await bet(yes, later, 'yes', 10_000));
    world().hub.clock.jump(1);
    mustRefuse(await bet(yes, later, 'yes', 10_000), 400, 'market-closed');
    assert.equal((await market(world(), id))['state'], 'closed');
    assert.equal((await market(world(), later))['pot'], '10000');
  });

  it('warns on a real network when no seat may decide about the pot', async () => {
    const { maker, yes } = agents();
    for (const agent of [maker, yes]) await deposit(world(), accountOf(agent), 10_000_000n);
    const over = { network: 'base', closesAt: closing(world(), HOUR) };
    const id = String(mustOk(await createMarket(world(), maker, over))['id']);
    assert.equal(mustOk(await bet(yes, id, 'yes', 1_000_000))['warning'], undefined);
    assert.match(String(mustOk(await bet(yes, id, 'yes', 10_000))['warning']), /1010000/);
  });
});
