import assert from 'node:assert/strict';
import { mustOk, mustRefuse } from '../harness/must.ts';
import {
  cause,
  deliver,
  onEachDatabase,
  openWebhookWorld,
  post,
  verified,
  webhookAt,
  withWebhook,
  type Body,
  type Received,
  type WebhookWorld,
} from './_world.ts';

const DAY = 86_400;

onEachDatabase('webhooks.update with rotateSecret', (url) => {
  let world: WebhookWorld;
  before(async () => {
    world = await openWebhookWorld({ databaseUrl: await url() });
  });
  after(() => world.close());

  const keysOf = ({ publicKey, secret }: Body) => ({ publicKey, secret });

  it('signs by the former and by the new keys for a day, and then by the new ones alone', async () => {
    const { agent, webhook, path } = await withWebhook(world);
    const next = async (): Promise<Received> => {
      world.receiver.received.splice(0);
      await cause(world, agent, 1);
      await deliver(world);
      return world.receiver.received[0] ?? assert.fail('a message');
    };
    assert.ok(verified(await next(), keysOf(webhook)));
    const rotated = mustOk(await post(agent, `${path}/update`, { rotateSecret: 'overlap' }));
    assert.notEqual(rotated['publicKey'], webhook['publicKey']);
    assert.notEqual(rotated['secret'], webhook['secret']);
    assert.equal(rotated['previousPublicKey'], webhook['publicKey']);
    const both = await next();
    assert.ok(verified(both, keysOf(webhook)));
    assert.ok(verified(both, keysOf(rotated)));
    assert.equal(String(both.headers['webhook-signature']).split(' ').length, 4);
    world.hub.clock.advance(DAY + 1);
    const after = await next();
    assert.ok(verified(after, keysOf(rotated)));
    assert.ok(!verified(after, { publicKey: webhook['publicKey'] }));
    assert.ok(!verified(after, { secret: webhook['secret'] }));
    const shown = await webhookAt(agent, path);
    assert.deepEqual([shown['previousPublicKey'], shown['previousUntil']], [undefined, undefined]);
    mustRefuse(await post(world.bob, `${path}/update`, { rotateSecret: 'now' }), 404, 'not-found');
  });

  it('ends the former keys at once where that is asked for', async () => {
    const { agent, webhook, path } = await withWebhook(world);
    const rotated = mustOk(await post(agent, `${path}/update`, { rotateSecret: 'now' }));
    assert.equal(rotated['previousPublicKey'], undefined);
    world.receiver.received.splice(0);
    mustOk(await post(agent, `${path}/test`));
    const [message] = world.receiver.received;
    assert.ok(message !== undefined && verified(message, keysOf(rotated)));
    assert.ok(!verified(message, { publicKey: webhook['publicKey'] }));
  });
});
