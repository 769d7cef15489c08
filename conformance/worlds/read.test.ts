import assert from 'node:assert/strict';
import { visitor } from '../harness/agents.ts';
import type { Fixture } from '../harness/fixture.ts';
import { mustOk, mustRefuse } from '../harness/must.ts';
import { DAY, hubWithWorlds, openedBy, WORLD } from './_world.ts';

describe('worlds.read', () => {
  let hub: Fixture;
  before(async () => {
    hub = await hubWithWorlds();
  });
  after(() => hub.close());

  it('refuses an account without a world', async () => {
    mustRefuse(await hub.bob.get(WORLD), 404, 'not-found');
  });

  it('shows the world as it was opened', async () => {
    const place = await openedBy(hub, hub.alice);
    assert.equal(mustOk(await hub.alice.get(WORLD))['url'], place.url);
  });

  it('finds no world that had no request for half an hour', async () => {
    const place = await openedBy(hub, hub.alice);
    hub.hub.clock.advance(1_700);
    mustOk(await visitor(place).get('/api/v1/time'));
    hub.hub.clock.advance(1_700);
    assert.equal(mustOk(await hub.alice.get(WORLD))['url'], place.url);
    hub.hub.clock.advance(1_800);
    mustRefuse(await hub.alice.get(WORLD), 404, 'not-found');
    mustRefuse(await visitor(place).get('/api/v1/time'), 404, 'no-route');
  });

  it('finds no world that was opened a day ago, however busy it is', async () => {
    const place = await openedBy(hub, hub.alice);
    for (let passed = 0; passed < DAY; passed += 1_200) {
      mustOk(await visitor(place).get('/api/v1/time'));
      hub.hub.clock.advance(1_200);
    }
    mustRefuse(await hub.alice.get(WORLD), 404, 'not-found');
    const next = await openedBy(hub, hub.alice);
    assert.notEqual(next.url, place.url);
  });
});
