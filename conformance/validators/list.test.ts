import assert from 'node:assert/strict';
import { mustOk, mustRefuse } from '../harness/must.ts';
import { type Body } from '../tasks/_work.ts';
import { openCourt, seat, type PanelDriver } from './_court.ts';

describe('validators.list', () => {
  let driver: PanelDriver;
  before(async () => {
    driver = await openCourt({ judges: 3, unseated: true });
    const [one, two, three] = driver.judges;
    assert.ok(one !== undefined && two !== undefined && three !== undefined);
    await seat(one, { skill: 'extraction', stake: '5' });
    await seat(two, { skill: 'poetry' });
    await seat(three);
    const { account } = two.agent;
    mustOk(await two.agent.post('/api/v1/validators/resign', { account }));
  });
  after(() => driver.close());

  const accounts = async (query: string): Promise<unknown[]> => {
    const page = mustOk(await driver.world.anyone.get(`/api/v1/validators${query}`));
    const place = new Map(driver.judges.map(({ agent }, n) => [agent.account, n]));
    return (page['validators'] as Body[]).map(({ account }) => place.get(String(account)));
  };

  it('shows everybody the judges, newest first, and their host and no more of their address', async () => {
    assert.deepEqual(await accounts(''), [2, 1, 0]);
    const { validators } = mustOk(await driver.world.anyone.get('/api/v1/validators'));
    const [, , first] = validators as Body[];
    const [judge] = driver.judges;
    assert.deepEqual(
      [first?.['endpointHost'], first?.['endpoint'], first?.['ceiling'], first?.['karma']],
      [judge?.pair, undefined, '1000025', 0],
    );
  });

  it('filters by state and skill; who judges anything judges that skill too', async () => {
    assert.deepEqual(await accounts('?state=seated'), [2, 0]);
    assert.deepEqual(await accounts('?state=closed'), [1]);
    assert.deepEqual(await accounts('?skill=extraction'), [2, 0]);
    assert.deepEqual(await accounts('?skill=chess'), [2]);
    assert.deepEqual(await accounts('?network=base'), []);
    const strange = await driver.world.anyone.get('/api/v1/validators?state=asleep');
    mustRefuse(strange, 400, 'unknown-filter');
    mustRefuse(
      await driver.world.anyone.get('/api/v1/validators?network=moon'),
      400,
      'network-unknown',
    );
  });

  it('pages by id', async () => {
    const first = mustOk(await driver.world.anyone.get('/api/v1/validators?limit=2'));
    assert.deepEqual([first['count'], first['limit']], [2, 2]);
    assert.deepEqual(await accounts(`?after=${String(first['next'])}`), [0]);
    const all = mustOk(await driver.world.anyone.get('/api/v1/validators?limit=3'));
    assert.equal(all['next'], undefined);
  });
});
