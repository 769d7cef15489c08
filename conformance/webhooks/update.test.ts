import assert from 'node:assert/strict';
import { mustOk, mustRefuse } from '../harness/must.ts';
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

onEachDatabase('webhooks.update', (url) => {
  let world: WebhookWorld;
  before(async () => {
    world = await openWebhookWorld({ databaseUrl: await url() });
  });
  beforeEach(() => {
    world.receiver.received.splice(0);
    world.receiver.answer(status(204));
  });
  after(() => world.close());

  it('pauses without a loss, and resumes at the same place', async () => {
    const { agent, path } = await withWebhook(world);
    assert.equal(
      mustOk(await post(agent, `${path}/update`, { state: 'paused' }))['state'],
      'paused',
    );
    await cause(world, agent, 1, 2);
    await deliver(world);
    assert.deepEqual(world.receiver.received, []);
    assert.equal((await webhookAt(agent, path))['waiting'], 2);
    mustOk(await post(agent, `${path}/update`, { state: 'active' }));
    await deliver(world);
    assert.deepEqual(amounts(world.receiver.received), [1, 2]);
  });

  it('resumes one that the hub disabled, whose event was not given up', async () => {
    const { agent, path } = await withWebhook(world);
    world.receiver.answer(status(410));
    await cause(world, agent, 5);
    world.hub.clock.advance(1);
    await deliver(world);
    const disabled = await webhookAt(agent, path);
    assert.equal(disabled['state'], 'disabled');
    assert.match(String(disabled['why']), /410/);
    world.hub.clock.advance(86_400);
    await deliver(world);
    assert.equal(world.receiver.received.length, 1);
    const events = mustOk(await agent.get('/api/v1/me/events'))['events'] as Record<
      string,
      unknown
    >[];
    const noted = events.find(({ kind }) => kind === 'webhook.disabled');
    assert.deepEqual([noted?.['webhookId'], noted?.['state']], [disabled['id'], 'disabled']);
    world.receiver.answer(status(204));
    const resumed = mustOk(await post(agent, `${path}/update`, { state: 'active' }));
    assert.deepEqual([resumed['state'], resumed['why']], ['active', undefined]);
    await deliver(world);
    const kinds = world.receiver.received.map(
      ({ body }) => (JSON.parse(body) as { type: string }).type,
    );
    assert.deepEqual(kinds, ['money.in', 'money.in', 'webhook.disabled']);
  });

  it('changes address and kinds, and what is left out stays', async () => {
    const { agent, path } = await withWebhook(world, { types: ['task'] });
    world.receiver.answer(status(500));
    mustOk(await post(agent, `${path}/update`, { types: [] }));
    await cause(world, agent, 9);
    await deliver(world);
    const moved = mustOk(await post(agent, `${path}/update`, { url: `${world.receiver.url}/new` }));
    assert.deepEqual([moved['types'], moved['failures'], moved['state']], [[], 0, 'active']);
    world.receiver.answer(status(204));
    await deliver(world);
    assert.deepEqual(
      world.receiver.received.map(({ path: to }) => to),
      ['/hook', '/hook/new'],
    );
  });

  it('is refused for what is no address, for nothing at all, and to others', async () => {
    const { agent, path } = await withWebhook(world);
    mustRefuse(await post(agent, `${path}/update`, {}), 400, 'missing-field');
    const bad = await post(agent, `${path}/update`, { url: 'https://10.0.0.1/hook' });
    mustRefuse(bad, 400, 'endpoint-refused');
    const word = await post(agent, `${path}/update`, { state: 'disabled' });
    mustRefuse(word, 400, 'unknown-field-value');
    mustRefuse(await post(world.bob, `${path}/update`, { state: 'paused' }), 404, 'not-found');
    assert.equal((await webhookAt(agent, path))['state'], 'active');
  });
});
