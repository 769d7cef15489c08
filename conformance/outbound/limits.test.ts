import assert from 'node:assert/strict';
import type { Socket } from 'node:net';
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import type { LimitOptions } from '../../workflows/kernel/outbound/limits.ts';
import type { Outcome } from '../../workflows/kernel/outbound/outcome.ts';
import { authority, type Certificate } from './_certificates.ts';
import {
  closeWorld,
  ending,
  guard,
  names,
  PUBLIC_ADDRESS,
  rawSite,
  sayingSite,
  secureSite,
  webSite,
  type Place,
} from './_fixture.ts';

const OK = 'HTTP/1.1 200 OK\r\n';
const CAP = 64 * 1024;
/**
 * Bytes that the buffers of two kernels and of Node may take in behind a reader that has stopped.
 */
const BUFFERS_MAX = 16 * 1024 * 1024;

async function call(site: Place, limits: LimitOptions = {}): Promise<Outcome<Uint8Array>> {
  return guard({ opened: [site] }).fetch({ url: `${site.url}/`, limits });
}

/** Writes a piece again and again, as fast as it is taken, while the other side reads. */
function endless(socket: Socket, piece: string | Buffer, wrote?: (bytes: number) => void): void {
  const more = (): void => {
    while (!socket.destroyed && socket.writable) {
      wrote?.(piece.length);
      if (!socket.write(piece)) return void socket.once('drain', () => setImmediate(more));
    }
  };
  more();
}

/** Sends a byte now and then, for ever. */
function drip(socket: Socket, piece: string): void {
  const timer = setInterval(() => socket.write(piece), 5);
  socket.on('close', () => clearInterval(timer));
}

