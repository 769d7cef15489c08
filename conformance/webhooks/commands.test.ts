import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { blockOf } from '../discovery/_pages.ts';
import { agentCommands } from '../harness/agentCommands.ts';
import { realClock } from '../harness/clock.ts';
import { at } from '../harness/must.ts';
import {
  amounts,
  deliver,
  openWebhookWorld,
  status,
  type Body,
  type WebhookWorld,
} from './_world.ts';

describe('hub webhooks', () => {
  const home = mkdtempSync(join(tmpdir(), 'hub-webhooks-'));
  const commands = agentCommands(home, () => world.hub.url);
  let world: WebhookWorld;
  before(async () => {
    world = await openWebhookWorld({ clock: realClock() });
    await commands.done('init');
  });
  after(async () => {
    await world.close();
    rmSync(home, { recursive: true, force: true });
  });

  it('does what the page shows, and prints the secret once', async () => {
    const words = blockOf('docs/webhooks.md: npx --no hub webhooks add')
      .text.trim()
      .split(' ')
      .slice(3);
    const shown = await commands.done(...words);
    assert.match(shown, /public key +whpk_/);
    assert.match(shown, /secret +whsec_/);
    assert.match(shown, /kinds +task money\.in/);
    const [id = ''] = /[0-9a-f]{8}-[0-9a-f-]{27}/.exec(shown) ?? [];
    const again = await commands.done('webhooks', 'show', id);
    assert.match(again, /whpk_/);
    assert.ok(!again.includes('whsec_'));
    assert.match(await commands.done('webhooks'), /active/);
    assert.match(await commands.done('webhooks', 'delete', id), /deleted/);
    assert.match(await commands.done('webhooks', 'list'), /There is none/);
  });

  it('tests, pauses, replays, rotates, and sends a message again', async () => {
    const { owner } = await commands.json('me');
    const { id, publicKey } = await commands.json(
      'webhooks',
      'add',
      world.receiver.url,
      '--after',
      '0',
    );
    const webhook = String(id);
    assert.equal((await commands.json('webhooks', 'test', webhook))['outcome'], 'delivered');
    world.receiver.answer(status(500));
    const failed = await commands.run('webhooks', 'test', webhook);
    assert.equal(failed.code, 1);
    assert.match(failed.out, /The address answered 500/);
    world.receiver.answer(status(204));
    assert.equal((await commands.json('webhooks', 'pause', webhook))['state'], 'paused');
    await world.hub.fund(String(owner), '7');
    world.receiver.received.splice(0);
    await deliver(world);
    assert.deepEqual(world.receiver.received, []);
    assert.equal((await commands.json('webhooks', 'resume', webhook))['state'], 'active');
    await deliver(world);
    assert.deepEqual(amounts(world.receiver.received), [7]);
    assert.equal((await commands.json('webhooks', 'replay', webhook, '0'))['waiting'], 1);
    await deliver(world);
    assert.deepEqual(amounts(world.receiver.received), [7, 7]);
    const rotated = await commands.json('webhooks', 'rotate', webhook);
    assert.equal(rotated['previousPublicKey'], publicKey);
    assert.equal(
      (await commands.json('webhooks', 'rotate', webhook, '--now'))['previousUntil'],
      undefined,
    );
    const outcomes = JSON.parse(
      await commands.done('webhooks', 'deliveries', webhook, '--outcome', 'failed', '--json'),
    ) as Body[];
    assert.deepEqual(
      outcomes.map(({ kind }) => kind),
      ['webhook.test'],
    );
    const delivery = String(at(outcomes, 0, 'id'));
    assert.equal(
      (await commands.json('webhooks', 'resend', webhook, delivery))['outcome'],
      'delivered',
    );
    const unknown = await commands.run('webhooks', 'resend', webhook, webhook);
    assert.deepEqual([unknown.code, /not-found/.test(unknown.err)], [1, true]);
  });

  it('names the words that it does not know', async () => {
    const { code, err } = await commands.run('webhooks', 'send');
    assert.equal(code, 2);
    assert.match(err, /"webhooks send" is none of/);
    assert.equal((await commands.run('webhooks', 'deliveries', 'x', '--outcome', 'lost')).code, 2);
    assert.equal((await commands.run('webhooks', 'test')).code, 2);
  });
});
