import assert from 'node:assert/strict';
import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { openFixture, type Fixture } from '../harness/fixture.ts';
import { operations } from '../harness/contract.ts';
import { mustOk } from '../harness/must.ts';
import type { Answer } from '../harness/agents.ts';

/** Requirements on a cache between a client and the hub (RFC 9111, choices pipeline.caching). */
describe('caches', () => {
  let world: Fixture;
  before(async () => {
    world = await openFixture();
  });
  after(() => world.close());

  const control = ({ headers }: Pick<Answer, 'headers'>): string | null =>
    headers.get('cache-control');
  const get = (path: string, headers: Readonly<Record<string, string>> = {}): Promise<Response> =>
    fetch(new URL(path, world.hub.url), { headers });

  it('may not keep what a signature was needed for', async () => {
    for (const path of ['/api/v1/me', `/api/v1/wallet/${world.alice.account}`]) {
      assert.equal(control(await world.alice.get(path)), 'private, no-store', path);
    }
  });

  it('may not keep what one caller sees of a read that everybody may make', async () => {
    const { alice, anyone } = world;
    const task = { requester: alice.account, title: 'Name one colour' };
    const { id } = mustOk(await alice.post('/api/v1/tasks', task)) as { readonly id: string };
    const signed = await alice.get(`/api/v1/tasks/${id}`);
    assert.equal(control(signed), 'private, no-store');
    const unsigned = await anyone.get(`/api/v1/tasks/${id}`);
    assert.equal(control(unsigned), 'no-cache');
    assert.match(unsigned.headers.get('vary') ?? '', /\bsignature-input\b/);
  });

  it('may not keep a refusal', async () => {
    for (const path of ['/api/v1/me', '/api/v1/nowhere', '/api/v1/tasks?state=none']) {
      assert.equal(control(await world.anyone.get(path)), 'no-store', path);
    }
  });

  it('ask again with the tag of a public read, and are answered 304 while it is the same', async () => {
    const first = await get('/api/v1/networks');
    const tag = first.headers.get('etag') ?? '';
    assert.match(tag, /^W\/"[\w-]{27}"$/);
    for (const header of [tag, `"other", ${tag}`, '*']) {
      const again = await get('/api/v1/networks', { 'if-none-match': header });
      assert.deepEqual([again.status, await again.text()], [304, '']);
      assert.equal(again.headers.get('etag'), tag);
    }
    const other = await get('/api/v1/networks', { 'if-none-match': 'W/"other"' });
    assert.equal(other.status, 200);
  });

  it('are answered 304 in every form of If-None-Match, at every route that has a tag', async () => {
    const reads = operations
      .filter(({ method, path }) => method === 'GET' && !path.includes('{'))
      .map(({ path }) => path);
    const own = ['/app', '/client.tgz', '/docs', '/docs.css', '/favicon.ico'];
    const tagged: string[] = [];
    for (const path of new Set([...reads, ...own])) {
      const first = await get(path);
      const tag = first.headers.get('etag');
      await first.arrayBuffer();
      if (first.status !== 200 || tag === null) continue;
      // Some show the time, or what is new at each request.
      const second = await get(path);
      await second.arrayBuffer();
      if (second.headers.get('etag') !== tag) continue;
      tagged.push(path);
      const opaque = tag.replace(/^W\//, '');
      const forms = [
        tag,
        opaque,
        `W/${opaque}`,
        `"x", ${tag}`,
        `${tag},"y"`,
        `"a,b" , ${tag}`,
        '*',
      ];
      for (const form of forms) {
        const again = await get(path, { 'if-none-match': form });
        assert.deepEqual([again.status, await again.text()], [304, ''], `${path}: ${form}`);
        assert.equal(again.headers.get('etag')?.replace(/^W\//, ''), opaque, path);
        assert.equal(again.headers.get('content-type'), null, path);
        assert.equal(again.headers.get('cache-control'), control(first), path);
      }
      const [inner] = [opaque.slice(1, -1)];
      for (const form of ['"x"', inner, `"${inner}x"`, `"x${inner}"`, `"x,${inner}"`, '']) {
        const again = await get(path, { 'if-none-match': form });
        assert.deepEqual([again.status, (await again.arrayBuffer()).byteLength > 0], [200, true]);
      }
    }
    const wanted = ['/.well-known/agent-card.json', '/app', '/api/v1/openapi.json', '/api/v1'];
    for (const path of wanted) assert.ok(tagged.includes(path), path);
    assert.ok(tagged.length > 20, `${tagged.length}`);
  });

  it('keep a document for a minute, and learn what its coding depends on', async () => {
    for (const path of ['/api/v1/openapi.json', '/api/v1', '/errors', '/api/v1/memory/prices']) {
      const { headers } = await get(path);
      assert.equal(headers.get('cache-control'), 'public, max-age=60', path);
      assert.match(headers.get('vary') ?? '', /accept-encoding/, path);
      assert.ok(headers.get('etag') !== null, path);
    }
  });

  it('get the contract in a tenth of its size', async () => {
    const decode = { br: brotliDecompressSync, gzip: gunzipSync };
    const plain = await (await get('/api/v1/openapi.json')).text();
    for (const coding of ['br', 'gzip'] as const) {
      const url = new URL('/api/v1/openapi.json', world.hub.url);
      const [answer] = (await once(
        request(url, { headers: { 'accept-encoding': coding } }).end(),
        'response',
      )) as [IncomingMessage];
      const bytes = Buffer.concat(await answer.toArray());
      assert.equal(answer.headers['content-encoding'], coding);
      assert.ok(bytes.length < plain.length / 5, `${bytes.length} of ${plain.length}`);
      assert.equal(decode[coding](bytes).toString(), plain);
    }
  });

  it('may not keep what a write was answered', async () => {
    const answer = await world.alice.post('/api/v1/tasks', {
      requester: world.alice.account,
      title: 'Name one colour',
    });
    assert.equal(control(answer), null);
  });
});
