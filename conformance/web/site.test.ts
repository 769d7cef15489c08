import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import { openFixture, type Fixture } from '../harness/fixture.ts';
import { mustRefuse } from '../harness/must.ts';

const INLINE = "document.documentElement.classList.add('dark')";
const INDEX = `<!doctype html><script type="module" src="/docs/assets/app.1.js"></script><script id="a">${INLINE}</script>`;
const PAGE = '<!doctype html><title>MCP</title>';
const SCRIPT = 'export {};';
const SECRET = 'not for the web';

describe('the documentation site', () => {
  let folder: string;
  let world: Fixture;
  const get = (path: string, headers = {}): Promise<Response> =>
    fetch(world.hub.url + path, { headers, redirect: 'manual' });

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'hub-site-'));
    for (const inner of ['web', 'docs/assets', 'docs/operate'])
      mkdirSync(join(folder, inner), { recursive: true });
    for (const [path, text] of [
      ['web/index.html', '<!doctype html>'],
      ['docs/index.html', INDEX],
      ['docs/operate/tls.html', PAGE],
      ['docs/assets/app.1.js', SCRIPT],
      ['docs/operate/tls.md', '# TLS'],
    ] as const) {
      writeFileSync(join(folder, path), text);
      writeFileSync(join(folder, `${path}.br`), brotliCompressSync(text));
    }
    for (const place of ['secret.html', 'docs/secret.txt'])
      writeFileSync(join(folder, place), SECRET);
    world = await openFixture({ webFolder: join(folder, 'web') });
  });
  after(async () => {
    await world.close();
    rmSync(folder, { recursive: true, force: true });
  });

  it('is served below /docs/ under a policy that lets in its own inline scripts alone', async () => {
    const answer = await get('/docs/', { 'accept-encoding': 'br' });
    assert.equal(answer.status, 200);
    assert.equal(await answer.text(), INDEX);
    assert.equal(answer.headers.get('content-encoding'), 'br');
    const policy = answer.headers.get('content-security-policy') ?? '';
    const hash = createHash('sha256').update(INLINE).digest('base64');
    assert.ok(policy.includes(`script-src 'self' 'sha256-${hash}'; style-src 'self';`), policy);
    assert.match(policy, /^default-src 'none'; /);
    assert.match(policy, /; require-trusted-types-for 'script'; trusted-types vue$/);
    assert.doesNotMatch(policy, /unsafe|https?:|\*/);
    assert.equal(answer.headers.get('x-frame-options'), 'DENY');
    assert.equal(answer.headers.get('cache-control'), 'no-cache');
  });

  it('has pages without an ending, and files that browsers may keep for a year', async () => {
    const page = await get('/docs/operate/tls');
    assert.equal(await page.text(), PAGE);
    assert.equal(page.headers.get('content-type'), 'text/html; charset=utf-8');
    const tag = page.headers.get('etag') ?? '';
    assert.equal((await get('/docs/operate/tls', { 'if-none-match': tag })).status, 304);
    const script = await get('/docs/assets/app.1.js', { 'accept-encoding': 'identity' });
    assert.equal(await script.text(), SCRIPT);
    assert.equal(script.headers.get('content-encoding'), null);
    assert.match(script.headers.get('cache-control') ?? '', /immutable/);
  });

  it('has each page as Markdown for agents', async () => {
    const page = await get('/docs/operate/tls.md');
    assert.equal(page.headers.get('content-type'), 'text/markdown; charset=utf-8');
    assert.equal(page.headers.get('x-content-type-options'), 'nosniff');
    assert.equal(await page.text(), '# TLS');
  });

  it('leads to no other file, and refuses what is no page and no method', async () => {
    const paths = ['none', '../secret', '..%2fsecret', 'secret.txt', 'assets/', 'app.1.js.br'];
    for (const path of [...paths, '__proto__', 'constructor', '/etc/passwd']) {
      mustRefuse(await world.anyone.get(`/docs/${path}`), 404, 'no-route');
    }
    mustRefuse(await world.anyone.post('/docs/', {}), 405, 'method-not-allowed');
  });

  it('leaves the contract at /docs', async () => {
    assert.match(await (await get('/docs')).text(), /<h1>The contract<\/h1>/);
  });

  it('is replaced by the contract where it was not built', async () => {
    const bare = await openFixture({ webFolder: join(folder, 'none') });
    try {
      const answer = await fetch(`${bare.hub.url}/docs/`);
      assert.equal(answer.url, `${bare.hub.url}/docs`);
      assert.match(await answer.text(), /<h1>The contract<\/h1>/);
      const refusal = mustRefuse(await bare.anyone.get('/docs/mcp'), 404, 'no-route');
      assert.match(String(refusal['hint']), /npm run docs:build/);
    } finally {
      await bare.close();
    }
  });
});
