import assert from 'node:assert/strict';
import { openFixture, type Fixture } from '../harness/fixture.ts';
import { mustRefuse } from '../harness/must.ts';

/** Keys cost nothing: what many of them do counts against their address (threats.fresh-keys). */
describe('fresh keys', () => {
  let world: Fixture;
  beforeEach(async () => {
    world = await openFixture({ env: { HUB_RATE_LIMITS: 'true' } });
  });
  afterEach(() => world.close());

  it('come sixty a minute from one address, and those that came go on', async () => {
    const first = await world.agent();
    assert.equal((await first.get('/api/v1/me')).status, 200);
    for (let n = 1; n < 60; n += 1) {
      assert.equal((await (await world.agent()).get('/api/v1/me')).status, 200);
    }
    const late = await world.agent();
    const refused = await late.get('/api/v1/me');
    mustRefuse(refused, 429, 'rate-limited');
    assert.equal(refused.headers.get('x-ratelimit-policy'), '"newcomers";q=60;w=60;pk=ip');
    assert.equal((await first.get('/api/v1/me')).status, 200);
    world.hub.clock.advance(2);
    assert.equal((await late.get('/api/v1/me')).status, 200);
  });

  it('share the refusals of their address', async () => {
    const agents = [world.alice, world.bob];
    let refusals = 0;
    for (; refusals < 700; refusals += 1) {
      const answer = await agents[refusals % 2]?.get('/api/v1/wallet/key:x');
      if (answer?.status === 429) break;
    }
    assert.equal(refusals, 600);
    const other = await (await world.agent()).get('/api/v1/me');
    mustRefuse(other, 429, 'rate-limited');
    assert.equal(other.headers.get('x-ratelimit-policy'), '"refused";q=600;w=60;pk=ip');
    world.hub.clock.advance(60);
    assert.equal((await world.alice.get('/api/v1/me')).status, 200);
  });
});
