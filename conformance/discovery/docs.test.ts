import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { request, type IncomingHttpHeaders } from 'node:http';
import { brotliDecompressSync } from 'node:zlib';
import { mustOk } from '../harness/must.ts';
import { openFixture, type Fixture } from '../harness/fixture.ts';

/** The bytes that any page of the hub may send before it shows everything. */
const BYTES_MAX = 208 * 1024;

interface Got {
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

/** As it is on the wire: `fetch` would undo the coding. */
function rawGet(url: string, coding: string): Promise<Got> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { headers: { 'accept-encoding': coding } }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () => {
        resolve({ headers: response.headers, body: Buffer.concat(chunks) });
      });
    });
    sent.on('error', reject);
    sent.end();
  });
}

describe('discovery.docs', () => {
  let world: Fixture;
  let page: string;
  let policy: string;
  before(async () => {
    world = await openFixture();
    const answer = await world.anyone.get('/docs');
    mustOk(answer);
    page = answer.text;
    policy = answer.headers.get('content-security-policy') ?? '';
    assert.equal(answer.headers.get('content-type'), 'text/html');
  });
  after(() => world.close());

  it('is one file: nothing in it makes a browser load from elsewhere', () => {
    const remote = [
      /<(?:script|img|iframe|source)\b[^>]*\bsrc\s*=\s*["']?(?:https?:)?\/\//i,
      /<link\b[^>]*\bhref\s*=/i,
      /@import\b[^;]{0,40}\/\//i,
      /url\(\s*["']?(?:https?:)?\/\//i,
      /\b(?:cdn|fonts|unpkg|jsdelivr)\.[a-z]/i,
    ];
    for (const pattern of remote) assert.doesNotMatch(page, pattern);
  });

  it('may run its own scripts in its own look, no others, and load nothing', () => {
    const parts = [...page.matchAll(/<(script|style)[^>]*>([^]*?)<\/\1>/g)];
    assert.ok(parts.length > 1);
    for (const [, kind = '', text = ''] of parts) {
      const hash = createHash('sha256').update(text).digest('base64');
      const sources = policy.split('; ').find((line) => line.startsWith(`${kind}-src`));
      assert.ok(sources?.includes(`'sha256-${hash}'`), `a ${kind} of the page is not let in`);
    }
    assert.match(policy, /^default-src 'none'; script-src 'sha256-/);
    assert.match(policy, /; require-trusted-types-for 'script'; trusted-types 'none'$/);
    assert.doesNotMatch(policy, /https?:|\*|unsafe-/);
    assert.doesNotMatch(page, /<[^>]+\sstyle=/);
  });

  it('has a place for every operation, with samples of the three clients', async () => {
    const { routes } = mustOk(await world.anyone.get('/api/v1'));
    for (const { operationId } of routes as Record<string, unknown>[]) {
      const id = String(operationId);
      const start = page.indexOf(`id="${id}"`);
      assert.ok(start > 0, id);
      const entry = page.slice(start, page.indexOf('<h4>Refusals</h4>', start));
      for (const sign of ['unwrap(await hub.', 'answer = hub.', 'npx --no hub api ']) {
        assert.ok(entry.replace(/\(\s+await/, '(await').includes(sign), `${id} lacks ${sign}`);
      }
    }
  });

  it('has the frame of the other pages', () => {
    assert.match(page, /<nav aria-label="Pages">/);
    assert.match(page, /<a href="\/keys">/);
  });

  it('is sent compressed to who takes that, and is the same page', async () => {
    const get = (coding: string): Promise<Got> => rawGet(`${world.hub.url}/docs`, coding);
    const small = await get('gzip, br');
    assert.equal(small.headers['content-encoding'], 'br');
    assert.equal(small.headers.vary, 'accept-encoding');
    assert.ok(small.body.length < BYTES_MAX, `${small.body.length} bytes`);
    assert.equal(brotliDecompressSync(small.body).toString(), page);
    const plain = await get('gzip, br;q=0');
    assert.equal(plain.headers['content-encoding'], undefined);
    assert.equal(plain.body.toString(), page);
  });
});
