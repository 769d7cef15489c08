import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { request, type IncomingHttpHeaders } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync, brotliDecompressSync } from 'node:zlib';
import { openFixture, type Fixture } from '../harness/fixture.ts';
import { at, mustOk, mustRefuse } from '../harness/must.ts';

const SHELL = '<!doctype html><title>Agent Exchange</title><div id="app"></div>';
const WORK = '<!doctype html><title>The board</title>';
const TASK = '<!doctype html><title>A task</title>';
const STORAGE = '<!doctype html><title>Storage</title>';
const SCRIPT = 'export {};';
const PACKAGE = 'the bytes of a package';
const WHEEL = 'not really a wheel either';
/** Beside the folder that is served: what a path that leads out of it would find. */
const SECRET = 'not for the web';

interface Got {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

/** The path goes out as it is: `fetch` would tidy the dots away before they are sent. */
function raw(base: string, path: string, headers = {}, method = 'GET'): Promise<Got> {
  const { hostname, port } = new URL(base);
  return new Promise((resolve, reject) => {
    const sent = request({ hostname, port, path, method, headers }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () => {
        const { statusCode = 0, headers: got } = response;
        resolve({ status: statusCode, headers: got, body: Buffer.concat(chunks) });
      });
    });
    sent.on('error', reject);
    sent.end();
  });
}

