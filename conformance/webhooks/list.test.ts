import assert from 'node:assert/strict';
import { mustOk, mustRefuse } from '../harness/must.ts';
import {
  create,
  onEachDatabase,
  openWebhookWorld,
  WEBHOOKS,
  type Body,
  type WebhookWorld,
} from './_world.ts';

onEachDatabase('webhooks.list', (url) => {
  let world: WebhookWorld;
  before(async () => {
    world = await openWebhookWorld({ databaseUrl: await url() });
  });
  after(() => world.close());

  it('has the webhooks of the signer alone, oldest first and without secrets', async () => {
    const { alice, bob } = world;
    const first = await create(alice, { url: 'https://agent.example.com/1', types: ['task'] });
    const second = await create(alice, { url: 'https://agent.example.com/2' });
    await create(bob, { url: 'https://agent.example.com/3' });
    const { count, webhooks } = mustOk(await alice.get(WEBHOOKS));
    assert.equal(count, 2);
    const without = ({ secret, secretUntil: _, ...rest }: Body): Body => {
      assert.match(String(secret), /^whsec_/);
      return rest;
    };
    assert.deepEqual(webhooks, [without(first), without(second)]);
    mustRefuse(await world.anyone.get(WEBHOOKS), 401, 'unsigned');
  });
});
