import assert from 'node:assert/strict';
import { gzipSync } from 'node:zlib';
import { mustBeRefusal, mustCarryHeaders, rawExchange, type WireAnswer } from '../harness/wire.ts';
import { openFixture, type Fixture } from '../harness/fixture.ts';

/** Requests that a server must refuse by RFC 9110 and RFC 9112, byte for byte. */
const BODY = '{"amount":"5"}';
const CREDIT = '/api/v1/wallet/9GzRuA8Sg7abDcmhoc9AndTTp2uekoomp8s29rWnqjcM/credit';
/** Paths of every kind: an operation, both doors, a page, the package, a file of the site. */
const PATHS = ['/api/v1', '/mcp', '/a2a', '/app', '/client.tgz', '/', '/nowhere'];

describe('a request that HTTP asks a server to refuse', () => {
  let world: Fixture;
  let host = '';
  before(async () => {
    world = await openFixture();
    ({ host } = new URL(world.hub.url));
  });
  after(() => world.close());

  const send = (lines: readonly string[], body: string | Buffer = ''): Promise<WireAnswer> =>
    rawExchange(world.hub.url, [
      Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'), Buffer.from(body)]),
    ]);
  const post = (lines: readonly string[], body: string | Buffer): Promise<WireAnswer> =>
    send([`POST ${CREDIT} HTTP/1.1`, `Host: ${host}`, ...lines], body);

  for (const path of PATHS) {
    it(`is one without a sound Host, at ${path} (RFC 9112 3.2)`, async () => {
      const hosts = [
        [],
        [`Host: ${host}`, `Host: ${host}`],
        [`Host: ${host}`, 'host: other.example'],
        ['Host: a b'],
        ['Host: a,b/c'],
        ['Host: user@hub.example'],
        ['Host: http://hub.example'],
        ['Host: [::1'],
        ['Host: hub.example:port'],
        ['Host: hub.example:123456'],
        ['Host: h\u00fcb.example'],
      ];
      for (const lines of hosts) {
        const answer = await send([`GET ${path} HTTP/1.1`, ...lines]);
        mustBeRefusal(answer, 400, 'bad-request');
        assert.equal(answer.headers.get('connection'), 'close', lines.join());
        mustCarryHeaders(answer);
      }
    });
  }

  it('has a name that is sound, or is of HTTP/1.0 and has none', async () => {
    const sound = [
      host,
      'hub.example',
      'hub.example:',
      'HUB.example:80',
      '[::1]:8080',
      '127.0.0.1',
      '',
    ];
    for (const name of sound) {
      const { status } = await send(['GET /api/v1 HTTP/1.1', `Host: ${name}`]);
      assert.equal(status, 200, name);
    }
    assert.equal((await send(['GET /api/v1 HTTP/1.0'])).status, 200);
  });

  const FRAMING: readonly (readonly [string, readonly string[]])[] = [
    [
      'Transfer-Encoding beside Content-Length',
      ['Transfer-Encoding: chunked', 'Content-Length: 14'],
    ],
    ['a transfer coding that is unknown', ['Transfer-Encoding: foo']],
    ['a transfer coding before chunked', ['Transfer-Encoding: gzip, chunked']],
    ['a transfer coding behind chunked', ['Transfer-Encoding: chunked, gzip']],
    ['chunked twice', ['Transfer-Encoding: chunked, chunked']],
    ['chunked in two lines', ['Transfer-Encoding: chunked', 'Transfer-Encoding: chunked']],
    ['identity as a transfer coding', ['Transfer-Encoding: identity']],
    ['chunked in quotes', ['Transfer-Encoding: "chunked"']],
    ['two lengths that differ', ['Content-Length: 14', 'Content-Length: 15']],
    ['a list of lengths that differ', ['Content-Length: 14, 15']],
    ['a length with a sign', ['Content-Length: +14']],
    ['a negative length', ['Content-Length: -1']],
    ['a length in hexadecimal', ['Content-Length: 0xe']],
    ['a length that is no number', ['Content-Length: many']],
    ['a length beyond all numbers', ['Content-Length: 99999999999999999999999']],
    ['white space before a colon', ['Content-Length : 14']],
    ['a folded line', ['X-Note: one', ' two', 'Content-Length: 14']],
    ['a line without a colon', ['X-Note', 'Content-Length: 14']],
    ['an empty name', [': x', 'Content-Length: 14']],
    ['a name with a space', ['X Note: x', 'Content-Length: 14']],
    ['a NUL in a value', ['X-Note: a\u0000b', 'Content-Length: 14']],
    ['a bare CR in a value', ['X-Note: a\rb', 'Content-Length: 14']],
  ];
  for (const [what, lines] of FRAMING) {
    it(`has ${what} (RFC 9112 5 and 6)`, async () => {
      const isChunked = lines.some((line) => /^transfer-encoding/i.test(line));
      const body = isChunked ? `e\r\n${BODY}\r\n0\r\n\r\n` : BODY;
      const answer = await post(lines, body);
      mustBeRefusal(answer, 400, 'bad-request');
      assert.equal(answer.headers.get('connection'), 'close');
    });
  }

  it('has chunks that are none (RFC 9112 7.1)', async () => {
    for (const body of [
      'g\r\nx\r\n0\r\n\r\n',
      '-1\r\nx\r\n0\r\n\r\n',
      'ffffffffffffffffff\r\n',
      '1\r\nxy\r\n0\r\n\r\n',
      '0x1\r\nx\r\n0\r\n\r\n',
    ]) {
      mustBeRefusal(await post(['Transfer-Encoding: chunked'], body), 400, 'bad-request');
    }
  });

  it('has a Transfer-Encoding although it is of HTTP/1.0 (RFC 9112 6.1)', async () => {
    const lines = [`POST ${CREDIT} HTTP/1.0`, `Host: ${host}`, 'Transfer-Encoding: chunked'];
    mustBeRefusal(await send(lines, `e\r\n${BODY}\r\n0\r\n\r\n`), 400, 'bad-request');
  });

  it('has a request line that is none (RFC 9112 3)', async () => {
    const lines = [
      'GET /api/v1',
      'GET /api/v1 HTTP/9.1',
      'GET /a b HTTP/1.1',
      'G@T /api/v1 HTTP/1.1',
      'GET /api/v1 http/1.1',
    ];
    for (const line of lines) {
      const answer = await send([line, `Host: ${host}`]);
      assert.ok([400, 505].includes(answer.status), `${line}: ${answer.text}`);
    }
  });

  it('has a body under a content coding, which is not taken for another body (RFC 9110 8.4)', async () => {
    for (const coding of [
      'gzip',
      'br',
      'deflate',
      'zstd',
      'aes128gcm',
      'gzip, identity',
      'GZIP',
      '*',
    ]) {
      for (const body of [gzipSync(BODY), BODY]) {
        const length = `Content-Length: ${Buffer.byteLength(body)}`;
        const answer = await post([`Content-Encoding: ${coding}`, length], body);
        const refusal = mustBeRefusal(answer, 400, 'bad-request');
        assert.equal(answer.body['field'], 'header.content-encoding', JSON.stringify(refusal));
        assert.equal(answer.headers.get('accept-encoding'), 'identity');
      }
    }
    const plain = ['Content-Encoding: identity', `Content-Length: ${BODY.length}`];
    mustBeRefusal(await post(plain, BODY), 400, 'missing-field');
  });

  it('has an expectation: 100-continue is answered, also not in HTTP/1.0 (RFC 9110 10.1.1)', async () => {
    const lines = [`Host: ${host}`, 'Expect: 100-continue', `Content-Length: ${BODY.length}`];
    const first = await send([`POST ${CREDIT} HTTP/1.1`, ...lines], BODY);
    assert.ok([100, 400].includes(first.status), first.text);
    const older = await send([`POST ${CREDIT} HTTP/1.0`, ...lines], BODY);
    mustBeRefusal(older, 400, 'missing-field');
    const other = await post(['Expect: the-moon', `Content-Length: ${BODY.length}`], BODY);
    assert.ok([400, 417].includes(other.status), other.text);
  });
});
