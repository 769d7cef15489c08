import assert from 'node:assert/strict';
import { mustOk, mustRefuse } from '../harness/must.ts';
import { at, closing, createMarket, deposit, FEE, onEachDatabase, purse } from './_markets.ts';
import { accountOf, HOUR, market, type Body } from './_markets.ts';

onEachDatabase('predictions.create', (world, agents) => {
  it('opens a market and takes the listing fee at once, once', async () => {
    const { maker } = agents();
    const [before] = await purse(maker);
    const over = { idempotencyKey: 'market-1' };
    const made = mustOk(await createMarket(world(), maker, over));
    const again = mustOk(await createMarket(world(), maker, over));
    assert.deepEqual([made['repeated'], again['repeated'], again['id']], [false, true, made['id']]);
    assert.deepEqual(await purse(maker), [before - FEE, 0]);
    assert.deepEqual(
      [
        made['state'],
        made['settledBy'],
        made['pot'],
        made['version'],
        at(made, 'fees', 'judgeBps'),
      ],
      ['open', 'judge', '0', 1, 100],
    );
    assert.deepEqual(at(made, 'sides', 0, 'returns'), {
      stake: '1000000',
      now: '1000000',
      after: '1000000',
    });
    assert.deepEqual(made['next'], [], 'its creator may not bet on it');
    const other = { idempotencyKey: 'market-1', question: 'Will another page say yes?' };
    mustRefuse(await createMarket(world(), maker, other), 400, 'idempotency-mismatch');
    const fees = mustOk(await world().anyone.get('/api/v1/economy'));
    assert.ok(JSON.stringify(fees).includes('market.fee'));
  });

  it('takes a check, which no judge earns from', async () => {
    const check = { metric: 'time.head', op: 'gte', value: '0' };
    const [before] = await purse(agents().maker);
    const made = mustOk(await createMarket(world(), agents().maker, { check }));
    assert.deepEqual([made['settledBy'], made['check']], ['check', check]);
    assert.equal(at(made, 'fees', 'judgeBps'), 0);
    assert.deepEqual(
      [at(made, 'fees', 'listing'), (await purse(agents().maker))[0]],
      [`${FEE}`, before - FEE],
    );
    assert.equal((await market(world(), String(made['id'])))['settledBy'], 'check');
  });

  it('refuses checks that the hub cannot make, and names the numbers that it can', async () => {
    for (const over of [{ metric: 'btc.price' }, { op: 'about' }, { value: '-1' }]) {
      const check = { metric: 'time.head', op: 'gt', value: '1', ...over };
      const refused = await createMarket(world(), agents().maker, { check });
      mustRefuse(refused, 400, 'bad-check');
    }
  });

  it('takes questions of 10 to 300 letters and a source of 1 to 500, and both are asked for', async () => {
    const { maker } = agents();
    const [before] = await purse(maker);
    for (const [field, least, most] of [
      ['question', 10, 300],
      ['source', 1, 500],
    ] as const) {
      for (const length of [least - 1, most + 1]) {
        const refused = await createMarket(world(), maker, { [field]: 'q'.repeat(length) });
        assert.deepEqual([refused.status, at(refused.body, 'field')], [400, `body.${field}`]);
      }
      const without = await createMarket(world(), maker, { [field]: undefined });
      mustRefuse(without, 400, 'missing-field');
      for (const length of [least, most]) {
        mustOk(await createMarket(world(), maker, { [field]: 'q'.repeat(length) }));
      }
    }
    assert.equal((await purse(maker))[0], before - 4 * FEE);
  });

  it('refuses a closing time that is past, and on a real network one too near or too far', async () => {
    const { maker } = agents();
    const past = await createMarket(world(), maker, { closesAt: closing(world(), -1) });
    mustRefuse(past, 400, 'deadline');
    await deposit(world(), accountOf(maker), 1_000_000n);
    for (const after of [599, 90 * 24 * HOUR + 60]) {
      const over = { network: 'base', closesAt: closing(world(), after) };
      mustRefuse(await createMarket(world(), maker, over), 400, 'deadline');
    }
    mustOk(
      await createMarket(world(), maker, { network: 'base', closesAt: closing(world(), 660) }),
    );
  });

  it('refuses an unknown network and a creator without the fee, and keeps nothing', async () => {
    const poor = await world().agent();
    mustRefuse(await createMarket(world(), poor, { network: 'moon' }), 400, 'network-unknown');
    const body = mustRefuse(await createMarket(world(), poor), 400, 'insufficient-funds');
    assert.match(String(body['error']), /100000/);
    const { anyone } = world();
    const listed = mustOk(await anyone.get('/api/v1/games/predictions/markets'));
    assert.equal(
      (listed['markets'] as Body[]).some((each) => each['creator'] === poor.account),
      false,
    );
  });
});
