import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../../clients/examples/freePort.ts';
import { generateKey } from '../../clients/typescript/sign.ts';
import { openStore } from '../../db/store.ts';
import { agentWith, visitor } from '../harness/agents.ts';
import { DATABASES } from '../harness/databases.ts';
import { mustHaveConformed, mustOk } from '../harness/must.ts';
import { until } from '../harness/waiting.ts';
import { startProcess } from '../kinds/kill/process.ts';
import { hubsOnBothDatabases } from '../harness/hubsOnBothDatabases.ts';
import {
  amounts,
  cause,
  create,
  deliver,
  post,
  startReceiver,
  status,
  WEBHOOKS,
  type Receiver,
  webhookAt,
} from './_world.ts';

hubsOnBothDatabases('webhooks in two processes', (open) => {
  let receiver: Receiver;
  before(async () => {
    receiver = await startReceiver();
  });
  after(() => receiver.close());

  it('get each event once, one at a time and in order', async () => {
    const env = { HUB_ALLOW_PRIVATE_HOSTS: receiver.pair };
    const one = await open({ env });
    const two = await open({ env, clock: one.hub.clock });
    const agents = [await one.agent(), await one.agent(), await one.agent()];
    const under = new Map<string, number>();
    let most = 0;
    receiver.answer(({ path }, response) => {
      under.set(path, (under.get(path) ?? 0) + 1);
      most = Math.max(most, under.get(path) ?? 0);
      setTimeout(() => {
        under.set(path, (under.get(path) ?? 0) - 1);
        response.writeHead(204).end();
      }, 3);
    });
    for (const [number, agent] of agents.entries()) {
      await create(agent, { url: `${receiver.url}/${number}` });
      await cause(one, agent, ...Array.from({ length: 25 }, (_, each) => each + 1));
    }
    await Promise.all([deliver(one), deliver(two), deliver(one), deliver(two)]);
    assert.equal(most, 1);
    for (const number of agents.keys()) {
      const own = receiver.received.filter(({ path }) => path === `/hook/${number}`);
      assert.deepEqual(
        amounts(own),
        Array.from({ length: 25 }, (_, each) => each + 1),
      );
    }
  });
});

describe('webhooks of a process that is killed between a message and its record', function suite() {
  this.timeout(120_000);
  for (const [name, databaseUrl] of DATABASES) {
    it(`sends the message again under its id, and loses none (${name})`, async () => {
      const folder = await mkdtemp(join(tmpdir(), 'hub-kill-webhooks-'));
      const receiver = await startReceiver();
      const port = await freePort();
      const env = {
        HUB_DATABASE_URL: await databaseUrl(folder),
        HUB_DATA_DIR: folder,
        HUB_ALLOW_PRIVATE_HOSTS: receiver.pair,
        HUB_RATE_LIMITS: 'false',
        FAUCET_ENABLED: 'true',
      };
      const place = { url: `http://127.0.0.1:${port}`, clock: { now: () => Date.now() } };
      let hub = await startProcess(env, port);
      try {
        const agent = agentWith(place, await generateKey());
        const webhook = await create(agent, { url: receiver.url });
        receiver.answer(() => undefined);
        for (const amount of ['1', '2', '3']) {
          const body = { amount, idempotencyKey: `event-${amount}` };
          mustOk(await visitor(place).post(`/api/v1/wallet/${agent.account}/credit`, body));
        }
        await until(() => receiver.received.length === 1);
        await hub.kill();
        receiver.answer(status(204));
        // The claim of the killed process would end in a minute.
        const store = await openStore(env.HUB_DATABASE_URL);
        await store.write((tx) =>
          tx.knex('webhooks').whereNotNull('claimed_until').update({ claimed_until: 0 }),
        );
        await store.close();
        hub = await startProcess(env, port);
        await until(() => receiver.received.length === 4);
        assert.deepEqual(amounts(receiver.received), [1, 1, 2, 3]);
        const ids = receiver.received.map(({ headers }) => headers['webhook-id']);
        assert.equal(ids[0], ids[1]);
        assert.equal(new Set(ids).size, 3);
        const path = `${WEBHOOKS}/${String(webhook['id'])}`;
        await until(async () => (await webhookAt(agent, path))['waiting'] === 0);
        mustOk(await post(agent, `${path}/delete`));
        mustHaveConformed();
      } finally {
        await hub.kill();
        await receiver.close();
        await rm(folder, { recursive: true, force: true });
      }
    });
  }
});
