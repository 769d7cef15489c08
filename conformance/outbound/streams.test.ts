import assert from 'node:assert/strict';
import { gzipSync } from 'node:zlib';
import type { BodyPart, BodyStream } from '../../workflows/kernel/outbound/outcome.ts';
import { closeWorld, ending, guard, rawSite, webSite, type Place } from './_fixture.ts';
import { until } from '../harness/waiting.ts';

const SIXTEEN_MB = 16_777_216;

describe('outside: streamed bodies', () => {
  afterEach(closeWorld);

  const tryToOpen = async (site: Place, totalMs: number) => {
    const outbound = guard({ opened: [site] });
    const limits = { bytesMax: SIXTEEN_MB, totalMs };
    const outcome = await outbound.stream({ url: site.url, limits });
    return outcome.kind === 'answer' ? { outbound, body: outcome.body } : undefined;
  };
  const open = async (site: Place) => (await tryToOpen(site, 20_000)) ?? assert.fail('no answer');
  /** With the least of these times that the connection of a busy machine fits in. */
  const openBriefly = async (site: Place) => {
    for (const ms of [60, 500, 4_000]) {
      const opened = await tryToOpen(site, ms);
      if (opened !== undefined) return opened;
    }
    return assert.fail('no answer within four seconds');
  };
  const readAll = async ({ parts }: BodyStream): Promise<readonly BodyPart[]> => {
    const all: BodyPart[] = [];
    for await (const part of parts) all.push(part);
    return all;
  };
  const textOf = (parts: readonly BodyPart[]): string =>
    parts.map((part) => (part.kind === 'bytes' ? Buffer.from(part.bytes).toString() : '')).join('');

  it('come as they are sent, decoded, before the answer is whole', async () => {
    let finish = (): void => undefined;
    const site = await webSite((_, response) => {
      response.write('first ');
      finish = () => response.end('second');
    });
    const { outbound, body } = await open(site);
    let text = '';
    for await (const part of body.parts) {
      assert.ok(part.kind === 'bytes');
      text += Buffer.from(part.bytes).toString();
      if (text === 'first ') finish();
    }
    assert.equal(text, 'first second');
    assert.deepEqual(outbound.report(), { calls: 0, attempts: 0, idle: 1 });
    const coded = await webSite((_, response) => {
      response.setHeader('content-encoding', 'gzip');
      response.end(gzipSync('decoded'));
    });
    assert.equal(textOf(await readAll((await open(coded)).body)), 'decoded');
  });

  it('hold the sender back while they are not read', async () => {
    let wrote = 0;
    let blocked = false;
    const piece = Buffer.alloc(65_536);
    const site = await rawSite((socket) => {
      const more = (): void => {
        blocked = false;
        while (socket.writable) {
          wrote += piece.length;
          if (socket.write(piece)) continue;
          blocked = true;
          return void socket.once('drain', more);
        }
      };
      socket.once('data', () => {
        socket.write('HTTP/1.1 200 OK\r\n\r\n');
        more();
      });
    });
    const { body } = await open(site);
    const reader = body.parts[Symbol.asyncIterator]();
    assert.equal((await reader.next()).done, false);
    let last = -1;
    let still = 0;
    await until(() => {
      still = blocked && wrote === last ? still + 1 : 0;
      last = wrote;
      return still === 20;
    });
    assert.ok(wrote < SIXTEEN_MB, `${wrote} bytes were taken in unread`);
    let end: BodyPart | undefined;
    for (let next = await reader.next(); next.done !== true; next = await reader.next()) {
      end = next.value;
    }
    assert.equal(end?.kind === 'failed' && end.reason, 'too-large', 'reading on meets the cap');
  });

  it('end with a part that names the fault', async () => {
    const site = await rawSite((socket) => {
      socket.once('data', () => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nabc'));
    });
    const parts = await readAll((await open(site)).body);
    assert.equal(textOf(parts), 'abc');
    const last = parts.at(-1);
    assert.equal(last?.kind === 'failed' && last.reason, 'protocol');
  });

  it('may be given up, before or while they are read, or run out of time unread', async () => {
    const site = await webSite((_, response) => response.write('x'));
    const before = await open(site);
    before.body.cancel();
    assert.deepEqual(before.outbound.report(), { calls: 0, attempts: 0, idle: 0 });
    const [part] = await readAll(before.body);
    assert.equal(part?.kind === 'failed' && part.reason, 'cancelled');

    const midway = await open(site);
    for await (const each of midway.body.parts) {
      assert.equal(each.kind, 'bytes');
      break;
    }
    assert.deepEqual(midway.outbound.report(), { calls: 0, attempts: 0, idle: 0 });

    const unread = await openBriefly(site);
    await until(() => unread.outbound.report().attempts === 0);
    const [late] = await readAll(unread.body);
    assert.equal(late?.kind === 'failed' && late.reason, 'timeout');
    await until(() => site.open() === 0);
  });

  it('are values when there is no answer', async () => {
    const outbound = guard({});
    assert.equal(ending(await outbound.stream({ url: 'http://127.0.0.1/' })), 'refused-address');
  });
});
