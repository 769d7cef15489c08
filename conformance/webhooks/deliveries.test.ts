import assert from 'node:assert/strict';
import { mustRefuse } from '../harness/must.ts';
import {
  cause,
  deliver,
  deliveriesOf,
  onEachDatabase,
  openWebhookWorld,
  read,
  status,
  webhookAt,
  withWebhook,
  type WebhookWorld,
} from './_world.ts';

onEachDatabase('webhooks.deliveries', (url) => {
  let world: WebhookWorld;
  before(async () => {
    world = await openWebhookWorld({ databaseUrl: await url() });
  });
  after(() => world.close());

  it('has each attempt, newest first, with its status or fault', async () => {
    const { agent, path } = await withWebhook(world);
    await cause(world, agent, 1);
    world.receiver.answer((_, response) => void response.destroy());
    await deliver(world);
    world.receiver.answer(status(503));
    world.hub.clock.advance(6);
    await deliver(world);
    world.receiver.answer(status(200));
    world.hub.clock.advance(70);
    await deliver(world);
    const all = await deliveriesOf(agent, path);
    assert.deepEqual(
      all.map(({ outcome, status: code, attempt }) => [outcome, code, attempt]),
      [
        ['delivered', 200, 3],
        ['failed', 503, 2],
        ['failed', undefined, 1],
      ],
    );
    const [delivered, failed, cut] = all;
    assert.equal(delivered?.['fault'], undefined);
    assert.equal(failed?.['fault'], 'The address answered 503.');
    assert.ok(String(cut?.['fault']).length > 10);
    assert.equal(new Set(all.map(({ messageId }) => messageId)).size, 1);
    assert.deepEqual(await deliveriesOf(agent, path, '?outcome=failed'), [failed, cut]);
    const page = await read(agent, `${path}/deliveries?limit=2`);
    assert.deepEqual([page['count'], page['hasMore'], page['next']], [2, true, failed?.['id']]);
    const rest = await read(agent, `${path}/deliveries?limit=2&after=${String(page['next'])}`);
    assert.deepEqual([rest['deliveries'], rest['hasMore']], [[cut], false]);
  });

  it('keeps the newest hundred', async () => {
    const { agent, path } = await withWebhook(world);
    const units = Array.from({ length: 105 }, (_, number) => number + 1);
    await cause(world, agent, ...units);
    await deliver(world);
    const kept = await deliveriesOf(agent, path, '?limit=200');
    assert.equal(kept.length, 100);
    assert.equal((await webhookAt(agent, path))['waiting'], 0);
  });

  it('is refused to others, and for an outcome that does not exist', async () => {
    const { agent, path } = await withWebhook(world);
    mustRefuse(await world.bob.get(`${path}/deliveries`), 404, 'not-found');
    mustRefuse(await agent.get(`${path}/deliveries?outcome=lost`), 400, 'unknown-filter');
  });
});
