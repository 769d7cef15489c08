import assert from 'node:assert/strict';
import type { Agent } from '../harness/agents.ts';
import { mustOk, mustRefuse } from '../harness/must.ts';
import { joinedKey, limitedKey, setPolicy } from '../wallet/_policies.ts';
import { walletPath } from '../wallet/_signed.ts';
import {
  cause,
  deliver,
  onEachDatabase,
  openWebhookWorld,
  WEBHOOKS,
  type Body,
  type WebhookWorld,
  webhookAt,
} from './_world.ts';

onEachDatabase('webhooks of a key that ends', (url) => {
  let world: WebhookWorld;
  let owner: Agent;
  before(async () => {
    world = await openWebhookWorld({ databaseUrl: await url() });
  });
  beforeEach(async () => {
    owner = await world.agent();
    world.receiver.received.splice(0);
  });
  after(() => world.close());

  const make = async (key: Agent): Promise<string> =>
    String(mustOk(await key.post(WEBHOOKS, { url: world.receiver.url }))['id']);
  const revoke = async (key: Agent): Promise<void> =>
    void mustOk(await owner.post(`${walletPath(owner)}/keys/${key.keyId}/revoke`));
  const stateOf = async (id: string): Promise<unknown> =>
    (await webhookAt(owner, `${WEBHOOKS}/${id}`))['state'];
  const deliveredAfter = async (): Promise<number> => {
    await cause(world, owner, 1);
    await deliver(world);
    return world.receiver.received.length;
  };

  it('send nothing more after its revocation, and its owner is notified of it', async () => {
    const key = await joinedKey(world, owner);
    const id = await make(key);
    assert.ok((await deliveredAfter()) > 0);
    world.receiver.received.splice(0);
    await revoke(key);
    assert.equal(await stateOf(id), 'disabled');
    assert.equal(await deliveredAfter(), 0);
    const { events } = mustOk(await owner.get('/api/v1/me/events?limit=200'));
    const disabled = (events as Body[]).filter(({ kind }) => kind === 'webhook.disabled');
    assert.equal(disabled.length, 1);
    mustOk(await owner.post(`${WEBHOOKS}/${id}/update`, { state: 'active' }));
    assert.ok((await deliveredAfter()) > 0, 'the owner takes it over');
  });

  it('send nothing more after the key expired', async () => {
    const key = await joinedKey(world, owner);
    const id = await make(key);
    const expiresAt = new Date(world.hub.clock.now() + 60_000).toISOString();
    mustOk(await setPolicy(owner, key, { expiresAt }));
    world.hub.clock.advance(60);
    assert.equal(await deliveredAfter(), 0);
    assert.equal(await stateOf(id), 'disabled');
  });

  it('end also where the key changed the address or the secret of another one', async () => {
    const changes: readonly ((key: Agent, id: string) => Promise<unknown>)[] = [
      async (key, id) =>
        mustOk(
          await key.post(`${WEBHOOKS}/${id}/update`, { url: `${world.receiver.url}/elsewhere` }),
        ),
      async (key, id) =>
        mustOk(await key.post(`${WEBHOOKS}/${id}/update`, { rotateSecret: 'overlap' })),
    ];
    for (const change of changes) {
      const id = await make(owner);
      const key = await joinedKey(world, owner);
      await change(key, id);
      await revoke(key);
      assert.equal(await stateOf(id), 'disabled');
    }
    const id = await make(owner);
    const key = await joinedKey(world, owner);
    mustOk(await key.post(`${WEBHOOKS}/${id}/update`, { types: ['money.in'] }));
    await revoke(key);
    assert.equal(await stateOf(id), 'active');
  });

  it('are made by a limited key only where its policy names that', async () => {
    const id = await make(owner);
    const key = await limitedKey(world, owner, {});
    const address = { url: world.receiver.url };
    mustRefuse(await key.post(WEBHOOKS, address), 401, 'policy-forbids');
    mustRefuse(await key.post(`${WEBHOOKS}/${id}/update`, address), 401, 'policy-forbids');
    const named = await limitedKey(world, owner, { operations: ['webhooks.create'] });
    const made = await make(named);
    await revoke(named);
    assert.equal(await stateOf(made), 'disabled');
    assert.equal(await stateOf(id), 'active');
  });
});
