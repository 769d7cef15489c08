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
    mustRefuse(await create({ smallBlind: '2000' }), 400, 'not-together');
    mustRefuse(await create({ minBuyIn: '200000' }), 400, 'not-together');
    mustRefuse(await create({ network: 'moon' }), 400, 'network-unknown');
    const cheap = { format: 'sng', buyIn: '999', bigBlind: undefined };
    mustRefuse(await create(cheap), 400, 'below-minimum');
  });

  const malformed: readonly (readonly [string, Body])[] = [
    ['one seat', { seats: 1 }],
    ['ten seats', { seats: 10 }],
    ['no seats', { seats: undefined }],
    ['no big blind', { bigBlind: undefined }],
    ['half a chip', { bigBlind: 1000.5 }],
    ['four seconds', { actSeconds: 4 }],
    ['more than two minutes', { actSeconds: 121 }],
    ['a name of 61 letters', { name: 'n'.repeat(61) }],
    ['another format', { format: 'omaha' }],
    ['a tournament without a buy-in', { format: 'sng', bigBlind: undefined }],
    ['a tournament with a blind', { format: 'sng', buyIn: '10000' }],
    ['a cash table with a buy-in', { buyIn: '10000' }],
  ];
  it('refuses terms outside of what the contract says, and takes its bounds', async () => {
    for (const [name, over] of malformed) {
      const refused = await create(over, 2);
      assert.equal(refused.status, 400, `${name}: ${refused.text}`);
      assert.match(
        String(refused.body['code']),
        /^(bad-request|missing-field|bad-amount|unknown-field-value)$/,
        `${name}: ${refused.text}`,
      );
    }
    const usual = mustOk(await create({ bigBlind: '2' }, 2));
    assert.deepEqual(
      [usual['smallBlind'], usual['actSeconds'], usual['network']],
      ['1', 30, 'sandbox'],
    );
    for (const over of [
      { seats: 2, actSeconds: 5, name: 'n' },
      { seats: 9, actSeconds: 120, name: 'n'.repeat(60) },
    ]) {
      const made = mustOk(await create(over, 2));
      assert.deepEqual(
        [made['seats'], made['actSeconds'], made['name']],
        [over.seats, over.actSeconds, over.name],
      );
    }
  });

  it('lets an account have ten unfinished tables', async () => {
    for (let nth = 0; nth < 10; nth += 1) mustOk(await create({}, 1));
    mustRefuse(await create({}, 1), 400, 'ceiling-reached');
    room().world.hub.clock.advance(24 * 3600);
    await room().world.hub.runJob('pokerClock');
    mustOk(await create({}, 1));
  });
});
