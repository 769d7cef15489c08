import assert from 'node:assert/strict';
import { at, mustOk, mustRefuse } from '../harness/must.ts';
import { holdsDomain } from '../passport/_held.ts';
import { money, type Body } from '../tasks/_work.ts';
import {
  accepts,
  delivered,
  isSilent,
  karmaOf,
  onEachDatabase,
  openCourt,
  recordOf,
  rejects,
  seat,
  type PanelDriver,
  type Judge,
} from './_court.ts';

onEachDatabase('validators.resign', (url) => {
  let driver: PanelDriver;
  afterEach(() => driver.close());
  const open = async (judges: number): Promise<Judge> => {
    driver = await openCourt({ judges, databaseUrl: await url() });
    const [judge] = driver.judges;
    assert.ok(judge !== undefined);
    return judge;
  };
  const resign = ({ agent }: Judge, over: Body = {}) =>
    agent.post('/api/v1/validators/resign', { account: agent.account, ...over });

  it('closes the seat, returns the whole stake at once, and leaves the record', async () => {
    const judge = await open(1);
    const body = mustOk(await resign(judge, { idempotencyKey: 'leave' }));
    assert.deepEqual(
      [body['state'], body['stake'], body['stakeReturned'], typeof body['transferId']],
      ['closed', '0', '1000000', 'string'],
    );
    assert.deepEqual(await money(judge.agent), ['100000000', '0', '100000000']);
    const again = mustOk(await resign(judge, { idempotencyKey: 'leave' }));
    assert.deepEqual(again, { ...body, repeated: true });
    assert.equal((await recordOf(driver, judge))['state'], 'closed');
    const id = await delivered(driver);
    await driver.sit();
    assert.equal(judge.cases.length, 0, `no judge is drawn for ${id}`);
  });

  it('lets the account take its seat again, with its record, at another place', async () => {
    const judge = await open(1);
    await delivered(driver);
    await driver.sit();
    mustOk(await resign(judge));
    const back = await seat(judge, { stake: '1' });
    assert.deepEqual(
      [back['state'], at(back, 'record', 'rounds'), back['endedAt'], back['paused']],
      ['seated', 1, undefined, true],
    );
    assert.deepEqual(await money(judge.agent), ['100000000', '1', '99999999']);
  });

  it('is refused without a seat, and while the seat is drawn on an open round', async () => {
    const judge = await open(1);
    const { alice } = driver.world;
    const nobody = await alice.post('/api/v1/validators/resign', { account: alice.account });
    assert.match(String(mustRefuse(nobody, 400, 'no-seat')['hint']), /POST \/api\/v1\/validators/);
    judge.does(isSilent);
    await delivered(driver);
    await driver.sit();
    const busy = mustRefuse(await resign(judge), 400, 'seat-busy');
    await holdsDomain(driver.world, alice, judge.pair);
    const rival = { account: alice.account, endpoint: judge.endpoint };
    const kept = mustRefuse(await alice.post('/api/v1/validators', rival), 400, 'seat-exists');
    assert.match(String(kept['error']), /drawn on open work/);
    assert.match(String(busy['error']), /1 open round/);
    assert.match(String(busy['hint']), /GET \/api\/v1\/disputes/);
    assert.deepEqual(await money(judge.agent), ['100000000', '1000000', '99000000']);
    const shown = await seat(judge);
    assert.deepEqual(
      (shown['next'] as Body[]).map(({ action }) => action),
      ['validators.register'],
    );
    judge.does(accepts);
    driver.world.hub.clock.advance(5);
    await driver.sit();
    mustOk(await resign(judge));
    mustRefuse(await resign(judge), 400, 'no-seat');
  });

  it('is too late for a seat that half of twenty panels were against: its stake is burned', async () => {
    const judge = await open(3);
    judge.does(rejects);
    for (let round = 1; round <= 10; round += 1) {
      const id = await delivered(driver, { disputeWindowSeconds: 0 });
      assert.equal((await recordOf(driver, judge))['state'], 'seated', `before round ${round}`);
      await driver.sit();
      const { state } = mustOk(await driver.world.anyone.get(`/api/v1/tasks/${id}`));
      assert.equal(state, 'paid');
    }
    const gone = await recordOf(driver, judge);
    assert.deepEqual(
      [gone['state'], gone['stake'], at(gone, 'record', 'lastTwenty', 'disagreed')],
      ['retired', '0', 10],
    );
    // Ten shares of a panel came in, the stake went out.
    const [balance, held] = await money(judge.agent);
    assert.ok(Number(balance) >= 99_033_330 && Number(balance) <= 99_033_340);
    assert.equal(held, '0');
    assert.equal(await karmaOf(driver, judge.agent), -30);
    const economy = mustOk(await driver.world.anyone.get('/api/v1/economy'));
    assert.match(JSON.stringify(economy), /"burned":"1000000"/);
    const back = await judge.agent.post('/api/v1/validators', {
      account: judge.agent.account,
      endpoint: judge.endpoint,
    });
    const refused = mustRefuse(back, 400, 'seat-retired');
    assert.match(String(refused['hint']), /GET \/api\/v1\/validators/);
    mustRefuse(await resign(judge), 400, 'seat-retired');
  });
});
