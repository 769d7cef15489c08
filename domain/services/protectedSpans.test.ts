import assert from 'node:assert/strict';
import fc from 'fast-check';
import { keptIn, protectedSpans, spansOf } from './protectedSpans.ts';

const spansIn = (text: string): readonly string[] =>
  protectedSpans(text).map(({ kind, start, end }) => `${kind} ${text.slice(start, end)}`);

describe('parts of a prompt that survive word for word', () => {
  it('are code, addresses, quotations, names and numbers, in the order of the text', () => {
    const rows = [
      ['run `ls -l` now', ['code `ls -l`']],
      ['```\na 1\n``` b', ['code ```\na 1\n```']],
      ['to the end: ```a 1', ['code ```a 1']],
      ['one ` sign', []],
      [
        'see https://a.example/b?c=1 and me+x@b.example.com',
        ['addresses https://a.example/b?c=1', 'addresses me+x@b.example.com'],
      ],
      ['say "a 1", “b” or «c»', ['quotations "a 1"', 'quotations “b”', 'quotations «c»']],
      ['an "open one', []],
      [
        'camelCase snake_case HTTP2 Ada Lovelace',
        ['names camelCase', 'names snake_case', 'names HTTP2', 'names Ada Lovelace'],
      ],
      ['Ada is A name', []],
      [
        '5 of 1,000.50, 42.5%, -3, +7 % and 12:30.',
        [
          'numbers 5',
          'numbers 1,000.50',
          'numbers 42.5%',
          'numbers -3',
          'numbers +7',
          'numbers 12:30',
        ],
      ],
    ] as const;
    for (const [text, expected] of rows) assert.deepEqual(spansIn(text), expected, text);
  });

  it('are one where one stands inside of another', () => {
    const rows = [
      ['"say `x` now" 5', ['quotations "say `x` now"', 'numbers 5']],
      ['`say "x" now`', ['code `say "x" now`']],
      ['"see https://a.example/1 2"', ['quotations "see https://a.example/1 2"']],
      ['https://a.example/`x`/y', ['addresses https://a.example/`x`/y']],
    ] as const;
    for (const [text, expected] of rows) assert.deepEqual(spansIn(text), expected, text);
  });

  it('are of the first kind where two cross', () => {
    assert.deepEqual(spansIn('"a `b" c` "d"'), ['code `b" c`', 'quotations "d"']);
    assert.deepEqual(spansIn('`a "b` c"'), ['code `a "b`']);
  });

  it('never overlap, whatever the text', () => {
    const bits = fc.constantFrom('`', '"', '```', ' a', '1', 'https://a.b/', 'x_y', '“', '”', '\n');
    fc.assert(
      fc.property(fc.array(bits, { maxLength: 40 }), (all) => {
        let reached = 0;
        for (const { start, end } of protectedSpans(all.join(''))) {
          assert.ok(start >= reached && end > start);
          reached = end;
        }
      }),
    );
  });
});

describe('a rewriting', () => {
  it('keeps each part as often as it stood in the source', () => {
    const source = 'take 3 of 3, "a 4" from https://a.example by snake_case `x`';
    const kept = { code: 1, quotations: 1, addresses: 1, numbers: 2, names: 1 };
    assert.deepEqual(keptIn(source, source), kept);
    assert.deepEqual(spansOf(source), kept);
    assert.deepEqual(keptIn(source, `${source} 3 more`), kept);
    assert.equal(keptIn(source, source.replace('3 of 3', '3')), undefined);
    assert.deepEqual(keptIn('no parts', ''), spansOf(''));
  });

  it('loses a number with its sign, and a quotation with its marks', () => {
    assert.equal(keptIn('set -3', 'set 3'), undefined);
    assert.equal(keptIn('set 5%', 'set 5'), undefined);
    assert.equal(keptIn('say "x"', 'say x'), undefined);
    assert.equal(keptIn('say "a `x` b"', 'say `x`'), undefined);
  });
});
