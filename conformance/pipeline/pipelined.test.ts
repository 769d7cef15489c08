import assert from 'node:assert/strict';
import type { Socket } from 'node:net';
import { mustOk } from '../harness/must.ts';
import { openFixture, type Fixture } from '../harness/fixture.ts';
import { dial, overWire, wireBytes } from '../harness/wire.ts';
import { until } from '../harness/waiting.ts';

const MB = 1_048_576;

/** Requests that a client sends on one connection without waiting for answers (RFC 9112 9.3.2). */
describe('pipelined requests of one connection', () => {
  let world: Fixture;
  beforeEach(async () => {
    world = await openFixture({ env: { HUB_CHECK_ANSWERS: 'false' } });
  });
  afterEach(() => world.close());

  const requestOf = (target: string): Buffer =>
    wireBytes({ method: 'GET', target, headers: [['Host', new URL(world.hub.url).host]] });

  async function sendAll(targets: readonly string[]): Promise<Socket> {
    const socket = await dial(world.hub.url);
    socket.on('error', () => undefined);
    socket.write(Buffer.concat(targets.map(requestOf)));
    return socket;
  }

  it('are answered in their order, each with a request id of its own', async () => {
    const numbers = Array.from({ length: 50 }, (_, n) => n);
    const socket = await sendAll(numbers.map((n) => `/errors/unknown-${n}`));
    let text = '';
    socket.on('data', (piece: Buffer) => (text += piece.toString('latin1')));
    await until(() => text.split('HTTP/1.1 404').length === 51);
    const named = [...text.matchAll(/unknown-(\d+)/g)].map(([, n]) => Number(n));
    assert.deepEqual([...new Set(named)], numbers);
    assert.equal(new Set(text.match(/x-request-id: \S+/g)).size, 50);
    socket.destroy();
  });

  it('hold the memory of one page when 250 long ones are asked for and none is read', async () => {
    await publishBig(30);
    const before = process.memoryUsage().rss;
    const socket = await sendAll(Array.from({ length: 250 }, () => '/api/v1/tasks?limit=200'));
    socket.pause();
    for (let reads = 0; reads < 5; reads += 1) {
      assert.equal((await world.anyone.get('/api/v1/time')).status, 200);
    }
    const grown = process.memoryUsage().rss - before;
    assert.ok(grown < 150 * MB, `${Math.round(grown / MB)} MB more`);
    socket.destroy();
  });

  it('cost an address by the bytes of their answers', async () => {
    const limited = await openFixture({ env: { HUB_RATE_LIMITS: 'true' } });
    const left = async (target: string): Promise<number> => {
      const answer = await limited.anyone.get(target);
      return Number(answer.headers.get('x-ratelimit-remaining'));
    };
    const before = await left('/api/v1/tasks');
    const whole = await overWire(limited.hub.url, {
      method: 'GET',
      target: '/api/v1/openapi.json',
      headers: [['Host', new URL(limited.hub.url).host]],
    });
    const bytes = Buffer.byteLength(whole.text);
    assert.ok(bytes > 500_000, `${bytes} bytes`);
    const after = await left('/api/v1/tasks');
    assert.equal(before - after, 2 + Math.floor(bytes / 65_536));
    await limited.close();
  });

  async function publishBig(count: number): Promise<void> {
    for (let n = 0; n < count; n += 1) {
      const answer = await world.alice.post('/api/v1/tasks', {
        requester: world.alice.account,
        title: `big ${n}`,
        description: 'x'.repeat(16_000),
        input: { text: 'y'.repeat(64_000) },
        deadline: new Date(world.hub.clock.now() + 86_400_000).toISOString(),
      });
      mustOk(answer);
    }
  }
});
