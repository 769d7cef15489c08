import assert from 'node:assert/strict';
import { openFixture, type Fixture } from '../harness/fixture.ts';
import { dial, mustBeRefusal, readAnswer, wireBytes } from '../harness/wire.ts';

/** A request is judged by its headers before its body is read (choices signatures.order). */
describe('a signed operation and a body that is still on its way', () => {
  let world: Fixture;
  before(async () => {
    world = await openFixture();
  });
  after(() => world.close());

  const LENGTH = '2000000';
  async function startOf(
    target: string,
    more: readonly (readonly [string, string])[] = [],
  ): Promise<{ readonly status: number; readonly code: unknown; readonly connection: unknown }> {
    const headers = [
      ['Host', new URL(world.hub.url).host],
      ['Content-Type', 'application/json'],
      ['Content-Length', LENGTH],
      ...more,
    ] as const;
    const socket = await dial(world.hub.url);
    const answer = readAnswer(socket);
    // Not one byte of the body is sent: the hub must not wait for it.
    socket.write(wireBytes({ method: 'POST', target, headers }));
    const { status, body, headers: named } = await answer;
    socket.destroy();
    return { status, code: body['code'], connection: named.get('connection') };
  }

  for (const target of ['/api/v1/tasks', '/api/v1/files']) {
    it(`refuses an unsigned POST to ${target} before the body arrives`, async () => {
      const { status, connection } = await startOf(target);
      assert.ok(status === 401 || status === 404, `${status}`);
      assert.equal(connection, 'close');
    });
  }

  it('refuses a signature that does not verify before the body arrives', async () => {
    const request = await world.alice.signed('POST', '/api/v1/files', { owner: 'x' });
    const kept = ['signature-input', 'signature', 'content-digest'];
    const signed = kept.map((name) => [name, request.headers.get(name) ?? ''] as const);
    const seen = await startOf('/api/v1/tasks', signed);
    assert.deepEqual(seen, { status: 401, code: 'unknown-key', connection: 'close' });
  });

  it('refuses an API key that is not one before the body arrives', async () => {
    const seen = await startOf('/v1/chat/completions', [['Authorization', 'Bearer hub_none']]);
    assert.equal(seen.status, 401);
  });

  it('asks for the body of a good request that waits for 100 Continue', async () => {
    const body = JSON.stringify({ requester: world.alice.account, title: 'One colour' });
    const request = await world.alice.signed('POST', '/api/v1/tasks', JSON.parse(body));
    const headers = [...request.headers].filter(([name]) => name !== 'content-length');
    const socket = await dial(world.hub.url);
    const first = new Promise<string>((resolve) => {
      socket.once('data', (piece: Buffer) => resolve(piece.toString('latin1')));
    });
    const length = String(Buffer.byteLength(await request.clone().text()));
    const host = ['Host', new URL(world.hub.url).host] as const;
    const asked = [
      host,
      ...headers,
      ['Content-Length', length],
      ['Expect', '100-continue'],
    ] as const;
    socket.write(wireBytes({ method: 'POST', target: '/api/v1/tasks', headers: asked }));
    assert.match(await first, /^HTTP\/1\.1 100 Continue/);
    const answer = readAnswer(socket);
    socket.write(await request.text());
    assert.equal((await answer).status, 200);
    socket.destroy();
  });

  it('answers 401 in place of 100 Continue when nothing is signed', async () => {
    const seen = await startOf('/api/v1/tasks', [['Expect', '100-continue']]);
    assert.deepEqual(seen, { status: 401, code: 'unsigned', connection: 'close' });
  });

  it('keeps the connection when the body that is left is short', async () => {
    const socket = await dial(world.hub.url);
    const host = ['Host', new URL(world.hub.url).host] as const;
    const unsigned = { method: 'POST', target: '/api/v1/tasks', headers: [host], body: '{}' };
    for (let times = 0; times < 2; times += 1) {
      const answer = readAnswer(socket);
      socket.write(wireBytes(unsigned));
      mustBeRefusal(await answer, 401, 'unsigned');
    }
    socket.destroy();
  });
});
