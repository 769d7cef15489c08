import assert from 'node:assert/strict';
import { mustOk, mustRefuse } from '../harness/must.ts';
import { refused } from '../services/_lend.ts';
import { onEachDatabase, openCourt, type PanelDriver } from '../validators/_court.ts';
import { DAY, disputed, ruled } from './_disputing.ts';
import type { Body } from './_work.ts';

onEachDatabase('tasks.disputes', (url) => {
  let driver: PanelDriver;
  before(async () => {
    driver = await openCourt({ databaseUrl: await url(), judges: 1 });
  });
  after(() => driver.close());

  const arbiter = () => driver.judges[0]?.agent ?? assert.fail('one judge');
  const page = async (query = ''): Promise<Body> =>
    mustOk(await arbiter().get(`/api/v1/disputes${query}`));
  const ids = (body: Body): unknown[] => (body['disputes'] as Body[]).map(({ taskId }) => taskId);

  it('lists what is drawn to the seat, the oldest deadline first, in pages', async () => {
    const { hub } = driver.world;
    const made: string[] = [];
    for (let count = 0; count < 5; count += 1) {
      made.push((await disputed(driver)).id);
      hub.clock.advance(60);
    }
    const all = await page(`?arbiter=${arbiter().account}`);
    assert.deepEqual([ids(all), all['count'], all['limit']], [made, 5, 50]);
    const deadlines = (all['disputes'] as Body[]).map(({ deadline }) => String(deadline));
    assert.deepEqual(deadlines, [...deadlines].sort());
    const first = await page('?limit=2');
    assert.deepEqual(ids(first), made.slice(0, 2));
    const second = await page(`?limit=2&after=${String(first['next'])}`);
    assert.deepEqual(ids(second), made.slice(2, 4));
    const third = await page(`?limit=2&after=${String(second['next'])}`);
    assert.deepEqual([ids(third), third['next']], [made.slice(4), undefined]);
    assert.equal((await page('?limit=5000'))['limit'], 200);

    await ruled(driver, made[1] ?? '', 'rejected');
    assert.deepEqual(ids(await page()), [made[0], ...made.slice(2)]);
    hub.clock.advance(DAY - 5 * 60);
    assert.deepEqual(ids(await page()), made.slice(2), 'the first arbiter’s day is over');
    hub.clock.advance(DAY);
    assert.deepEqual(ids(await page()), []);
  });

  it('refuses who has no seat, or names another one', async () => {
    const { alice } = driver.world;
    const take = /POST \/api\/v1\/validators/;
    refused(await alice.get('/api/v1/disputes'), 'no-seat', /has no seat/, take);
    const other = `/api/v1/disputes?arbiter=${arbiter().account}`;
    mustRefuse(await alice.get(other), 401, 'wrong-owner');
    mustRefuse(await driver.world.anyone.get('/api/v1/disputes'), 401, 'unsigned');
  });
});
