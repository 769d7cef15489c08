import assert from 'node:assert/strict';
import { createServer, type Socket } from 'node:net';
import type { AddressInfo } from 'node:net';
import { noteEvent } from '../../db/wallet/accountEvents.ts';
import { parseAccount } from '../../domain/account.ts';
import type { Agent } from '../harness/agents.ts';
import { openFixture, type Fixture } from '../harness/fixture.ts';
import { mustOk } from '../harness/must.ts';
import { until } from '../harness/waiting.ts';
import { names } from '../outbound/_fixture.ts';
import {
  amounts,
  cause,
  create,
  deliver,
  deliveriesOf,
  onEachDatabase,
  openWebhookWorld,
  post,
  read,
  startReceiver,
  WEBHOOKS,
  webhookAt,
  withWebhook,
  type Receiver,
  type WebhookWorld,
} from './_world.ts';

const TASK = '01938c7a-9d4e-7c31-8a55-0b6f2d1e4c90';
const KEPT = 10_000;

/** A server that takes requests and never answers. */
interface Silence {
  readonly pair: string;
  readonly open: Set<Socket>;
  most(): number;
  close(): Promise<void>;
}

async function startSilence(): Promise<Silence> {
  const open = new Set<Socket>();
  let most = 0;
  const server = createServer((socket) => {
    socket.on('error', () => undefined).on('close', () => open.delete(socket));
    socket.once('data', () => {
      open.add(socket);
      most = Math.max(most, open.size);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const pair = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    pair,
    open,
    most: () => most,
    async close() {
      for (const socket of open) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

onEachDatabase('webhooks of attackers', (url) => {
  let world: WebhookWorld;
  let silence: Silence;
  let canary: Receiver;
  before(async () => {
    silence = await startSilence();
    canary = await startReceiver();
    const pairs = [silence.pair, canary.pair];
    world = await openWebhookWorld({ databaseUrl: await url(), pairs });
  });
  beforeEach(() => void world.receiver.received.splice(0));
  after(async () => {
    await world.close();
    await silence.close();
    await canary.close();
  });

  /** Notes events of an account, as a unit of work does. */
  async function note(of: Fixture, { account }: Agent, count: number): Promise<void> {
    const name = parseAccount(account) ?? assert.fail('an account');
    const event = { at: of.hub.clock.now(), kind: 'task.claimed' as const, subjectId: TASK };
    for (let left = count; left > 0; left -= 500) {
      await of.hub.running.hub.store.write((tx) => {
        for (let each = Math.min(left, 500); each > 0; each -= 1) noteEvent(tx, [name], event);
        return Promise.resolve();
      });
    }
  }

  it('gets no request to where a redirect leads', async () => {
    const { agent, path } = await withWebhook(world);
    for (const location of [`http://${canary.pair}/`, 'http://169.254.169.254/', '/hook/other']) {
      world.receiver.answer((_, response) => void response.writeHead(307, { location }).end());
      const sent = mustOk(await post(agent, `${path}/test`));
      assert.equal(sent['outcome'], 'failed', JSON.stringify(sent));
    }
    assert.deepEqual(canary.received, []);
    assert.deepEqual(new Set(world.receiver.received.map((each) => each.path)), new Set(['/hook']));
  });

  it('is read no farther than its head and a few bytes, when its answer has no end', async () => {
    const { agent, path } = await withWebhook(world);
    let [bytes, isOpen] = [0, true];
    world.receiver.answer((_, response) => {
      response.writeHead(200);
      const part = Buffer.alloc(16_384, 'x');
      const more = (): void => {
        if (!isOpen) return;
        bytes += part.length;
        if (response.write(part)) setImmediate(more);
        else response.once('drain', more);
      };
      response.on('close', () => (isOpen = false));
      more();
    });
    const sent = mustOk(await post(agent, `${path}/test`));
    assert.equal(sent['outcome'], 'delivered');
    await until(() => !isOpen);
    assert.ok(bytes < 20_000_000, `${bytes} bytes were taken`);
  });

  it('waits a second at most for the rest of an answer that comes byte by byte', async () => {
    const { agent, path } = await withWebhook(world);
    let isOpen = true;
    world.receiver.answer((_, response) => {
      response.writeHead(200);
      const drip = setInterval(() => response.write('x'), 50);
      response.on('close', () => {
        clearInterval(drip);
        isOpen = false;
      });
    });
    assert.equal(mustOk(await post(agent, `${path}/test`))['outcome'], 'delivered');
    await until(() => !isOpen);
  });

  it('holds up no other when hundreds of events wait for addresses that never answer', async () => {
    const agents: Agent[] = [];
    for (let count = 0; count < 3; count += 1) {
      const agent = await world.agent();
      agents.push(agent);
      const silent = { url: `http://${silence.pair}/hook` };
      for (let each = 0; each < 5; each += 1) await create(agent, silent);
      await note(world, agent, 50);
    }
    world.receiver.answer((_, response) => void response.writeHead(204).end());
    const { agent, path } = await withWebhook(world);
    await cause(world, agent, 1, 2, 3);
    const sending = deliver(world);
    await until(() => world.receiver.received.length === 3 && silence.open.size > 0);
    assert.deepEqual(amounts(world.receiver.received), [1, 2, 3]);
    await until(async () => (await webhookAt(agent, path))['waiting'] === 0);
    assert.ok(silence.most() <= 4, `${silence.most()} requests at once to one address`);
    for (const each of agents) {
      const own = (await read(each, WEBHOOKS))['webhooks'] as Record<string, unknown>[];
      for (const { id } of own) mustOk(await post(each, `${WEBHOOKS}/${String(id)}/delete`));
    }
    const cut = setInterval(() => silence.open.forEach((socket) => socket.destroy()), 20);
    await sending;
    clearInterval(cut);
  });

  it('sends one request to an address that fails with 10,000 events, and all others theirs', async function many() {
    this.timeout(120_000);
    const { agent, path } = await withWebhook(world, { url: `${world.receiver.url}/dead` });
    const other = await withWebhook(world, { url: `${world.receiver.url}/live` });
    world.receiver.answer(({ path: to }, response) => {
      response.writeHead(to.endsWith('dead') ? 500 : 204).end();
    });
    await note(world, agent, KEPT);
    await note(world, other.agent, 30);
    await deliver(world);
    const to = (name: string): number =>
      world.receiver.received.filter((each) => each.path.endsWith(name)).length;
    assert.deepEqual([to('dead'), to('live')], [1, 30]);
    assert.equal((await webhookAt(agent, path))['waiting'], KEPT);
    await note(world, agent, 300);
    world.hub.clock.advance(10);
    await deliver(world);
    const behind = await webhookAt(agent, path);
    assert.equal(behind['dropped'], 300, 'what is not kept is counted');
    mustOk(await post(agent, `${path}/delete`));
  });

  it('skips thousands of events of other kinds within one run', async function many() {
    this.timeout(120_000);
    const { agent, path } = await withWebhook(world, { types: ['money.in'] });
    await note(world, agent, 3_000);
    world.hub.clock.advance(1);
    await cause(world, agent, 1);
    world.receiver.answer((_, response) => void response.writeHead(204).end());
    await deliver(world);
    assert.deepEqual(amounts(world.receiver.received), [1]);
    assert.equal((await webhookAt(agent, path))['waiting'], 0);
  });
});

describe('webhooks of names that change their minds', () => {
  const NAME = 'agent.example.com';

  it('are not dialled at addresses that are not public, and the attempt is retried', async () => {
    const asked: string[] = [];
    const world = await openFixture({
      names: names({
        [NAME]: () => {
          asked.push(NAME);
          return (
            [['127.0.0.1'], ['9.9.9.9', '10.0.0.1'], ['169.254.169.254']][asked.length - 1] ?? []
          );
        },
      }),
    });
    try {
      const agent = await world.agent();
      const webhook = await create(agent, { url: `https://${NAME}/hook` });
      const path = `${WEBHOOKS}/${String(webhook['id'])}`;
      await cause(world, agent, 1);
      for (const seconds of [6, 70, 400]) {
        await deliver(world);
        world.hub.clock.advance(seconds);
      }
      const attempts = await deliveriesOf(agent, path);
      assert.deepEqual(
        attempts.map(({ outcome, attempt, status }) => [outcome, attempt, status]),
        [
          ['failed', 3, undefined],
          ['failed', 2, undefined],
          ['failed', 1, undefined],
        ],
      );
      assert.equal(asked.length, 3);
      for (const { fault } of attempts) {
        assert.match(String(fault), /address/);
        assert.ok(!String(fault).includes('10.0.0.1'), 'no internal address is shown');
      }
    } finally {
      await world.close();
    }
  });
});
