import assert from 'node:assert/strict';
import { mustOk, mustRefuse } from '../harness/must.ts';
import {
  cause,
  deliver,
  onEachDatabase,
  openWebhookWorld,
  read,
  status,
  WEBHOOKS,
  withWebhook,
  type WebhookWorld,
} from './_world.ts';

onEachDatabase('webhooks.get', (url) => {
  let world: WebhookWorld;
  before(async () => {
    world = await openWebhookWorld({ databaseUrl: await url() });
  });
  after(() => world.close());

  it('shows how many events wait, and the next attempt of one that failed', async () => {
    const { agent, path } = await withWebhook(world);
    await cause(world, agent, 1, 2);
    assert.equal((await read(agent, path))['waiting'], 2);
    world.receiver.answer(status(500));
    await deliver(world);
    const failing = await read(agent, path);
    const now = world.hub.clock.now();
    assert.deepEqual([failing['waiting'], failing['failures']], [2, 1]);
    assert.equal(failing['failingSince'], new Date(now).toISOString());
    const waitMs = Date.parse(String(failing['nextAttemptAt'])) - now;
    assert.ok(waitMs >= 4_500 && waitMs <= 5_500, `${waitMs} ms`);
    world.receiver.answer(status(200));
    world.hub.clock.advance(6);
    await deliver(world);
    const done = await read(agent, path);
    assert.deepEqual(
      [done['waiting'], done['failures'], done['failingSince'], done['nextAttemptAt']],
      [0, 0, undefined, undefined],
    );
    assert.equal(done['cursor'], mustOk(await agent.get('/api/v1/me/events'))['next']);
    assert.equal(done['secret'], undefined);
  });

  it('is not found by another account, and not without a signature', async () => {
    const { path } = await withWebhook(world);
    mustRefuse(await world.bob.get(path), 404, 'not-found');
    mustRefuse(
      await world.bob.get(`${WEBHOOKS}/01938c7a-9d4e-7c31-8a55-0b6f2d1e4c90`),
      404,
      'not-found',
    );
    mustRefuse(await world.anyone.get(path), 401, 'unsigned');
  });
});
