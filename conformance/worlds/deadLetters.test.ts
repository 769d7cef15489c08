import assert from 'node:assert/strict';
import type { Agent } from '../harness/agents.ts';
import { newAgent } from '../harness/agents.ts';
import { at, mustOk } from '../harness/must.ts';
import { until } from '../harness/waiting.ts';
import {
  openWebhookWorld,
  status,
  webhookAt,
  WEBHOOKS,
  type WebhookWorld,
} from '../webhooks/_world.ts';
import { advance, DAY, funded, openedBy } from './_world.ts';

describe('a webhook in a test world', () => {
  let world: WebhookWorld;
  before(async () => {
    world = await openWebhookWorld({ env: { HUB_TEST_WORLDS: '1' } });
  });
  after(() => world.close());

  it('has a dead letter after eleven attempts, each a day of the world later', async () => {
    const place = await openedBy(world, world.alice);
    const agent: Agent = await newAgent(place);
    world.receiver.answer(status(500));
    const { id } = mustOk(await agent.post(WEBHOOKS, { url: world.receiver.url }));
    const payer = await funded(place);
    const pay = { to: agent.account, amount: '5', idempotencyKey: 'one' };
    mustOk(await payer.post(`/api/v1/wallet/${payer.account}/pay`, pay));
    for (let attempt = 1; attempt <= 11; attempt += 1) {
      await until(() => world.receiver.received.length >= attempt);
      await advance(world.alice, DAY);
    }
    const path = `${WEBHOOKS}/${String(id)}`;
    const dead = mustOk(await agent.get(`${path}/deliveries?outcome=dead`));
    assert.deepEqual([dead['count'], at(dead, 'deliveries', '0', 'attempt')], [1, 11]);
    const webhook = await webhookAt(agent, path);
    assert.equal(webhook['state'], 'disabled');
  });
});
