import assert from 'node:assert/strict';
import { TASK_WORDS_MAX, taskWords, wordsOf } from './words.ts';

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
});
