import assert from 'node:assert/strict';
import { mustOk, mustRefuse } from '../harness/must.ts';
import { until } from '../harness/waiting.ts';
import {
  amounts,
  cause,
  deliver,
  onEachDatabase,
  openWebhookWorld,
  post,
  status,
  webhookAt,
  withWebhook,
  type WebhookWorld,
} from './_world.ts';

onEachDatabase('a webhook that is moved', (url) => {
  let world: WebhookWorld;
  before(async () => {
    world = await openWebhookWorld({ databaseUrl: await url() });
  });
  beforeEach(() => {
    world.receiver.received.splice(0);
    world.receiver.answer(status(204));
  });
  after(() => world.close());

  it('sends events again in order, under the ids that they had', async () => {
    const { received } = world.receiver;
    const { agent, path } = await withWebhook(world);
    await cause(world, agent, 1, 2, 3);
    await deliver(world);
    const moved = mustOk(await post(agent, `${path}/update`, { after: '0.1@sandbox' }));
    assert.deepEqual([moved['waiting'], moved['cursor']], [2, '0.1@sandbox']);
    await deliver(world);
    assert.deepEqual(amounts(received), [1, 2, 3, 2, 3]);
    const ids = received.map(({ headers }) => headers['webhook-id']);
    assert.deepEqual(ids.slice(1, 3), ids.slice(3));
  });

  it('skips what waits, such as an event that the receiver never takes', async () => {
    const { agent, path } = await withWebhook(world);
    world.receiver.answer(status(500));
    await cause(world, agent, 1, 2);
    await deliver(world);
    const skipped = mustOk(await post(agent, `${path}/update`, { after: 'now' }));
    assert.deepEqual([skipped['waiting'], skipped['failures']], [0, 0]);
    world.receiver.answer(status(204));
    await cause(world, agent, 3);
    await deliver(world);
    assert.deepEqual(amounts(world.receiver.received), [1, 3]);
  });

  it('sends no second during an attempt, and its place counts', async () => {
    const { received } = world.receiver;
    const { agent, path } = await withWebhook(world);
    let finish = (): void => undefined;
    world.receiver.answer((_, response) => {
      finish = () => void response.writeHead(204).end();
    });
    await cause(world, agent, 1, 2);
    const sending = deliver(world);
    await until(() => received.length === 1);
    mustOk(await post(agent, `${path}/update`, { after: '0' }));
    const second = world.hub.running.driver.runOnce('webhooks');
    assert.equal(received.length, 1);
    world.receiver.answer(status(204));
    finish();
    await Promise.all([sending, second]);
    await deliver(world);
    assert.deepEqual(amounts(received), [1, 1, 2]);
    assert.equal((await webhookAt(agent, path))['waiting'], 0);
  });

  it('a flood of replays costs no more than one delivery at a time', async () => {
    const { agent, path } = await withWebhook(world);
    await cause(world, agent, 1, 2, 3);
    let [open, most] = [0, 0];
    world.receiver.answer((_, response) => {
      open += 1;
      most = Math.max(most, open);
      setTimeout(() => {
        open -= 1;
        response.writeHead(204).end();
      }, 5);
    });
    const sending = deliver(world);
    const replays = await Promise.all(
      Array.from({ length: 30 }, () => post(agent, `${path}/update`, { after: '0' })),
    );
    for (const each of replays) mustOk(each);
    await sending;
    await deliver(world);
    assert.equal(most, 1);
    assert.deepEqual(amounts(world.receiver.received).slice(-3), [1, 2, 3]);
  });

  it('is refused for what is no place, and to others', async () => {
    const { agent, path } = await withWebhook(world);
    mustRefuse(await post(agent, `${path}/update`, {}), 400, 'missing-field');
    mustRefuse(await post(agent, `${path}/update`, { after: '-1' }), 400, 'bad-request');
    mustRefuse(await post(world.bob, `${path}/update`, { after: 'now' }), 404, 'not-found');
  });
});
