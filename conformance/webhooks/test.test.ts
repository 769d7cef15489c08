import assert from 'node:assert/strict';
import { mustOk, mustRefuse } from '../harness/must.ts';
import {
  deliveriesOf,
  onEachDatabase,
  openWebhookWorld,
  post,
  status,
  verified,
  webhookAt,
  withWebhook,
  type WebhookWorld,
} from './_world.ts';

onEachDatabase('webhooks.test', (url) => {
  let world: WebhookWorld;
  before(async () => {
    world = await openWebhookWorld({ databaseUrl: await url() });
  });
  beforeEach(() => {
    world.receiver.received.splice(0);
    world.receiver.answer(status(204));
  });
  after(() => world.close());

  it('sends a signed message at once and answers how it went', async () => {
    const { agent, webhook, path } = await withWebhook(world, { types: ['task'] });
    const delivery = mustOk(await post(agent, `${path}/test`));
    assert.deepEqual(
      [delivery['outcome'], delivery['status'], delivery['kind'], delivery['fault']],
      ['delivered', 204, 'webhook.test', undefined],
    );
    const [message] = world.receiver.received;
    assert.ok(message !== undefined && verified(message, webhook));
    assert.equal(message.headers['webhook-id'], delivery['messageId']);
    const { type, data } = JSON.parse(message.body) as Record<string, Record<string, unknown>>;
    assert.deepEqual([type, data?.['webhookId']], ['webhook.test', webhook['id']]);
    assert.deepEqual(await deliveriesOf(agent, path), [delivery]);
  });

  it('reports a failure and changes nothing of the webhook', async () => {
    const { agent, path } = await withWebhook(world);
    const before = await webhookAt(agent, path);
    world.receiver.answer(status(410));
    const delivery = mustOk(await post(agent, `${path}/test`));
    assert.deepEqual(
      [delivery['outcome'], delivery['status'], delivery['fault']],
      ['failed', 410, 'The address answered 410.'],
    );
    assert.deepEqual(await webhookAt(agent, path), before);
    mustOk(await post(agent, `${path}/update`, { state: 'paused' }));
    assert.equal(
      mustOk(await post(agent, `${path}/test`))['status'],
      410,
      'also while it is paused',
    );
  });

  it('is refused to others', async () => {
    const { path } = await withWebhook(world);
    mustRefuse(await post(world.bob, `${path}/test`), 404, 'not-found');
    assert.deepEqual(world.receiver.received, []);
  });
});
