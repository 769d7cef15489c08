import assert from 'node:assert/strict';
import { mustOk, mustRefuse } from '../harness/must.ts';
import {
  cause,
  create,
  deliver,
  onEachDatabase,
  openWebhookWorld,
  status,
  WEBHOOKS,
  webhookAt,
  withWebhook,
  type WebhookWorld,
} from './_world.ts';

onEachDatabase('webhooks.list with an id', (url) => {
  let world: WebhookWorld;
  before(async () => {
    world = await openWebhookWorld({ databaseUrl: await url() });
  });
  after(() => world.close());

  it('shows how many events wait, and the next attempt of one that failed', async () => {
    const { agent, path } = await withWebhook(world);
    await cause(world, agent, 1, 2);
    assert.equal((await webhookAt(agent, path))['waiting'], 2);
    world.receiver.answer(status(500));
    await deliver(world);
    const failing = await webhookAt(agent, path);
    const now = world.hub.clock.now();
    assert.deepEqual([failing['waiting'], failing['failures']], [2, 1]);
    assert.equal(failing['failingSince'], new Date(now).toISOString());
    const waitMs = Date.parse(String(failing['nextAttemptAt'])) - now;
    assert.ok(waitMs >= 4_500 && waitMs <= 5_500, `${waitMs} ms`);
    world.receiver.answer(status(200));
    world.hub.clock.advance(6);
    await deliver(world);
    const done = await webhookAt(agent, path);
    assert.deepEqual(
      [done['waiting'], done['failures'], done['failingSince'], done['nextAttemptAt']],
      [0, 0, undefined, undefined],
    );
    assert.equal(done['cursor'], mustOk(await agent.get('/api/v1/me/events'))['next']);
    assert.equal(done['secret'], undefined);
  });

  it('is not found by another account, and not without a signature', async () => {
    const { agent, webhook } = await withWebhook(world);
    await create(agent, { url: 'https://agent.example.com/another' });
    const one = `${WEBHOOKS}?id=${String(webhook['id'])}`;
    assert.equal(mustOk(await agent.get(one))['count'], 1);
    mustRefuse(await world.bob.get(one), 404, 'not-found');
    const unknown = `${WEBHOOKS}?id=01938c7a-9d4e-7c31-8a55-0b6f2d1e4c90`;
    assert.equal(mustRefuse(await world.bob.get(unknown), 404, 'not-found')['field'], 'query.id');
    mustRefuse(await world.anyone.get(one), 401, 'unsigned');
  });
});
