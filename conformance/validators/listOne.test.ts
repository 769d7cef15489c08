import assert from 'node:assert/strict';
import { at, mustOk, mustRefuse } from '../harness/must.ts';
import { object, ruled } from '../tasks/_disputing.ts';
import { type Body } from '../tasks/_work.ts';
import {
  accepts,
  delivered,
  isSilent,
  onEachDatabase,
  openCourt,
  panels,
  recordOf,
  rejects,
  seat,
  shown,
  tick,
  type Judge,
  type PanelDriver,
} from './_court.ts';
import { measure, planted } from './_measured.ts';

onEachDatabase('validators.list with an id', (url) => {
  let driver: PanelDriver;
  beforeEach(async () => {
    driver = await openCourt({ judges: 3, databaseUrl: await url() });
  });
  afterEach(() => driver.close());

  const reportOf = async (judge: Judge): Promise<Body> => {
    const { id } = await recordOf(driver, judge);
    return mustOk(await driver.world.anyone.get(`/api/v1/validators?id=${String(id)}`));
  };
  const measuresOf = async (judge: Judge): Promise<Body> =>
    at(await reportOf(judge), 'measures', 'all') as Body;
  const counts = (measures: Body, name: string): readonly unknown[] => [
    at(measures, name, 'count'),
    at(measures, name, 'of'),
  ];

  it('shows a judge without a round as unmeasured, and refuses an id that is no seat', async () => {
    const [one] = driver.judges;
    assert.ok(one !== undefined);
    const report = await reportOf(one);
    assert.equal(at(report, 'validators', 0, 'account'), one.agent.account);
    assert.equal(at(report, 'validators', 0, 'reliabilityBps'), undefined);
    assert.equal(at(report, 'measures', 'measuredAt'), undefined);
    assert.deepEqual(at(report, 'measures', 'all', 'panel'), { count: 0, of: 0, low: 0, high: 1 });
    const path = '/api/v1/validators?id=01938c7a-9d4e-7c31-8a55-0b6f2d1e4c90';
    mustRefuse(await driver.world.anyone.get(path), 404, 'not-found');
  });

  it('finds a judge by its account and by its bare key id, and no other account', async () => {
    const [one] = driver.judges;
    assert.ok(one !== undefined);
    const { anyone, alice } = driver.world;
    const { account, keyId } = one.agent;
    const report = await reportOf(one);
    for (const name of [account, keyId, encodeURIComponent(account)]) {
      assert.deepEqual(mustOk(await anyone.get(`/api/v1/validators?id=${name}`)), report);
    }
    for (const name of [alice.account, alice.keyId, 'x', 'hub:mint', '%F0%9F%98%80']) {
      mustRefuse(await anyone.get(`/api/v1/validators?id=${name}`), 404, 'not-found');
    }
    for (const name of ['x'.repeat(97), '1'.repeat(97), '%00']) {
      mustRefuse(await anyone.get(`/api/v1/validators?id=${name}`), 400, 'bad-request');
    }
  });

  it('measures agreement, cost, time and confidence at the full hour, by kind and skill', async () => {
    const { world, judges } = driver;
    const [one, two, three] = judges;
    assert.ok(one !== undefined && two !== undefined && three !== undefined);
    one.does(() => JSON.stringify({ verdict: 'accepted', confidence: 0.95 }));
    three.does(rejects);
    const acceptance = { kind: 'contains', values: ['done'] };
    const id = await delivered(driver, { acceptance, requiredSkills: ['prices'] }, 'done');
    await driver.sit();
    const [panel] = await panels(driver, id);
    const states = (at(panel, 'judges') as Body[]).map((each) => [each['account'], each]);
    const stated = new Map(states as [unknown, Body][]);
    assert.equal(stated.get(one.agent.account)?.['confidence'], 0.95);
    assert.equal(stated.get(two.agent.account)?.['confidence'], undefined);
    await world.hub.runJob('judgeMeasures');
    assert.equal(
      at(await reportOf(one), 'measures', 'measuredAt'),
      undefined,
      'not before the hour',
    );
    await measure(driver);
    const [first, last] = [await measuresOf(one), await measuresOf(three)];
    assert.deepEqual(
      [counts(first, 'panel'), counts(last, 'panel')],
      [
        [1, 1],
        [0, 1],
      ],
    );
    assert.deepEqual(at(first, 'panel', 'rate'), 1);
    assert.deepEqual(at(first, 'cost', 'mean'), '3333');
    assert.ok(Number(at(first, 'time', 'p90Ms')) >= Number(at(first, 'time', 'medianMs')));
    assert.deepEqual(at(first, 'calibration', 'bins'), [
      { from: 0.9, to: 1, votes: 1, right: 1, stated: 0.95 },
    ]);
    const { measures } = await reportOf(one);
    assert.deepEqual(
      [at(measures, 'byAcceptance', 0, 'kind'), at(measures, 'bySkill', 0, 'skill')],
      ['contains', 'prices'],
    );
    const again = mustOk(await world.anyone.get('/api/v1/validators?order=reliability'));
    const order = (again['validators'] as Body[]).map(({ account }) => account);
    assert.equal(order.length, 3);
    assert.equal(order.at(-1), three.agent.account);
  });

  it('counts draws that were not answered as abstained', async () => {
    const { world, judges } = driver;
    const [silent] = judges;
    assert.ok(silent !== undefined);
    silent.does(isSilent);
    await delivered(driver);
    for (const pause of [5, 15, 30]) {
      await driver.sit();
      world.hub.clock.advance(pause);
    }
    await driver.sit();
    await measure(driver);
    const measures = await measuresOf(silent);
    assert.deepEqual(
      [counts(measures, 'abstained'), counts(measures, 'panel')],
      [
        [1, 1],
        [0, 0],
      ],
    );
    assert.equal(at(await recordOf(driver, silent), 'reliabilityBps'), 0);
  });

  it('counts a later arbiter for and against the votes on the accepted result', async () => {
    await driver.close();
    driver = await openCourt({ judges: 4, databaseUrl: await url() });
    const { world, judges } = driver;
    for (const verdict of ['rejected', 'upheld']) {
      const id = await delivered(driver);
      await driver.sit();
      mustOk(await object(world.alice, id));
      await ruled(driver, id, verdict);
      await tick(world);
    }
    await measure(driver);
    const all = await Promise.all(judges.map(measuresOf));
    const sums = [0, 1].map((n) =>
      all.reduce((sum, each) => sum + Number(counts(each, 'arbiters')[n]), 0),
    );
    assert.deepEqual(sums, [3, 6], 'three votes were confirmed and three were not');
  });

  it('shows planted answers when twenty draws are complete, over all tasks alone', async () => {
    const { judges } = driver;
    const [judge, careless] = judges;
    assert.ok(judge !== undefined && careless !== undefined);
    judge.does(rejects);
    for (let nth = 1; nth <= 5; nth += 1) {
      const id = await planted(driver, 'rejected');
      await driver.sit();
      assert.equal(shown((await panels(driver, id))[0]).length, 3);
    }
    judge.does(accepts);
    for (let nth = 6; nth <= 20; nth += 1) {
      await delivered(driver);
      await driver.sit();
      if (nth < 19) continue;
      await measure(driver);
      assert.equal(at(await measuresOf(judge), 'draws'), nth);
      assert.equal(at(await measuresOf(judge), 'planted', 'of'), nth < 20 ? 0 : 5);
    }
    const { measures } = await reportOf(judge);
    assert.equal(at(measures, 'byAcceptance', 0, 'measures', 'planted'), undefined);
    assert.deepEqual(counts(await measuresOf(judge), 'planted'), [5, 5]);
    assert.deepEqual(counts(await measuresOf(careless), 'planted'), [0, 5]);
    assert.ok(
      Number(at(await recordOf(driver, careless), 'reliabilityBps')) <= 4_345,
      'agreement with a panel that is wrong on planted results does not make it reliable',
    );
  });

  it('keeps a seat measured when its owner changes it, and counts no vote twice', async () => {
    const { judges } = driver;
    const [judge] = judges;
    assert.ok(judge !== undefined);
    await delivered(driver);
    await driver.sit();
    await seat(judge, { minFeeBps: 1 });
    await measure(driver);
    await measure(driver);
    assert.deepEqual(counts(await measuresOf(judge), 'panel'), [1, 1]);
  });
});