describe('outside: what an answer may cost', () => {
  afterEach(closeWorld);

  it('a body up to the cap is whole, one byte more is too large, announced or not', async () => {
    for (const over of [0, 1]) {
      const body = Buffer.alloc(CAP + over, 'x');
      const announced = await webSite((_, response) => response.end(body));
      const streamed = await webSite((_, response) => {
        response.write(body.subarray(0, 10));
        response.end(body.subarray(10));
      });
      for (const site of [announced, streamed]) {
        const outcome = await call(site, { bytesMax: CAP });
        assert.equal(ending(outcome), over === 0 ? 200 : 'too-large');
        if (outcome.kind === 'answer') assert.deepEqual(Buffer.from(outcome.body), body);
      }
    }
  });

  it('an endless body is cut at the cap, and the sender is let go', async () => {
    let wrote = 0;
    const site = await rawSite((socket) => {
      socket.once('data', () => {
        socket.write(`${OK}\r\n`);
        endless(socket, Buffer.alloc(16_384), (bytes) => (wrote += bytes));
      });
    });
    assert.equal(ending(await call(site, { bytesMax: CAP })), 'too-large');
    assert.ok(wrote < CAP + BUFFERS_MAX, `${wrote} bytes`);
  });

  it('a coded body counts as it is decoded: bombs stop at the cap', async () => {
    const bomb = Buffer.alloc(16 * 1024 * 1024);
    const small = Buffer.from('small enough');
    const coders = {
      gzip: gzipSync,
      br: brotliCompressSync,
      deflate: deflateSync,
      'x-gzip': gzipSync,
    };
    for (const [coding, code] of Object.entries(coders)) {
      const [bad, good] = [code(bomb), code(small)];
      const site = await webSite((request, response) => {
        response.setHeader('content-encoding', coding);
        response.end(request.url === '/bomb' ? bad : good);
      });
      const outbound = guard({ opened: [site] });
      const limits = { bytesMax: 1_048_576 };
      const bombed = await outbound.fetch({ url: `${site.url}/bomb`, limits });
      assert.equal(ending(bombed), 'too-large', coding);
      const outcome = await outbound.fetch({ url: site.url, limits });
      assert.ok(outcome.kind === 'answer', coding);
      assert.equal(Buffer.from(outcome.body).toString(), small.toString());
    }
  });

  it('a coded body that decodes to nothing counts as it was sent', async () => {
    const nothing = gzipSync('');
    const site = await rawSite((socket) => {
      socket.once('data', () => {
        socket.write(`${OK}content-encoding: gzip\r\n\r\n`);
        endless(socket, Buffer.concat(Array<Buffer>(500).fill(nothing)));
      });
    });
    assert.equal(ending(await call(site, { bytesMax: CAP })), 'too-large');
  });

  it('codings that were not asked for, nested, broken off or made up are the other side’s fault', async () => {
    const text = gzipSync('hello');
    const cases: readonly (readonly [string, Buffer])[] = [
      ['gzip, gzip', gzipSync(text)],
      ['zstd', text],
      ['constructor', text],
      ['gzip', text.subarray(0, text.length - 4)],
      ['gzip', Buffer.from('not gzip at all')],
      ['deflate', deflateRawSync('hello')],
      ['br', Buffer.from('not brotli, this')],
    ];
    for (const [coding, body] of cases) {
      const site = await webSite((_, response) => {
        response.setHeader('content-encoding', coding);
        response.end(body);
      });
      assert.equal(ending(await call(site)), 'protocol', `${coding} ${body.length}`);
    }
  });

  it('an empty body is one, whatever coding it is given', async () => {
    const site = await webSite((request, response) => {
      response.writeHead(request.url === '/204' ? 204 : 200, { 'content-encoding': 'gzip' }).end();
    });
    const outbound = guard({ opened: [site] });
    for (const way of [
      { url: site.url },
      { url: `${site.url}/204` },
      { url: site.url, method: 'HEAD' as const },
    ]) {
      const outcome = await outbound.fetch(way);
      assert.ok(outcome.kind === 'answer', JSON.stringify(outcome));
      assert.equal(outcome.body.length, 0);
    }
  });

  it('a head has a largest size, in one header or in many, also behind interim answers', async () => {
    const limits = { headerBytesMax: 4096 };
    const big = await sayingSite(`${OK}x: ${'a'.repeat(5000)}\r\n\r\n`);
    assert.equal(ending(await call(big, limits)), 'too-large');
    const fits = await sayingSite(`${OK}x: ${'a'.repeat(3000)}\r\n\r\nhello`);
    assert.equal(ending(await call(fits, limits)), 200);
    const many = await rawSite((socket) => {
      socket.write(OK);
      endless(socket, 'x: y\r\n');
    });
    assert.equal(ending(await call(many, limits)), 'too-large');
    const interim = await rawSite((socket) => endless(socket, 'HTTP/1.1 102 Processing\r\n\r\n'));
    assert.equal(ending(await call(interim, limits)), 'protocol');
    const hinted = await sayingSite(`HTTP/1.1 103 Early Hints\r\nlink: <x>\r\n\r\n${OK}\r\n`);
    assert.equal(ending(await call(hinted, limits)), 200);
  });

  it('a server that says nothing, or drips its head, runs out of time for the head', async () => {
    const silent = await rawSite(() => undefined);
    const dripping = await rawSite((socket) => {
      socket.write(OK);
      drip(socket, 'x: y\r\n');
    });
    for (const site of [silent, dripping]) {
      const outcome = await call(site, { firstByteMs: 80, totalMs: 120_000 });
      assert.equal(ending(outcome), 'timeout');
      assert.ok(outcome.kind === 'failed' && outcome.message.includes("no answer's head"));
    }
  });

  it('a body that drips, or a chunk that never begins, runs out of time in all', async () => {
    const body = await rawSite((socket) => {
      socket.write(`${OK}\r\n`);
      drip(socket, 'x');
    });
    const chunk = await rawSite((socket) => {
      socket.write(`${OK}transfer-encoding: chunked\r\n\r\n1;`);
      drip(socket, 'x');
    });
    for (const site of [body, chunk]) {
      const outcome = await call(site, { totalMs: 200 });
      assert.equal(ending(outcome), 'timeout');
      assert.ok(outcome.kind === 'failed' && outcome.message.includes('in all'));
    }
  });

  it('a caller that gives up, and a guard that closes, end what is under way', async () => {
    const silent = await rawSite(() => undefined);
    const outbound = guard({ opened: [silent] });
    const controller = new AbortController();
    const under = outbound.fetch({ url: silent.url, signal: controller.signal });
    const other = outbound.fetch({ url: silent.url });
    controller.abort();
    assert.equal(ending(await under), 'cancelled');
    assert.equal(
      ending(await outbound.fetch({ url: silent.url, signal: controller.signal })),
      'cancelled',
    );
    outbound.close();
    assert.equal(ending(await other), 'cancelled');
    assert.equal(ending(await outbound.fetch({ url: silent.url })), 'cancelled');
    assert.deepEqual(outbound.report(), { calls: 0, attempts: 0, idle: 0 });
  });
});

