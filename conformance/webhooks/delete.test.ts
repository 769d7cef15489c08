import assert from 'node:assert/strict';
import { at, mustOk, mustRefuse } from '../harness/must.ts';
import { until } from '../harness/waiting.ts';
import { decide } from '../operator/_operator.ts';
import {
  cause,
  deliver,
  onEachDatabase,
  openWebhookWorld,
  post,
  status,
  WEBHOOKS,
  withWebhook,
  type Body,
  type WebhookWorld,
} from './_world.ts';

onEachDatabase('webhooks.delete', (url) => {
  let world: WebhookWorld;
  before(async () => {
    world = await openWebhookWorld({ databaseUrl: await url() });
  });
  after(() => world.close());

  it('ends a webhook with its deliveries', async () => {
    const { agent, path } = await withWebhook(world);
    mustOk(await post(agent, `${path}/test`));
    mustRefuse(await post(world.bob, `${path}/delete`), 404, 'not-found');
    mustOk(await post(agent, `${path}/delete`));
    mustRefuse(await agent.get(path.replace('hooks/', 'hooks?id=')), 404, 'not-found');
    mustRefuse(await post(agent, `${path}/delete`), 404, 'not-found');
    assert.equal(mustOk(await agent.get(WEBHOOKS))['count'], 0);
    const { received } = world.receiver;
    const before = received.length;
    await cause(world, agent, 1);
    await deliver(world);
    assert.equal(received.length, before);
    const rows = await world.hub.running.hub.store.read((db) =>
      db.knex('webhook_deliveries').where({ account: agent.account }),
    );
    assert.deepEqual(rows, []);
  });

  it('does not wait for an attempt that is under way, which is not recorded', async () => {
    const { agent, path } = await withWebhook(world);
    let answer = (): void => undefined;
    world.receiver.received.splice(0);
    world.receiver.answer((_, response) => {
      answer = () => void response.writeHead(204).end();
    });
    await cause(world, agent, 1);
    const sending = deliver(world);
    await until(() => world.receiver.received.length > 0);
    mustOk(await post(agent, `${path}/delete`));
    answer();
    await sending;
    world.receiver.answer(status(204));
    assert.equal(mustOk(await agent.get(WEBHOOKS))['count'], 0);
  });

  it('is done to all of an account that erases its data, which an export shows before', async () => {
    const { agent, webhook, path } = await withWebhook(world);
    mustOk(await post(agent, `${path}/test`));
    const wallet = `/api/v1/wallet/${agent.account}`;
    const rows = mustOk(await agent.get(`${wallet}/export?limit=200`))['rows'] as Body[];
    const exported = rows.map(({ table }) => table);
    assert.ok(exported.includes('webhooks') && exported.includes('webhook_deliveries'));
    const secret = String(webhook['secret']).replace('whsec_', '');
    assert.ok(!JSON.stringify(rows).includes(secret), 'no export has a secret');
    const erased = mustOk(await agent.post(`${wallet}/erase`, { confirm: 'erase' }));
    assert.equal(at(erased, 'erased', 'webhooks'), 1);
    assert.equal(mustOk(await agent.get(WEBHOOKS))['count'], 0);
  });

  it('is possible for an account that is banned, to which nothing is sent any more', async () => {
    const { agent, path } = await withWebhook(world);
    await cause(world, agent, 1);
    await decide([world], 'ban', agent.keyId, 'Fraud.');
    world.receiver.received.splice(0);
    await deliver(world);
    assert.deepEqual(world.receiver.received, []);
    mustOk(await post(agent, `${path}/delete`));
  });
});
