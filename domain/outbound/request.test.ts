import assert from 'node:assert/strict';
import {
  afterRedirect,
  isRedirect,
  isSafeMethod,
  requestFault,
  resolveLocation,
  type Carried,
  type OutboundHeaders,
  type OutboundMethod,
} from './request.ts';

const BODY = Buffer.from('text');
const sent = (over: Partial<Carried> = {}): Carried => ({
  method: 'GET',
  headers: {},
  body: undefined,
  sign: false,
  ...over,
});

describe('a request that is sent to others', () => {
  it('has a method that the hub sends, and a body only where one means something', () => {
    for (const method of ['GET', 'HEAD', 'OPTIONS', 'POST', 'PUT', 'PATCH', 'DELETE'] as const) {
      assert.equal(requestFault(sent({ method })), undefined);
      const isSafe = ['GET', 'HEAD', 'OPTIONS'].includes(method);
      assert.equal(isSafeMethod(method), isSafe, method);
      const fault = requestFault(sent({ method, body: BODY }));
      assert.equal(fault, isSafe ? `${method} has no body.` : undefined);
    }
    for (const method of ['TRACE', 'CONNECT', 'get', ''] as string[] as OutboundMethod[]) {
      assert.equal(requestFault(sent({ method })), `The hub sends no "${method}".`);
    }
  });

  it('has no header that the hub makes itself, or that is about one connection', () => {
    const own = [
      ...['accept-encoding', 'connection', 'content-digest', 'content-length', 'expect', 'host'],
      ...['keep-alive', 'proxy-authorization', 'proxy-connection', 'signature', 'te', 'trailer'],
      ...['signature-agent', 'signature-input', 'transfer-encoding', 'upgrade', 'user-agent'],
    ];
    for (const name of own) {
      const fault = requestFault(sent({ headers: { accept: '*/*', [name]: 'x' } }));
      assert.equal(fault, `The header ${name} is made by the hub itself.`);
    }
  });

  it('has names of headers in lower case and values in plain ASCII', () => {
    const fault = (headers: OutboundHeaders) => requestFault(sent({ headers }));
    for (const name of ['', 'X-Upper', 'a b', 'a:', 'é', 'a\n', ' a']) {
      assert.equal(
        fault({ [name]: '1' }),
        `${JSON.stringify(name)} is no header name in lower case.`,
      );
    }
    for (const value of [
      '',
      ' ',
      ' a',
      'a ',
      'a\r\nhost: b',
      'ü',
      'a\x7fb',
      '\ta',
      'a\t',
      'a\0b',
    ]) {
      assert.equal(fault({ x: value }), 'The header x holds more than plain ASCII.', value);
    }
    assert.equal(fault({ "x-1!#$%&'*+.^_`|~": 'a', y: 'a \t~b', z: '!~' }), undefined);
  });

  it('has at most 32 headers and 8,192 bytes of them, names and values together', () => {
    const why = 'More than 32 headers, or than 8192 bytes of them.';
    const many = (count: number): OutboundHeaders =>
      Object.fromEntries(Array.from({ length: count }, (_, n) => [`x-${n}`, '1']));
    assert.equal(requestFault(sent({ headers: many(32) })), undefined);
    assert.equal(requestFault(sent({ headers: many(33) })), why);
    const long = (length: number): OutboundHeaders => ({ a: 'b', name: 'y'.repeat(length - 6) });
    assert.equal(requestFault(sent({ headers: long(8_192) })), undefined);
    assert.equal(requestFault(sent({ headers: long(8_193) })), why);
  });
});

describe('a request after a redirect', () => {
  it('changes its method as RFC 9110 15.4 has it, and loses the body with it', () => {
    const table = `
      301 POST GET   302 POST GET   303 POST GET   307 POST POST   308 POST POST
      301 PUT PUT    302 PUT PUT    303 PUT GET    307 PUT PUT     308 PUT PUT
      301 PATCH PATCH 303 PATCH GET 303 DELETE GET 302 DELETE DELETE
      301 GET GET    302 GET GET    303 GET GET    307 GET GET     308 GET GET
      301 HEAD HEAD  303 HEAD HEAD  307 HEAD HEAD  303 OPTIONS GET`;
    const headers = { 'content-type': 'text/plain', 'content-language': 'en', 'x-mine': '1' };
    for (const [, status = '', from = '', to = ''] of table.matchAll(/(\d+) (\w+) (\w+)/g)) {
      const request = sent({ method: from as OutboundMethod, headers, body: BODY, sign: true });
      const next = afterRedirect(request, Number(status), true);
      const expected =
        from === to
          ? request
          : { method: to, headers: { 'x-mine': '1' }, body: undefined, sign: true };
      assert.deepEqual(next, expected, `${status} ${from}`);
    }
  });

  it('carries to another origin no more than content negotiation, unsigned', () => {
    const kept = {
      'a2a-version': '1.0',
      accept: 'text/html',
      'accept-language': 'en',
      'content-language': 'en',
      'content-type': 'text/plain',
      'mcp-protocol-version': '2025-06-18',
    };
    const secrets = { authorization: 'Bearer x', cookie: 'a=b', 'x-payment': 'p', other: 'secret' };
    const request = sent({
      method: 'POST',
      headers: { ...secrets, ...kept },
      body: BODY,
      sign: true,
    });
    assert.deepEqual(afterRedirect(request, 307, false), {
      ...request,
      headers: kept,
      sign: false,
    });
    assert.deepEqual(Object.keys(afterRedirect(request, 303, false).headers), [
      'a2a-version',
      'accept',
      'accept-language',
      'mcp-protocol-version',
    ]);
    assert.equal(afterRedirect({ ...request, sign: false }, 307, true).sign, false);
  });

  it('is made for five statuses', () => {
    for (const status of [301, 302, 303, 307, 308]) assert.ok(isRedirect(status), `${status}`);
    for (const status of [200, 300, 304, 305, 306, 309, 399]) assert.ok(!isRedirect(status));
  });
});

describe('the place that a redirect names', () => {
  const FROM = 'https://a.example.com/b/c?d';
  it('is read from where it was named, and a host stays as it was written', () => {
    const places = [
      ['/e', 'https://a.example.com/e'],
      ['e', 'https://a.example.com/b/e'],
      ['/e:f?g=http://h', 'https://a.example.com/e:f?g=http://h'],
      ['../../e#x', 'https://a.example.com/e#x'],
      ['?q', 'https://a.example.com/b/c?q'],
      ['//0x7f.1/e', 'https://0x7f.1/e'],
      ['http://0X7F.1/e', 'http://0X7F.1/e'],
      ['HTTP+x.1-y:e', 'HTTP+x.1-y:e'],
      ['mailto:a@b.c', 'mailto:a@b.c'],
    ] as const;
    for (const [location, expected] of places) {
      assert.equal(resolveLocation(location, FROM), expected, location);
    }
    assert.equal(
      resolveLocation('//b.example.com', 'http://a.example.com'),
      'http://b.example.com',
    );
  });

  it('is none when it holds what no URL holds', () => {
    for (const location of ['', '/a b', '\\\\x', '/a\\b', 'é', '/a\n', 'http://x y/', '\x7f']) {
      assert.equal(resolveLocation(location, FROM), undefined, JSON.stringify(location));
    }
  });
});
