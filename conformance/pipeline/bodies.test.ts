import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { gzipSync } from 'node:zlib';
import {
  dial,
  mustBeRefusal,
  mustCarryHeaders,
  overWire,
  rawExchange,
  readAnswer,
  wireBytes,
  type WireAnswer,
} from '../harness/wire.ts';
import { openFixture, type Fixture } from '../harness/fixture.ts';

/**
 * Bodies as they should not be. The faucet route takes them: it is the one that reads JSON without
 * a signature. None may fail the hub, hang it or pass for another body.
 */
const CREDIT = '/api/v1/wallet/9GzRuA8Sg7abDcmhoc9AndTTp2uekoomp8s29rWnqjcM/credit';
const BODY_BYTES_MAX = 65_536;
const many = (fields: number): string =>
  `{${Array.from({ length: fields }, (_, n) => `"f${n}":1`).join()}}`;
type Header = readonly [string, string];

describe('odd bodies', () => {
  let world: Fixture;
  let host: Header;
  before(async () => {
    world = await openFixture();
    host = ['Host', new URL(world.hub.url).host];
  });
  after(() => world.close());

  const post = (body: string | Uint8Array, ...headers: readonly Header[]): Promise<WireAnswer> =>
    overWire(world.hub.url, { method: 'POST', target: CREDIT, headers: [host, ...headers], body });

  const sound = (key: string): string => JSON.stringify({ amount: '5', idempotencyKey: key });
  const within = (text: string): string => `{"amount":"5","idempotencyKey":${text}}`;
  const nested = (levels: number): string => within(`${'['.repeat(levels)}1${']'.repeat(levels)}`);

  const refused: readonly (readonly [string, string | Uint8Array, string])[] = [
    ['nothing', '', 'missing-field'],
    ['a list', '[]', 'bad-request'],
    ['null', 'null', 'bad-request'],
    ['a string', '"amount"', 'bad-request'],
    ['a number', '7', 'bad-request'],
    ['white space', '  ', 'bad-json'],
    ['half an object', '{"amount":"5"', 'bad-json'],
    ['two values', `${within('"a"')}{}`, 'bad-json'],
    ['single quotes', "{'amount':'5'}", 'bad-json'],
    ['a trailing comma', '{"amount":"5",}', 'bad-json'],
    ['a comment', '{/* */"amount":"5"}', 'bad-json'],
    ['NaN', '{"amount":NaN}', 'bad-json'],
    ['a byte order mark', `\ufeff${within('"bom"')}`, 'bad-json'],
    ['bytes that are not UTF-8', Buffer.from('{"amount":"\u00ff"}', 'latin1'), 'bad-json'],
    ['UTF-16', Buffer.from(within('"wide"'), 'utf16le'), 'bad-json'],
    ['NUL bytes', Buffer.alloc(100), 'bad-json'],
    ['a raw NUL in a string', within('"a\u0000b"'), 'bad-json'],
    ['an escaped NUL in a string', within('"a\\u0000b"'), 'bad-json'],
    ['an escaped NUL in a key', '{"\\u0000":1}', 'bad-json'],
    ['a lone surrogate', within('"\\ud800"'), 'bad-json'],
    ['half a surrogate pair as a key', '{"\\udc00":1}', 'bad-json'],
    ['a key twice', '{"amount":"5","amount":"6","idempotencyKey":"twice"}', 'bad-json'],
    ['a key twice, once escaped', '{"amount":"5","\\u0061mount":"6"}', 'bad-json'],
    ['__proto__', '{"__proto__":{"amount":"5"}}', 'bad-json'],
    ['a number that loses digits', '{"amount":9007199254740993}', 'bad-json'],
    ['a number without end', `{"amount":${'9'.repeat(60_000)}}`, 'bad-json'],
    ['65 levels', nested(64), 'bad-json'],
    ['60,000 levels', '['.repeat(60_000), 'bad-json'],
    ['30,000 closed levels', nested(30_000), 'bad-json'],
    ['64 levels where text belongs', nested(63), 'bad-request'],
    ['an amount that is a number', '{"amount":5,"idempotencyKey":"n"}', 'bad-amount'],
    ['an amount with a sign', '{"amount":"-5","idempotencyKey":"n"}', 'bad-amount'],
    ['an amount with a point', '{"amount":"5.0","idempotencyKey":"n"}', 'bad-amount'],
    ['an amount in other digits', '{"amount":"٥","idempotencyKey":"n"}', 'bad-amount'],
    [
      'an amount beyond the cap',
      '{"amount":"1000000000000001","idempotencyKey":"n"}',
      'bad-amount',
    ],
    [
      'a long unknown field',
      `${sound('n').slice(0, -1)},"${'n'.repeat(60_000)}":1}`,
      'bad-request',
    ],
    ['60 KB of text', within(`"${'x'.repeat(60_000)}"`), 'bad-request'],
    ['a megabyte of text', within(`"${'x'.repeat(1_000_000)}"`), 'body-too-large'],
    ['a thousand fields', many(1_000), 'missing-field'],
    ['five thousand fields', many(5_000), 'bad-json'],
  ];
  for (const [what, body, code] of refused) {
    it(`refuses ${what} as ${code}`, async () => {
      mustBeRefusal(await post(body), 400, code);
    });
  }

  it('takes a backslash before u0000 for what it says', async () => {
    const faucet = await post(JSON.stringify({ amount: '5', idempotencyKey: 'a\\u0000' }));
    assert.equal(faucet.status, 200, faucet.text);
  });

  it('reads the same body whole, in chunks, and a byte at a time', async () => {
    const pieces = (text: string): string =>
      `${Array.from(text, (letter) => `1\r\n${letter}\r\n`).join('')}0\r\n\r\n`;
    assert.equal((await post(sound('whole'))).status, 200);
    const chunked = await post(pieces(sound('chunked')), ['Transfer-Encoding', 'chunked']);
    assert.equal(chunked.status, 200, chunked.text);
    const text = sound('slow');
    const headers: readonly Header[] = [host, ['Content-Length', String(text.length)]];
    const head = wireBytes({ method: 'POST', target: CREDIT, headers });
    const slow = await rawExchange(world.hub.url, [head, ...text], false, 5);
    assert.equal(slow.status, 200, slow.text);
  });

  it('takes a body without a length for no body, and what follows for the next request', async () => {
    const answer = await post(sound('lengthless'), ['Content-Length', '0']);
    mustBeRefusal(answer, 400, 'missing-field');
  });

  it('stops reading at its limit, announced or not, and says so', async () => {
    const announced = await post('', ['Content-Length', String(BODY_BYTES_MAX + 1)]);
    mustBeRefusal(announced, 400, 'body-too-large');
    assert.equal(announced.headers.get('connection'), 'close');
    const unread = ['Content-Length', String('{}x'.length)] as const;
    const target = '/api/v1/tasks';
    const headers: readonly Header[] = [host, unread];
    const none = await overWire(world.hub.url, { method: 'GET', target, headers, body: '{}x' });
    mustBeRefusal(none, 400, 'body-too-large');
    const chunk = `10000\r\n${'x'.repeat(0x10000)}\r\n`;
    const endless = await post(chunk.repeat(8), ['Transfer-Encoding', 'chunked']);
    mustBeRefusal(endless, 400, 'body-too-large');
  });

  it('goes on taking what a client sends after its refusal, as proxies do', async () => {
    const { hostname, port } = new URL(world.hub.url);
    // As nginx: what the hub ends is its own side alone.
    const socket = connect({ port: Number(port), host: hostname, allowHalfOpen: true });
    const errors: unknown[] = [];
    socket.on('error', (error) => errors.push(error));
    const piece = 'x'.repeat(0x10000);
    const headers: readonly Header[] = [host, ['Content-Length', String(64 * piece.length)]];
    socket.write(wireBytes({ method: 'POST', target: CREDIT, headers }));
    socket.write(piece);
    const [answer] = (await once(socket, 'data')) as [Buffer];
    assert.match(answer.toString(), /"code":"body-too-large"/);
    for (let sent = 1; sent < 64; sent += 1) {
      await new Promise((resolve) => socket.write(piece, resolve));
    }
    assert.deepEqual(errors, []);
    socket.destroy();
  });

  it('lets a client that sends megabytes first read the refusal after', async () => {
    for (const megabytes of [1, 8]) {
      const body = 'x'.repeat(megabytes * 1_048_576);
      const answer = await fetch(new URL(CREDIT, world.hub.url), { method: 'POST', body });
      assert.equal(answer.status, 400);
      assert.equal(((await answer.json()) as { code: string }).code, 'body-too-large');
    }
  });

  it('refuses a content coding, and reads the bytes that came under any content type', async () => {
    const packed = await post(gzipSync(sound('gzip')), ['Content-Encoding', 'gzip']);
    mustBeRefusal(packed, 400, 'bad-request');
    assert.equal(packed.body['field'], 'header.content-encoding');
    const typed = await post(sound('typed'), ['Content-Type', 'text/plain; charset=utf-16']);
    assert.equal(typed.status, 200, typed.text);
  });

  it('goes on answering when callers leave in the middle of a body', async () => {
    const headers: readonly Header[] = [host, ['Content-Length', '1000']];
    const head = wireBytes({ method: 'POST', target: CREDIT, headers });
    for (let times = 0; times < 20; times += 1) {
      const socket = await dial(world.hub.url);
      await new Promise((resolve) =>
        socket.write(Buffer.concat([head, Buffer.from('{"a')]), resolve),
      );
      socket.destroy();
    }
    assert.equal((await post(sound('after'))).status, 200);
  });

  it('answers others while a body is slow to come', async () => {
    const socket = await dial(world.hub.url);
    const text = sound('patient');
    const headers: readonly Header[] = [host, ['Content-Length', String(text.length)]];
    socket.write(wireBytes({ method: 'POST', target: CREDIT, headers }));
    assert.equal((await post(sound('other'))).status, 200);
    const late = readAnswer(socket);
    socket.write(text);
    const answer = await late;
    assert.equal(answer.status, 200);
    mustCarryHeaders(answer);
    socket.destroy();
  });

  it('answers requests on one connection in their order', async () => {
    const socket = await dial(world.hub.url);
    const first = readAnswer(socket);
    socket.write(wireBytes({ method: 'GET', target: '/api/v1/tasks', headers: [host] }));
    assert.equal((await first).status, 200);
    const second = readAnswer(socket);
    socket.write(wireBytes({ method: 'GET', target: '/nowhere', headers: [host] }));
    assert.equal((await second).status, 404);
    socket.destroy();
  });
});
