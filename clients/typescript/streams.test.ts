import assert from 'node:assert/strict';
import { ndjson, sseEvents } from './streams.ts';

/** A response whose body arrives in exactly these pieces. */
function arriving(pieces: readonly (string | Uint8Array)[], onCancel?: () => void): Response {
  const encoder = new TextEncoder();
  let at = 0;
  const body = new ReadableStream<Uint8Array>(
    {
      pull: (controller) => {
        const piece = pieces[at++];
        if (piece === undefined) controller.close();
        else controller.enqueue(typeof piece === 'string' ? encoder.encode(piece) : piece);
      },
      ...(onCancel !== undefined && { cancel: onCancel }),
    },
    { highWaterMark: 0 },
  );
  return new Response(body);
}

async function all<T>(items: AsyncIterable<T>): Promise<readonly T[]> {
  const found: T[] = [];
  for await (const item of items) found.push(item);
  return found;
}

const message = (data: string, id = '', event = 'message') => ({ event, data, id });

describe('sseEvents', () => {
  const streams: readonly (readonly [string, readonly string[], readonly unknown[]])[] = [
    ['one event', ['data: {"a":1}\n\n'], [message('{"a":1}')]],
    ['several lines of data', ['data: a\ndata:b\ndata:  c\n\n'], [message('a\nb\n c')]],
    [
      'names and ids, which last',
      ['event: x\nid: 7\ndata: a\n\ndata: b\n\n'],
      [message('a', '7', 'x'), message('b', '7')],
    ],
    [
      'an id that is taken back',
      ['id: 7\ndata: a\n\nid\ndata: b\n\n'],
      [message('a', '7'), message('b')],
    ],
    [
      'comments and unknown fields',
      [': keep-alive\n\nretry: 10\nfoo: bar\ndata: a\n\n'],
      [message('a')],
    ],
    ['CRLF', ['event: x\r\ndata: a\r\n\r\ndata: b\r\n\r\n'], [message('a', '', 'x'), message('b')]],
    ['CR alone', ['data: a\r\rdata: b\r\r'], [message('a'), message('b')]],
    [
      'CRLF cut between chunks',
      ['data: a\r', '\n\r', '\ndata: b\r\n', '\r', '\n'],
      [message('a'), message('b')],
    ],
    ['a field cut between chunks', ['da', 'ta: a', 'bc\n', '\n'], [message('abc')]],
    ['an empty data line', ['data\n\ndata:\ndata:\n\n'], [message(''), message('\n')]],
    ['the line separator of Unicode', ['data: a\u2028b\n\n'], [message('a\u2028b')]],
    ['an event without data', ['event: x\n\ndata: a\n\n'], [message('a')]],
    ['a byte order mark', ['\ufeffdata: a\n\n'], [message('a')]],
    ['a stream that breaks off', ['data: a\n\ndata: b\n'], [message('a')]],
    ['nothing', [], []],
  ];
  for (const [what, pieces, events] of streams) {
    it(`reads ${what}`, async () => {
      assert.deepEqual(await all(sseEvents(arriving(pieces))), events);
    });
  }

  it('reads the same events however the bytes are cut', async () => {
    const text = ': hi\r\nid: 1\r\ndata: grüß 😀\r\n\r\nevent: receipt\rdata: {}\ndata: x\n\n';
    const bytes = new TextEncoder().encode(text);
    const whole = await all(sseEvents(arriving([text])));
    assert.deepEqual(whole, [message('grüß 😀', '1'), message('{}\nx', '1', 'receipt')]);
    for (let size = 1; size < bytes.length; size += 1) {
      const pieces: Uint8Array[] = [];
      for (let at = 0; at < bytes.length; at += size) pieces.push(bytes.subarray(at, at + size));
      assert.deepEqual(await all(sseEvents(arriving(pieces))), whole, `cut every ${size} bytes`);
    }
  });

  it('closes the connection when the reader leaves', async () => {
    let isCancelled = false;
    const endless = arriving(Array<string>(1000).fill('data: a\n\n'), () => (isCancelled = true));
    for await (const event of sseEvents(endless)) {
      assert.equal(event.data, 'a');
      break;
    }
    assert.equal(isCancelled, true);
  });
});

describe('ndjson', () => {
  it('reads values over any cut, with or without a last line end', async () => {
    assert.deepEqual(await all(ndjson(arriving(['{"a":1}\n{"b"', ':2}\r\n\n', '[3]']))), [
      { a: 1 },
      { b: 2 },
      [3],
    ]);
  });

  it('throws on a line that is cut off', async () => {
    await assert.rejects(all(ndjson(arriving(['{"a":1}\n{"b"']))), SyntaxError);
  });
});
