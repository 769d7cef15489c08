import assert from 'node:assert/strict';
import fc from 'fast-check';
import { countTokens as cl100k } from 'gpt-tokenizer/encoding/cl100k_base';
import { countTokens as o200k } from 'gpt-tokenizer/encoding/o200k_base';
import { openTokenCounter, type TokenCounter } from './counter.ts';

const ENCODINGS = { o200k_base: o200k, cl100k_base: cl100k } as const;
const RUNS = 300;

describe('tokens of texts', () => {
  let counter: TokenCounter;
  beforeEach(() => {
    counter = openTokenCounter();
  });
  afterEach(() => counter.close());

  for (const [encoding, whole] of Object.entries(ENCODINGS)) {
    const name = encoding as keyof typeof ENCODINGS;
    const isSame = async (text: string): Promise<void> => {
      const expected = whole(text, { allowedSpecial: 'all' });
      assert.equal(await counter.count(name, [text]), expected, JSON.stringify(text));
      assert.equal(await counter.count(name, [text]), expected, 'known by now');
    };

    it(`are those of their pieces, met before or not (${name})`, async function run() {
      this.timeout(60_000);
      const word = fc.constantFrom(
        ...['a', 'The', ' weather', 'WEATHER', "don't", "I'LL", ' ', '  ', '\t', '\n', '\r\n', '/'],
        ...['1', '12345', '.', '...', '{"a":', 'Łódź', 'é', '漢字', '👩‍👩‍👧', '\u0300', '<', '|', '<|'],
        ...['<|endoftext|>', '<|im_start|>', '_', '-', "'", '"', '\u00a0', '\u2028', 'ǅ', 'ʰ'],
      );
      const made = fc.array(word, { maxLength: 30 }).map((words) => words.join(''));
      const text = fc.oneof(made, fc.string({ unit: 'grapheme', maxLength: 60 }));
      await fc.assert(fc.asyncProperty(text, isSame), { numRuns: RUNS });
    });

    it(`add up over texts that are long and short, marked and not (${name})`, async () => {
      const long = 'Say it in other words, 12 times. '.repeat(300);
      const texts = ['One.', '', long, 'and <|endoftext|>'];
      const all = texts.reduce((sum, text) => sum + whole(text, { allowedSpecial: 'all' }), 0);
      assert.equal(await counter.count(name, texts), all);
      assert.equal(await counter.count(name, ['', '']), 0);
    });
  }
});
