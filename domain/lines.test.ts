import assert from 'node:assert/strict';
import fc from 'fast-check';
import { linesOf } from './lines.ts';

async function linesIn(...chunks: readonly (string | Uint8Array)[]): Promise<readonly string[]> {
  async function* each(): AsyncGenerator<Uint8Array> {
    for (const chunk of chunks) yield await Promise.resolve(Buffer.from(chunk));
  }
  const lines: string[] = [];
  for await (const line of linesOf(each())) lines.push(line);
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
