import assert from 'node:assert/strict';
import type { IncomingHttpHeaders } from 'node:http';
import type { OutboundMethod } from '../../domain/outbound/request.ts';
import type { OutboundRequest, Outcome } from '../../workflows/kernel/outbound/outcome.ts';
import { authority } from './_certificates.ts';
import {
  closeWorld,
  ending,
  guard,
  names,
  PUBLIC_ADDRESS,
  sayingSite,
  secureSite,
  webSite,
  type Place,
} from './_fixture.ts';

interface Seen {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

describe('outside: redirects', () => {
  let seen: Seen[] = [];
  let site: Place;
  let other: Place;

  /** `/to/STATUS?WHERE` redirects there, `/loop` to itself; everything else answers. */
  const open = (): Promise<Place> =>
    webSite((request, response) => {
      let body = '';
      request.on('data', (chunk) => (body += String(chunk)));
      request.on('end', () => {
        const { method = '', url = '', headers } = request;
        seen.push({ method, url, headers, body });
        const [, status, where] = /^\/to\/(\d+)(?:\?(.*))?$/.exec(url) ?? [];
        if (url === '/loop') response.writeHead(302, { location: '/loop' });
        else if (status !== undefined) {
          response.writeHead(Number(status), where === undefined ? {} : { location: where });
        }
        response.end('done');
      });
    });
  beforeEach('open two sites', async () => {
    seen = [];
    [site, other] = [await open(), await open()];
  });
  afterEach(closeWorld);

  const call = (request: Partial<OutboundRequest>): Promise<Outcome<Uint8Array>> =>
    guard({ opened: [site, other] }).fetch({ url: site.url, ...request });

  it('change the method as RFC 9110 15.4 has it, and the body with it', async () => {
    const table = `
      301 POST GET   302 POST GET   303 POST GET   307 POST POST   308 POST POST
      301 PUT PUT    302 PUT PUT    303 PUT GET    307 PUT PUT     308 PUT PUT
      301 PATCH PATCH 303 PATCH GET 303 DELETE GET 302 DELETE DELETE
      301 GET GET    302 GET GET    303 GET GET    307 GET GET     308 GET GET
      301 HEAD HEAD  303 HEAD HEAD  307 HEAD HEAD`;
    for (const [, status = '', from = '', to = ''] of table.matchAll(/(\d+) (\w+) (\w+)/g)) {
      seen = [];
      const method = from as OutboundMethod;
      const hasBody = !['GET', 'HEAD'].includes(from);
      const outcome = await call({
        url: `${site.url}/to/${status}?/end`,
        method,
        headers: { 'content-type': 'text/plain', 'x-mine': '1' },
        ...(hasBody && { body: Buffer.from('text') }),
      });
      assert.equal(ending(outcome), 200);
      const [, last] = seen;
      assert.equal(last?.method, to, `${status} ${from}`);
      const keeps = hasBody && from === to;
      assert.equal(last.body, keeps ? 'text' : '');
      assert.equal(last.headers['content-type'], to === from ? 'text/plain' : undefined);
      assert.equal(last.headers['x-mine'], '1', 'the same origin keeps what is not about the body');
    }
  });

  it('carry nothing of the caller to another origin, nor back again', async () => {
    const secrets = {
      authorization: 'Bearer x',
      cookie: 'a=b',
      'x-api-key': 'k',
      'x-payment': 'p',
      'payment-signature': 'p',
      'any-other': 'secret',
    };
    const url = `${site.url}/to/307?${other.url}/to/307?${site.url}/end`;
    const outcome = await call({
      url,
      method: 'POST',
      body: Buffer.from('{}'),
      headers: { ...secrets, accept: 'text/html', 'mcp-protocol-version': '2025-06-18' },
      sign: true,
    });
    assert.ok(outcome.kind === 'answer');
    assert.equal(outcome.redirects, 2);
    assert.equal(outcome.finalUrl, `${site.url}/end`);
    const [first, ...others] = seen;
    assert.ok(first?.headers['signature'] !== undefined && first.headers['content-digest']);
    for (const name of Object.keys(secrets)) assert.ok(first.headers[name] !== undefined, name);
    assert.equal(others.length, 2);
    for (const { headers } of others) {
      const own = ['accept', 'mcp-protocol-version'];
      const made = ['accept-encoding', 'connection', 'content-length', 'host', 'user-agent'];
      assert.deepEqual(Object.keys(headers).sort(), [...own, ...made].sort());
    }
  });

  it('are signed again within the origin that was called', async () => {
    const outcome = await call({ url: `${site.url}/to/302?/end?x=1`, sign: true });
    assert.equal(ending(outcome), 200);
    const [first, second] = seen.map(({ headers }) => String(headers['signature-input']));
    assert.match(second ?? '', /"@query"/);
    const nonce = /nonce="([0-9a-f]+)"/;
    assert.notEqual(nonce.exec(first ?? '')?.[1], nonce.exec(second ?? '')?.[1]);
  });

  it('are followed up to the limit and no further', async () => {
    const outcome = await call({ url: `${site.url}/loop`, limits: { redirectsMax: 3 } });
    assert.equal(ending(outcome), 'too-many-redirects');
    assert.equal(seen.length, 4);
    seen = [];
    const none = await call({ url: `${site.url}/to/302?/end`, limits: { redirectsMax: 0 } });
    assert.equal(ending(none), 'too-many-redirects');
    assert.equal(seen.length, 1);
    const more = await call({ url: `${site.url}/loop`, limits: { redirectsMax: 1_000 } });
    assert.equal(ending(more), 'too-many-redirects');
    assert.equal(seen.length, 12, 'a wish above the ceiling is lowered to it');
  });

  it('are bad without a Location, with two, or with one that is no URL', async () => {
    for (const where of ['', 'http://[', '/a b', 'http://x y/', '\\\\x', 'é']) {
      const line = where === '' ? '' : `location: ${where}\r\n`;
      const odd = await sayingSite(`HTTP/1.1 302 Found\r\n${line}content-length: 0\r\n\r\n`);
      const outcome = await guard({ opened: [odd] }).fetch({ url: odd.url });
      assert.ok(['bad-redirect', 'refused-url'].includes(String(ending(outcome))), where);
    }
    const two = await sayingSite('HTTP/1.1 302 Found\r\nlocation: /a\r\nlocation: /b\r\n\r\n');
    assert.equal(ending(await guard({ opened: [two] }).fetch({ url: two.url })), 'bad-redirect');
  });

  it('are answers when their status is none', async () => {
    for (const status of [300, 304, 305, 306, 399]) {
      assert.equal(ending(await call({ url: `${site.url}/to/${status}?/end` })), status);
    }
    assert.equal(seen.length, 5);
  });

  it('find their way from relative places', async () => {
    const places = { '/end': '/end', end: '/to/end', '../../end#x': '/end', './a/../b': '/to/b' };
    for (const [where, path] of Object.entries(places)) {
      const outcome = await call({ url: `${site.url}/to/302?${where}` });
      assert.ok(outcome.kind === 'answer', where);
      assert.equal(outcome.finalUrl, site.url + path);
    }
  });

  it('never lead from https to plain http, not even to an opened pair', async () => {
    const ca = authority('Test Authority');
    const name = 'agent.example.com';
    for (const location of [`http://${name}/end`, `${site.url}/end`, `HTTP://${name}/end`]) {
      const secure = await secureSite(ca.issue([name]), (_, response) => {
        response.writeHead(301, { location }).end();
      });
      const outbound = guard({
        opened: [site],
        resolver: names({ [name]: [PUBLIC_ADDRESS] }),
        endpoint: () => ({ host: '127.0.0.1', port: secure.port }),
        ca: ca.cert,
      });
      const outcome = await outbound.fetch({ url: `https://${name}/`, plainHttp: true });
      assert.equal(ending(outcome), 'bad-redirect', location);
    }
    assert.equal(site.connections(), 0);
  });
});

describe('outside: requests', () => {
  afterEach(closeWorld);

  it('are refused before any call when no careful client sends them', async () => {
    const site = await webSite((_, response) => response.end());
    const outbound = guard({ opened: [site] });
    const bad: readonly Partial<OutboundRequest>[] = [
      { headers: { host: 'other.example.com' } },
      { headers: { x: 'a\r\nhost: b' } },
      { headers: { x: 'y'.repeat(9_000) } },
      { method: 'TRACE' as OutboundMethod },
      { method: 'GET', body: Buffer.from('x') },
    ];
    for (const request of bad) {
      const outcome = await outbound.fetch({ url: site.url, ...request });
      assert.equal(ending(outcome), 'refused-request', JSON.stringify(request));
    }
    assert.equal(site.connections(), 0);
  });
});