describe('the pages under /app', () => {
  let folder: string;
  let world: Fixture;
  let url: string;
  const get = (path: string, headers?: Record<string, string>, method?: string): Promise<Got> =>
    raw(url, path, headers, method);

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'hub-web-'));
    const web = join(folder, 'web');
    for (const inner of ['assets', 'shells']) mkdirSync(join(web, inner), { recursive: true });
    for (const [path, text] of [
      ['index.html', SHELL],
      ['shells/work.html', WORK],
      ['shells/work.item.html', TASK],
      ['shells/account.storage.html', STORAGE],
      ['assets/main-AB12CD34.js', SCRIPT],
    ] as const) {
      writeFileSync(join(web, path), text);
      writeFileSync(join(web, `${path}.br`), brotliCompressSync(text));
    }
    writeFileSync(join(web, 'secret.txt'), SECRET);
    writeFileSync(join(folder, 'secret.txt'), SECRET);
    writeFileSync(join(web, 'client.tgz'), PACKAGE);
    writeFileSync(join(web, 'agent_exchange_client-0.1.0-py3-none-any.whl'), WHEEL);
    world = await openFixture({ webFolder: web });
    url = world.hub.url;
  });
  after(async () => {
    await world.close();
    rmSync(folder, { recursive: true, force: true });
  });

  it('give the shell with a policy that lets nothing foreign load or run', async () => {
    const { status, headers, body } = await get('/app');
    assert.equal(status, 200);
    assert.equal(String(body), SHELL);
    assert.equal(headers['content-type'], 'text/html; charset=utf-8');
    assert.equal(headers['cache-control'], 'no-cache');
    assert.equal(headers['x-content-type-options'], 'nosniff');
    assert.equal(headers['x-frame-options'], 'DENY');
    assert.equal(headers['referrer-policy'], 'no-referrer');
    const policy = String(headers['content-security-policy']).split('; ');
    assert.deepEqual(policy, [
      "default-src 'none'",
      "script-src 'self'",
      "style-src 'self'",
      "connect-src 'self'",
      "img-src 'self' data:",
      "base-uri 'none'",
      "form-action 'none'",
      "frame-ancestors 'none'",
      "require-trusted-types-for 'script'",
      "trusted-types 'none'",
    ]);
  });

  it('give it for every page path, also one that no page has', async () => {
    const id = '01a20595-f4f9-70ff-90fe-0d18094d68eb';
    for (const path of ['/app/', `/app/none/${id}`, '/app/trust?a=b', '/app/no/such/page/']) {
      const { status, body } = await get(path);
      assert.equal(`${status} ${String(body)}`, `200 ${SHELL}`, path);
    }
  });

  it('give the shell that names the pieces of a page at the address of that page', async () => {
    const id = '01a20595-f4f9-70ff-90fe-0d18094d68eb';
    const shells = {
      '/app/work': WORK,
      '/app/work/': WORK,
      '/app/work?state=any': WORK,
      [`/app/work/${id}`]: TASK,
      [`/app/work/${id}/`]: TASK,
      '/app/account/storage': STORAGE,
      [`/app/account/storage?space=${id}`]: STORAGE,
      '/app/account/other': SHELL,
    };
    for (const [path, shell] of Object.entries(shells)) {
      const { status, headers, body } = await get(path);
      assert.equal(`${status} ${String(body)}`, `200 ${shell}`, path);
      assert.equal(headers['cache-control'], 'no-cache');
      assert.ok('content-security-policy' in headers);
    }
  });

  it('give the first page at the base address, with a text for a browser without scripts', async () => {
    const accept = 'text/html,application/xhtml+xml,*/*;q=0.8';
    const { status, headers, body } = await get('/', { accept });
    assert.equal(status, 200);
    assert.match(String(headers.vary), /^accept\b/);
    const app = await get('/app');
    const policy = 'content-security-policy';
    assert.equal(headers[policy], app.headers[policy]);
    const page = String(body);
    const text = /<noscript>[^]*<\/noscript>/.exec(page)?.[0] ?? '';
    assert.equal(page.replace(text, ''), SHELL);
    for (const part of [`${url}/mcp`, 'href="docs"', 'href="api/v1/quickstart"', '</main>']) {
      assert.ok(text.includes(part), part);
    }
    const { headers: json } = await get('/', { accept: 'application/json' });
    assert.match(String(json['content-type']), /^application\/json/);
    assert.equal((await get('/', { accept }, 'HEAD')).body.length, 0);
  });

  it('keep files with hashed names for ever, compressed for who takes it', async () => {
    const path = '/app/assets/main-AB12CD34.js';
    const plain = await get(path);
    assert.equal(String(plain.body), SCRIPT);
    assert.equal(plain.headers['content-encoding'], undefined);
    assert.equal(plain.headers['content-type'], 'text/javascript; charset=utf-8');
    assert.equal(plain.headers['cache-control'], 'public, max-age=31536000, immutable');
    assert.equal(plain.headers['vary'], 'accept-encoding');
    const small = await get(path, { 'accept-encoding': 'gzip, deflate, br' });
    assert.equal(small.headers['content-encoding'], 'br');
    assert.equal(String(brotliDecompressSync(small.body)), SCRIPT);
    for (const refused of ['br;q=0', 'gzip, br;q=0.0', 'xbr', 'gzip']) {
      const { headers } = await get(path, { 'accept-encoding': refused });
      assert.equal(headers['content-encoding'], undefined, refused);
    }
  });

  it('answer what a browser has already with 304 and no body', async () => {
    const { headers } = await get('/app');
    const again = await get('/app/trust', { 'if-none-match': String(headers.etag) });
    assert.equal(again.status, 304);
    assert.equal(again.body.length, 0);
    const other = await get('/app', { 'if-none-match': '"another"' });
    assert.equal(other.status, 200);
  });

  it('answer HEAD without a body, and refuse to be written to', async () => {
    const head = await get('/app', {}, 'HEAD');
    assert.equal(head.status, 200);
    assert.equal(head.body.length, 0);
    const post = await get('/app', {}, 'POST');
    assert.equal(post.status, 405);
    assert.equal(post.headers.allow, 'GET, HEAD, OPTIONS');
    assert.equal((await get('/app', {}, 'OPTIONS')).status, 204);
  });

  it('serve the client by one address, with its hash', async () => {
    const { status, headers, body } = await get('/client.tgz', { 'accept-encoding': 'gzip, br' });
    assert.equal(status, 200);
    assert.equal(String(body), PACKAGE);
    assert.equal(headers['content-type'], 'application/gzip');
    assert.equal(headers['content-encoding'], undefined);
    assert.equal(headers['cache-control'], 'no-cache');
    const hash = createHash('sha512').update(PACKAGE).digest('base64');
    assert.equal(headers['repr-digest'], `sha-512=:${hash}:`);
    const { client } = mustOk(await world.anyone.get('/api/v1'));
    assert.equal(at(client, 'integrity'), `sha512-${hash}`);
    const again = await get('/client.tgz', { 'if-none-match': String(headers.etag) });
    assert.equal(again.status, 304);
    assert.equal((await get('/client.tgz', {}, 'POST')).status, 405);
    for (const path of ['/client.tgz/', '/client', '/app/client.tgz', '/client.tgz.br']) {
      await mustBeNoRoute(path);
    }
    const { text } = await world.anyone.send(
      new Request(`${url}/`, { headers: { accept: 'text/html' } }),
    );
    assert.ok(text.includes(`npx ${url}/client.tgz work`) && text.includes(`sha512-${hash}`), text);
    const llms = await world.anyone.get('/llms.txt');
    for (const verb of ['work', 'mcp --key FILE']) {
      assert.ok(llms.text.includes(`\`npx ${url}/client.tgz ${verb}\``), llms.text);
    }
    assert.ok(llms.text.length < 4_096);
  });

  it('serve the Python client by its name and as client.whl, so that pip installs it', async () => {
    const wheel = '/agent_exchange_client-0.1.0-py3-none-any.whl';
    const hash = createHash('sha512').update(WHEEL).digest('base64');
    for (const path of [wheel, '/client.whl']) {
      const { status, headers, body } = await get(path);
      assert.deepEqual([status, String(body)], [200, WHEEL], path);
      assert.equal(headers['content-type'], 'application/zip');
      assert.equal(headers['repr-digest'], `sha-512=:${hash}:`);
      assert.equal(headers['content-disposition'], `attachment; filename="${wheel.slice(1)}"`);
    }
    const { client } = mustOk(await world.anyone.get('/api/v1'));
    const run = `pip install ${url}${wheel}`;
    const python = { url: `${url}${wheel}`, integrity: `sha512-${hash}`, run };
    assert.deepEqual(at(client, 'python'), python);
    const home = new Request(`${url}/`, { headers: { accept: 'text/html' } });
    assert.ok((await world.anyone.send(home)).text.includes(run));
    const other = '/agent_exchange_client-9.9.9-py3-none-any.whl';
    const refusal = mustRefuse(await world.anyone.get(other), 404, 'no-route');
    assert.match(String(refusal['error']), /serves \/agent_exchange_client-0\.1\.0/);
    for (const path of ['/other.whl', '/client.whl/', '/agent_exchange_client-0-py2.whl']) {
      await mustBeNoRoute(path);
    }
  });

  it('advertise no client where none was built', async () => {
    const bare = await openFixture({ webFolder: join(folder, 'none') });
    try {
      assert.equal(mustOk(await bare.anyone.get('/api/v1'))['client'], undefined);
      const refusal = mustRefuse(await bare.anyone.get('/client.tgz'), 404, 'no-route');
      assert.match(String(refusal['hint']), /npm run build/);
      mustRefuse(await bare.anyone.get('/client.whl'), 404, 'no-route');
      assert.doesNotMatch((await bare.anyone.get('/llms.txt')).text, /npx|\.tgz/);
    } finally {
      await bare.close();
    }
  });

  it('lead to no other file, however the path is written', async () => {
    const paths = [
      '/app/../secret.txt',
      '/app/assets/../secret.txt',
      '/app/assets/../../secret.txt',
      '/app/assets/..%2fsecret.txt',
      '/app/assets/%2e%2e/secret.txt',
      '/app/assets/..\\secret.txt',
      '/app/secret.txt',
      '/app/assets//main-AB12CD34.js',
      '/app/assets/main-AB12CD34.js.br',
      '/app/assets/',
      '/app/assets/%00',
      '/app//etc/passwd',
      `/app/${'a'.repeat(2_000)}`,
    ];
    for (const path of paths) await mustBeNoRoute(path);
  });

  it('find nothing by the names that every object has', async () => {
    for (const name of ['__proto__', 'constructor', 'toString', 'hasOwnProperty']) {
      await mustBeNoRoute(`/app/assets/${name}`);
    }
  });

  it('answer a program that asks for an operation here in the words of the contract', async () => {
    for (const path of ['/app/api/v1/tasks', '/app/api', '/app/v1/models', '/app/mcp']) {
      await mustBeNoRoute(path);
    }
    await mustBeNoRoute('/application');
    await mustBeNoRoute('/appx/work');
  });

  it('show a person in a browser what is wrong in the same frame, and programs their JSON', async () => {
    const accept = 'text/html,application/xhtml+xml,*/*;q=0.8';
    const missing = await get('/no/such/<script>page', { accept });
    assert.equal(missing.status, 404);
    assert.match(String(missing.headers['content-type']), /^text\/html/);
    assert.match(String(missing.headers['content-security-policy']), /^default-src 'none'; /);
    const text = String(missing.body);
    assert.match(text, /There is no such page/);
    assert.match(text, /href="\/errors\/no-route"/);
    assert.match(text, /<nav aria-label="Pages">/);
    assert.ok(!text.includes('<script>'));
    assert.equal((await get('/errors/none', { accept })).status, 404);
    for (const path of ['/api/v1/none', '/app/api/v1', '/v1/none', '/mcp/none']) {
      const { headers } = await get(path, { accept });
      assert.match(String(headers['content-type']), /^application\/json/, path);
    }
    const { headers } = await get('/none', { accept: '*/*' });
    assert.match(String(headers['content-type']), /^application\/json/);
  });

  async function mustBeNoRoute(path: string): Promise<void> {
    const { status, headers, body } = await get(path);
    assert.equal(status, 404, path);
    assert.match(String(headers['content-type']), /^application\/json/, path);
    const { code } = JSON.parse(String(body)) as { readonly code: string };
    assert.equal(code, 'no-route', path);
    assert.ok(!String(body).includes(SECRET), path);
  }
});

describe('a hub without built pages', () => {
  it('starts, serves its operations, and says at /app what is missing', async () => {
    const world = await openFixture({ webFolder: join(tmpdir(), 'no-such-folder') });
    const page = await raw(world.hub.url, '/app/work', { accept: 'text/html' });
    assert.equal(page.status, 404);
    assert.match(String(page.headers['content-type']), /^text\/html/);
    assert.match(String(page.body), /npm run build/);
    const { status, body } = await raw(world.hub.url, '/app', { accept: 'application/json' });
    assert.equal(status, 404);
    const { code, hint } = JSON.parse(String(body)) as { readonly code: string; hint: string };
    assert.equal(code, 'no-route');
    assert.match(hint, /npm run build/);
    assert.equal((await raw(world.hub.url, '/api/v1')).status, 200);
    await world.close();
  });
});
