import assert from 'node:assert/strict';
import type { Socket } from 'node:net';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { mustOk } from '../harness/must.ts';
import { openFixture, type Fixture } from '../harness/fixture.ts';
import { dial, overWire, wireBytes } from '../harness/wire.ts';

/** Callers that send half a body, or read no answer, and what that may cost (threats.unread). */
const MB = 1_048_576;
const PAGE_BYTES_MAX = 2 * MB + 100_000;

describe('answers that are not read, and requests that never arrive whole', () => {
  let world: Fixture;
  let host: readonly [string, string];
  beforeEach(async () => {
    world = await openFixture({ env: { HUB_CHECK_ANSWERS: 'false' } });
    host = ['Host', new URL(world.hub.url).host];
  });
  afterEach(() => world.close());

  async function publishBig(count: number): Promise<readonly string[]> {
    const ids: string[] = [];
    for (let n = 0; n < count; n += 1) {
      const answer = await world.alice.post('/api/v1/tasks', {
        requester: world.alice.account,
        title: `big ${n}`,
        description: 'x'.repeat(16_000),
        input: { text: 'y'.repeat(64_000) },
        deadline: new Date(world.hub.clock.now() + 86_400_000).toISOString(),
      });
      ids.push((mustOk(answer) as { readonly id: string }).id);
    }
    return ids;
  }

  it('ends a page of tasks at 2 MB and goes on from its cursor, without a gap', async () => {
    const ids = await publishBig(60);
    const seen: string[] = [];
    let cursor: string | undefined;
    for (let pages = 0; pages < 5; pages += 1) {
      const before = cursor === undefined ? '' : `&after=${cursor}`;
      const answer = await world.anyone.get(`/api/v1/tasks?limit=200${before}`);
      assert.ok(Buffer.byteLength(answer.text) <= PAGE_BYTES_MAX, `${answer.text.length}`);
      const body = mustOk(answer) as { tasks: readonly { id: string }[]; next?: string };
      seen.push(...body.tasks.map(({ id }) => id));
      cursor = body.next;
      if (cursor === undefined) break;
    }
    assert.deepEqual(
      seen.filter((id) => ids.includes(id)),
      [...ids].reverse(),
    );
  });

  it('holds little for a hundred clients that read nothing, and answers others', async () => {
    await publishBig(30);
    const request = wireBytes({
      method: 'GET',
      target: '/api/v1/tasks?limit=200',
      headers: [host],
    });
    const open = new Set<Socket>();
    const before = held();
    for (let n = 0; n < 100; n += 1) {
      const socket = await dial(world.hub.url);
      socket.pause();
      open.add(socket);
      socket.once('close', () => open.delete(socket));
      socket.write(request);
    }
    const other = await world.anyone.get('/api/v1/time');
    assert.equal(other.status, 200);
    await settled();
    const grown = held() - before;
    assert.ok(grown < 220 * MB, `${Math.round(grown / MB)} MB are held`);
    for (const socket of open) socket.destroy();
  });

  it('drops the slowest of 500 bodies that never end, and gives their memory back', async () => {
    const headers = [host, ['Content-Type', 'application/json'], ['Content-Length', '2100000']];
    const head = wireBytes({
      method: 'POST',
      target: '/mcp',
      headers: headers as readonly (readonly [string, string])[],
    });
    const part = Buffer.alloc(2_000_000, 0x20);
    const before = held();
    const sockets: Socket[] = [];
    const answers: string[] = [];
    for (let n = 0; n < 500; n += 1) {
      const socket = await dial(world.hub.url);
      socket.on('data', (piece: Buffer) => answers.push(piece.toString('latin1')));
      socket.write(head);
      await new Promise((resolve) => socket.write(part, resolve));
      sockets.push(socket);
    }
    await settled();
    const grown = held() - before;
    assert.ok(grown < 200 * MB, `${Math.round(grown / MB)} MB are held`);
    const refused = answers.filter((text) => text.includes('"code":"rate-limited"')).length;
    assert.ok(refused > 400, `${refused} were refused`);
    const credit = `/api/v1/wallet/${world.bob.account}/credit`;
    const body = JSON.stringify({ amount: '5', idempotencyKey: 'meanwhile' });
    const meanwhile = await overWire(world.hub.url, {
      method: 'POST',
      target: credit,
      headers: [host],
      body,
    });
    assert.equal(meanwhile.status, 200, meanwhile.text);
    for (const socket of sockets) socket.destroy();
    await settled();
    const left = held() - before;
    assert.ok(left < 40 * MB, `${Math.round(left / MB)} MB stay`);
  });
});

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

/** Bytes outside of the heap, where bodies and answers are. */
function held(): number {
  const { external, arrayBuffers } = process.memoryUsage();
  return Math.max(external, arrayBuffers);
}

async function settled(): Promise<void> {
  for (let times = 0; times < 3; times += 1) {
    await new Promise((resolve) => setTimeout(resolve, 100));
    collectGarbage();
  }
}
