import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from '../../clients/examples/freePort.ts';
import { follow, savedAs } from '../discovery/_follow.ts';
import { blockOf } from '../discovery/_pages.ts';
import { listenForSleep, openDesk } from '../discovery/_reader.ts';
import { inFolder, present } from '../discovery/_run.ts';
import type { Agent } from '../harness/agents.ts';
import { realClock } from '../harness/clock.ts';
import { openFixture } from '../harness/fixture.ts';
import { at, mustOk } from '../harness/must.ts';
import { until } from '../harness/waiting.ts';
import {
  cause,
  create,
  deliver,
  openWebhookWorld,
  post,
  WEBHOOKS,
  webhookAt,
  withWebhook,
  type Body,
  type WebhookWorld,
} from './_world.ts';

const PAGE = 'docs/webhooks.md';

/** The receivers that the page shows, each as a process beside a hub. */
describe(`the receivers of ${PAGE}`, function suite() {
  this.timeout(60_000);
  let world: WebhookWorld;
  let port = 0;
  before(async () => {
    port = await freePort();
    world = await openWebhookWorld({ clock: realClock(), pairs: [`127.0.0.1:${port}`] });
  });
  after(() => world.close());

  async function isTaken(program: readonly string[], env: (webhook: Body) => Body): Promise<void> {
    const agent: Agent = await world.agent();
    const address = `http://127.0.0.1:${port}/hooks/hub`;
    const webhook = await create(agent, { url: address });
    const path = `${WEBHOOKS}/${String(webhook['id'])}`;
    const [command = '', ...words] = program;
    const child = spawn(command, words, {
      env: { ...process.env, PORT: `${port}`, ...(env(webhook) as Record<string, string>) },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let output = '';
    child.stdout.on('data', (part: Buffer) => (output += part.toString()));
    const gone = new Promise((ended) => child.once('exit', ended));
    try {
      await until(async () => mustOk(await post(agent, `${path}/test`))['status'] === 204);
      await cause(world, agent, 1, 2);
      await deliver(world);
      assert.equal((await webhookAt(agent, path))['waiting'], 0);
      mustOk(await post(agent, `${path}/update`, { after: '0' }));
      await deliver(world);
      await until(() => output.split('\n').length >= 5);
      assert.equal(
        output,
        'listening\nwebhook.test\nmoney.in\nmoney.in\n',
        'a replay is handled once',
      );
      const forged = {
        'webhook-id': 'msg_1',
        'webhook-timestamp': `${Math.floor(Date.now() / 1000)}`,
      };
      for (const signature of ['v1,AAAA', 'v1a,AAAA', '']) {
        const headers = { ...forged, 'webhook-signature': signature };
        const answer = await fetch(address, { method: 'POST', headers, body: '{"type":"x"}' });
        assert.equal(answer.status, 401, signature);
      }
      mustOk(await post(agent, `${path}/update`, { rotateSecret: 'now' }));
      assert.equal(mustOk(await post(agent, `${path}/test`))['status'], 401, 'other keys');
      mustOk(await post(agent, `${path}/delete`));
    } finally {
      child.kill('SIGKILL');
      await gone;
    }
  }

  it('take in TypeScript messages of the hub, and reject all others', async () => {
    await inFolder(async (folder) => {
      const file = join(folder, 'receiver.mts');
      writeFileSync(file, savedAs(PAGE, 'receiver.mts'));
      await isTaken(
        [process.execPath, '--import', import.meta.resolve('tsx'), file],
        ({ publicKey }) => ({
          WEBHOOK_PUBLIC_KEY: publicKey,
        }),
      );
    });
  });

  it('have a message with the members of a message of the hub', async () => {
    const shown = JSON.parse(blockOf(`${PAGE}: {`).text) as Body;
    const { agent } = await withWebhook(world);
    const { received } = world.receiver;
    await cause(world, agent, 1);
    await deliver(world);
    const sent = JSON.parse(received.at(-1)?.body ?? '') as Body;
    assert.deepEqual(Object.keys(shown), Object.keys(sent));
    assert.equal(at(shown, 'data', 'kind'), shown['type']);
    assert.equal(at(shown, 'data', 'at'), shown['timestamp']);
  });

  it('take in Python messages of the hub, and reject all others', async () => {
    if (!(await present('python3', ['--version'], 'the receiver in Python'))) return;
    await inFolder(async (folder) => {
      const file = join(folder, 'receiver.py');
      writeFileSync(file, savedAs(PAGE, 'receiver.py'));
      await isTaken(['python3', file], ({ secret }) => ({ WEBHOOK_SECRET: secret }));
    });
  });
});

describe(`${PAGE}, followed literally`, function suite() {
  this.timeout(240_000);
  it('leads from an empty folder to messages that its receivers take', async () => {
    if (!(await present('python3', ['--version'], 'the receiver in Python'))) return;
    const desk = await openDesk();
    const port = await freePort();
    const { webFolder } = desk;
    const env = { HUB_ALLOW_PRIVATE_HOSTS: `127.0.0.1:${port}` };
    const world = await openFixture({ clock: realClock(), webFolder, env });
    const minutes = await listenForSleep(world);
    try {
      const reader = await desk.readerOf(world, minutes);
      const address = `http://127.0.0.1:${port}/hooks/hub`;
      const replaced = { 'https://agent.example.com/hooks/hub': address, '8787': `${port}` };
      const { done, end } = await follow(
        [PAGE],
        {
          ...reader,
          runsSentences: true,
          replaced: { ...reader.replaced, ...replaced },
          filled: [
            [/whpk_…/, (output) => lastOf(output, /whpk_\S+/g)],
            [/whsec_…/, (output) => lastOf(output, /whsec_\S+/g)],
            // The first id of an answer is the webhook's, the last one that of a delivery.
            [/\bID\b/, (output) => UUID.exec(output)?.[0] ?? ''],
            [/\bDELIVERY\b/, (output) => lastOf(output, new RegExp(UUID, 'g'))],
            [/\bCURSOR\b/, () => 'now'],
          ],
        },
        // An example of a message, which a test above compares.
        ({ language }) => language === 'json',
      );
      end();
      assert.equal(done.length, 12, done.join('\n'));
    } finally {
      minutes.close();
      await world.close();
      await desk.close();
    }
  });
});

const UUID = /[0-9a-f]{8}-[0-9a-f-]{27}/;

function lastOf(output: string, pattern: RegExp): string {
  return output.match(pattern)?.at(-1) ?? '';
}
