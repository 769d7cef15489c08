import assert from 'node:assert/strict';
import { RETRY_DELAYS_MS } from '../../domain/webhooks/attempt.ts';
import type { Agent } from '../harness/agents.ts';
import { mustOk, mustRefuse } from '../harness/must.ts';
import {
  amounts,
  cause,
  deliver,
  deliveriesOf,
  onEachDatabase,
  openWebhookWorld,
  post,
  status,
  webhookAt,
  withWebhook,
  type Body,
  type WebhookWorld,
} from './_world.ts';

onEachDatabase('a message that is sent again', (url) => {
  let world: WebhookWorld;
  before(async () => {
    world = await openWebhookWorld({ databaseUrl: await url() });
  });
  beforeEach(() => world.receiver.received.splice(0));
  after(() => world.close());

  /** Fails until the first event of the webhook is a dead letter. */
  async function letter(agent: Agent, path: string): Promise<Body> {
    world.receiver.answer(({ body }, response) => {
      const isFirst = amounts([{ path: '', headers: {}, body }])[0] === 1;
      response.writeHead(isFirst ? 500 : 204).end();
    });
    await deliver(world);
    for (const waitMs of RETRY_DELAYS_MS) {
      world.hub.clock.advance(Math.ceil((waitMs / 1_000) * 1.1) + 1);
      await deliver(world);
    }
    const [dead] = await deliveriesOf(agent, path, '?outcome=dead');
    return dead ?? assert.fail('a dead letter');
  }

  it('a dead letter follows eleven attempts in three days, and the next event goes out', async () => {
    const { agent, path } = await withWebhook(world);
    await cause(world, agent, 1, 2);
    const dead = await letter(agent, path);
    assert.deepEqual(amounts(world.receiver.received), [...Array<number>(11).fill(1), 2]);
    assert.deepEqual([dead['attempt'], dead['status'], dead['outcome']], [11, 500, 'dead']);
    assert.equal(dead['body'], world.receiver.received[0]?.body);
    assert.deepEqual(
      [(await webhookAt(agent, path))['state'], (await webhookAt(agent, path))['waiting']],
      ['active', 0],
    );
  });

  it('sends it under its id, and it stays a dead letter until it is delivered', async () => {
    const { agent, path } = await withWebhook(world);
    await cause(world, agent, 1);
    const dead = await letter(agent, path);
    const again = { deliveryId: dead['id'] };
    mustRefuse(await post(world.bob, `${path}/test`, again), 404, 'not-found');
    const failed = mustOk(await post(agent, `${path}/test`, again));
    assert.deepEqual([failed['outcome'], failed['attempt'], failed['status']], ['failed', 12, 500]);
    assert.deepEqual(await deliveriesOf(agent, path, '?outcome=dead'), [dead]);
    world.receiver.answer(status(204));
    const sent = mustOk(await post(agent, `${path}/test`, again));
    assert.deepEqual(
      [sent['outcome'], sent['attempt'], sent['body'], sent['messageId']],
      ['delivered', 12, dead['body'], dead['messageId']],
    );
    const ids = world.receiver.received.map(({ headers }) => headers['webhook-id']);
    assert.equal(new Set(ids).size, 1);
    assert.deepEqual(await deliveriesOf(agent, path, '?outcome=dead'), []);
    const once = { deliveryId: sent['id'] };
    assert.equal(
      mustOk(await post(agent, `${path}/test`, once))['outcome'],
      'delivered',
      'also what was delivered',
    );
    const unknown = { deliveryId: '01938c7a-9d4e-7c31-8a55-0b6f2d1e4c90' };
    mustRefuse(await post(agent, `${path}/test`, unknown), 404, 'not-found');
  });

  it('a webhook without a delivery for five days is disabled and reported', async () => {
    const { agent, path } = await withWebhook(world);
    world.receiver.answer(status(500));
    await cause(world, agent, 1, 2);
    for (let hours = 0; hours <= 240; hours += 6) {
      await deliver(world);
      world.hub.clock.advance(6 * 3_600);
    }
    const disabled = await webhookAt(agent, path);
    assert.equal(disabled['state'], 'disabled');
    assert.match(String(disabled['why']), /five days.*answered 500/);
    const before = world.receiver.received.length;
    world.hub.clock.advance(86_400);
    await deliver(world);
    assert.equal(world.receiver.received.length, before);
  });
});