describe('outside: answers that are no HTTP', () => {
  afterEach(closeWorld);
  const chunked = `${OK}transfer-encoding: chunked\r\n\r\n`;
  const BAD: Readonly<Record<string, string>> = {
    'a line': 'hello there\r\n\r\n',
    'another protocol': 'SSH-2.0-OpenSSH_9.6\r\n\r\n',
    'a version that is none': 'HTTP/9.9 200 OK\r\n\r\n',
    'a status that is none': 'HTTP/1.1 2000 OK\r\n\r\n',
    'a header without a name': `${OK}: x\r\n\r\n`,
    'a space in a header name': `${OK}content length: 3\r\n\r\nabc`,
    'a NUL in a header': `${OK}x: a\0b\r\n\r\n`,
    'two lengths': `${OK}content-length: 3\r\ncontent-length: 4\r\n\r\nabcd`,
    'a length that is none': `${OK}content-length: three\r\n\r\nabc`,
    'a negative length': `${OK}content-length: -3\r\n\r\nabc`,
    'a length beside chunks': `${OK}content-length: 3\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n`,
    'a chunk size that is none': `${chunked}xyz\r\nabc\r\n0\r\n\r\n`,
    'a chunk size beyond counting': `${chunked}fffffffffffffffff\r\nabc\r\n`,
    'a chunk longer than it says': `${chunked}3\r\nabcdef\r\n0\r\n\r\n`,
    'chunks that break off': `${chunked}5\r\nab`,
    'chunks without an end': `${chunked}3\r\nabc\r\n`,
    'a body shorter than it says': `${OK}content-length: 10\r\n\r\nabc`,
    'a protocol without a request for it':
      'HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n',
  };

  for (const [name, bytes] of Object.entries(BAD)) {
    it(`${name} is reported as a fault of the protocol`, async () => {
      const outcome = await call(await sayingSite(bytes));
      assert.equal(ending(outcome), 'protocol', JSON.stringify(outcome));
    });
  }

  it('a server that closes, resets or is not there is reported as unreachable', async () => {
    const closes = await rawSite((socket) => socket.once('data', () => socket.end()));
    const resets = await rawSite((socket) => socket.once('data', () => socket.resetAndDestroy()));
    for (const site of [closes, resets]) assert.equal(ending(await call(site)), 'connect');
    const gone = await rawSite(() => undefined);
    await closeWorld();
    assert.equal(ending(await call(gone)), 'connect');
  });

  it('a body may end with the connection where no length was given', async () => {
    const outcome = await call(await sayingSite(`${OK}connection: close\r\n\r\nto the end`));
    assert.ok(outcome.kind === 'answer');
    assert.equal(Buffer.from(outcome.body).toString(), 'to the end');
  });
});

describe('outside: TLS', () => {
  afterEach(closeWorld);
  const NAME = 'agent.example.com';
  const ca = authority('Test Authority');
  const visit = async (certificate: Certificate): Promise<Outcome<Uint8Array>> => {
    const site = await secureSite(certificate, (_, response) => response.end());
    return through(site);
  };
  const through = (site: Place, limits: LimitOptions = {}): Promise<Outcome<Uint8Array>> => {
    const known = names({ [NAME]: [PUBLIC_ADDRESS] });
    const endpoint = () => ({ host: '127.0.0.1', port: site.port });
    return guard({ resolver: known, endpoint, ca: ca.cert }).fetch({
      url: `https://${NAME}/`,
      limits,
    });
  };

  it('takes a certificate of a trusted authority for the name that was called', async () => {
    assert.equal(ending(await visit(ca.issue(['other.example.com', NAME]))), 200);
    assert.equal(ending(await visit(ca.issue(['*.example.com']))), 200);
  });

  it('refuses another name, another authority, a self-signed and an expired certificate', async () => {
    const bad = {
      'another name': ca.issue(['other.example.com']),
      'the name below': ca.issue([`x.${NAME}`]),
      'the address': ca.issue([PUBLIC_ADDRESS, '127.0.0.1']),
      'another authority': authority('Nobody').issue([NAME]),
      'self-signed': authority(NAME),
      expired: ca.issue([NAME], 2021),
    };
    for (const [name, certificate] of Object.entries(bad)) {
      const outcome = await visit(certificate);
      assert.equal(ending(outcome), 'tls', `${name}: ${JSON.stringify(outcome)}`);
    }
  });

  it('refuses plain text in its place, and does not wait for a handshake for ever', async () => {
    assert.equal(ending(await through(await sayingSite(`${OK}\r\n`))), 'tls');
    const silent = await rawSite(() => undefined);
    assert.equal(ending(await through(silent, { connectMs: 80 })), 'timeout');
  });
});
