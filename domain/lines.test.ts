import assert from 'node:assert/strict';
import fc from 'fast-check';
import { linesOf, oneLine, type LineEnds } from './lines.ts';

const linesIn = (...chunks: readonly (string | Uint8Array)[]): Promise<readonly string[]> =>
  linesBy('any', chunks);

async function linesBy(
  ends: LineEnds,
  chunks: readonly (string | Uint8Array)[],
): Promise<readonly string[]> {
  async function* each(): AsyncGenerator<Uint8Array> {
    for (const chunk of chunks) yield await Promise.resolve(Buffer.from(chunk));
  }
  const lines: string[] = [];
  for await (const line of linesOf(each(), ends)) lines.push(line);
  return lines;
}

describe('the lines of a stream', () => {
  it('end with CR, LF or CRLF, and the last one may lack its end', async () => {
    assert.deepEqual(await linesIn('a\nb\rc\r\nd'), ['a', 'b', 'c', 'd']);
    assert.deepEqual(await linesIn('a\n\n\r\rb\n'), ['a', '', '', '', 'b']);
    assert.deepEqual(await linesIn('one\u2028line'), ['one\u2028line']);
    assert.deepEqual(await linesIn(), []);
    assert.deepEqual(await linesIn('', '\r', '', '\n', '\n'), ['', '']);
    assert.deepEqual(await linesIn('a\r', 'b'), ['a', 'b']);
    assert.deepEqual(await linesIn('a\r', '\n', '\nb'), ['a', '', 'b']);
  });

  it('end with LF alone where nothing else is asked for', async () => {
    const others = 'a\r\v\f\u001c\u001e\u0085\u2028\u2029b';
    assert.deepEqual(await linesBy('lf', [`${others}\n${others}`]), [others, others]);
    assert.deepEqual(await linesBy('lf', ['a\r', '\nb\r']), ['a\r', 'b\r']);
  });

  it('keep a character whose bytes are cut, and mark one that is never whole', async () => {
    assert.deepEqual(await linesIn(Buffer.from([0xc3]), Buffer.from([0xa9])), ['\u00e9']);
    assert.deepEqual(await linesIn(Buffer.from([0x61, 0xc3])), ['a\ufffd']);
  });

  it('are the same wherever the chunks are cut', () =>
    fc.assert(
      fc.asyncProperty(
        fc.array(fc.constantFrom('a', '\r', '\n', '\u00e9', '\u2028'), { maxLength: 20 }),
        fc.array(fc.nat(60), { maxLength: 5 }),
        async (letters, cuts) => {
          const bytes = Buffer.from(letters.join(''));
          const places = [0, ...cuts.sort((a, b) => a - b), bytes.length];
          const chunks = places.map((place, nth) =>
            bytes.subarray(place, places[nth + 1] ?? place),
          );
          assert.deepEqual(await linesIn(...chunks), await linesIn(bytes));
        },
      ),
    ));
});

describe('a JSON text on one line', () => {
  it('has the same value and no character that ends a line for any reader', () => {
    const ends = /[\n\v\f\r\u001c-\u001e\u0085\u2028\u2029]/;
    const value = { 'a\u2028b': ['\u0085\u2029', '\r\n\v\f\u001c\u001d\u001e', '\\u2028', 'ü👍'] };
    for (const text of [JSON.stringify(value), JSON.stringify(value, undefined, 2)]) {
      assert.ok(ends.test(text));
      assert.ok(!ends.test(oneLine(text)), oneLine(text));
      assert.deepEqual(JSON.parse(oneLine(text)), value);
    }
  });
});
