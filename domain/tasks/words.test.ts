import assert from 'node:assert/strict';
import { TASK_WORDS_MAX, taskWords, wantedWords, wordsOf } from './words.ts';

describe('the words of a task', () => {
  const table: readonly (readonly [string, string])[] = [
    ['Extract the five plan prices', 'extract the five plan prices'],
    ['OCR, ocr; O-C-R x', 'ocr'],
    ['Straße ＡＢＣ １２', 'straße abc 12'],
    ['', ''],
    ["don't % _ '", 'don'],
  ];
  for (const [text, words] of table) {
    it(JSON.stringify(text), () => assert.equal(wordsOf(text, 20).join(' '), words));
  }

  it('are bounded, those of the title first', () => {
    const description = Array.from({ length: 1_000 }, (_, n) => `word${n}`).join(' ');
    const words = taskWords({ title: 'Name it', description });
    assert.equal(words.length, TASK_WORDS_MAX);
    assert.deepEqual(words.slice(0, 3), ['name', 'it', 'word0']);
  });

  it('cuts what is too long for a word', () => {
    assert.deepEqual(
      wordsOf('x'.repeat(50), 9).map((word) => word.length),
      [40, 10],
    );
  });

  const wanted: readonly (readonly [string, string, string])[] = [
    ['agent 3', 'agent', '3'],
    ['agent 3 3 X x', 'agent', '3 x'],
    ['agent', 'agent', ''],
    ['C', '', 'c'],
    ['one two one', 'one two', ''],
    ['aa bb cc dd ee ff gg hh', 'aa bb cc dd ee ff gg hh', ''],
    ['aa bb cc dd ee ff gg hh ii aa j', 'aa bb cc dd ee ff gg hh', 'ii j'],
    ['é ｘ １', '', 'é x 1'],
    ['\u{10428} \u{10428}\u{10428}', '\u{10428}\u{10428}', '\u{10428}'],
    ['x'.repeat(41), 'x'.repeat(40), 'x'],
  ];
  for (const [text, words, leftOut] of wanted) {
    it(`are all looked for or named as left out, for ${JSON.stringify(text)}`, () => {
      const found = wantedWords(text);
      assert.deepEqual([found.words.join(' '), found.leftOut.join(' ')], [words, leftOut]);
    });
  }
});
