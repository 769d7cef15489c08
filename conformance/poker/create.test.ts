import assert from 'node:assert/strict';
import { mustOk, mustRefuse } from '../harness/must.ts';
import { at, onEachDatabase, TABLES, type Body } from './_table.ts';

onEachDatabase('poker.create', (room) => {
  const create = (over: Body, nth = 0) =>
    (room().players[nth] ?? room().world.alice).post(TABLES, {
      format: 'cash',
      seats: 6,
      bigBlind: 1001,
      ...over,
    });

  it('opens a table with the blinds, range and commitment of its terms', async () => {
    const made = mustOk(await create({}));
    assert.deepEqual(
      [made['smallBlind'], made['bigBlind'], made['minBuyIn'], made['maxBuyIn'], made['taken']],
      ['500', '1001', '40040', '100100', 0],
    );
    assert.match(String(at(made, 'nextHand', 'commit')), /^[0-9a-f]{64}$/);
    const sng = mustOk(await create({ format: 'sng', buyIn: '10001', bigBlind: undefined }));
    assert.deepEqual(sng['prizes'], [
      { place: 1, amount: '39004' },
      { place: 2, amount: '21002' },
    ]);
    assert.deepEqual([sng['smallBlind'], sng['level'], sng['levelUpAtHand']], ['10', 1, 11]);
  });

  it('refuses terms that no table can have', async () => {
    mustRefuse(await create({ bigBlind: '1' }), 400, 'below-minimum');
    mustRefuse(await create({ smallBlind: '2000' }), 400, 'buyin-range');
    mustRefuse(await create({ minBuyIn: '200000' }), 400, 'buyin-range');
    mustRefuse(await create({ network: 'moon' }), 400, 'network-unknown');
    const cheap = { format: 'sng', buyIn: '999', bigBlind: undefined };
    mustRefuse(await create(cheap), 400, 'below-minimum');
  });

  it('lets an account have ten unfinished tables', async () => {
    for (let nth = 0; nth < 10; nth += 1) mustOk(await create({}, 1));
    mustRefuse(await create({}, 1), 400, 'ceiling-reached');
    room().world.hub.clock.advance(24 * 3600);
    await room().world.hub.runJob('pokerClock');
    mustOk(await create({}, 1));
  });
});
