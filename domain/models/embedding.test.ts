import assert from 'node:assert/strict';
import { emptyInput, inputsOf, packVector, readVectors } from './embedding.ts';
import { hashedWords } from './hashedWords.ts';

const ASK = { inputs: ['a', 'b'], dimensions: 2 };
const read = (data: unknown, usage?: unknown): unknown => {
  const steps = readVectors({ data, usage }, ASK);
  for (;;) {
    const { done, value } = steps.next();
    if (done === true) return value;
  }
};
const [ONE, TWO] = [Float32Array.of(1, 0.5), Float32Array.of(0, -1)];

describe('vectors of a provider', () => {
  it('are read in the order of the inputs, from digits and from base64', () => {
    const mixed = [
      { index: 1, embedding: packVector(TWO) },
      { index: 0, embedding: [1, 0.5] },
    ];
    assert.deepEqual(read(mixed, { prompt_tokens: 3 }), {
      vectors: [ONE, TWO],
      usage: { input: 3, output: 0 },
    });
    const unnumbered = [{ embedding: [1, 0.5] }, { embedding: [0, -1] }];
    assert.deepEqual(read(unnumbered, { total_tokens: -1 }), { vectors: [ONE, TWO] });
  });

  it('are a fault when they are others than were asked for', () => {
    const good = { embedding: [1, 2] };
    const wrong: readonly unknown[] = [
      undefined,
      [good],
      [good, good, good],
      [good, { embedding: [1] }],
      [good, { embedding: [1, null] }],
      [good, { embedding: 'AAA' }],
      [good, { embedding: packVector(Float32Array.of(1, NaN)) }],
      [good, { embedding: [1, 2], index: 0 }],
      [good, { embedding: [1, 2], index: 2 }],
      [good, { embedding: [1, 2], index: '1' }],
      [good, 5],
    ];
    for (const data of wrong) {
      assert.match(JSON.stringify(read(data)), /"fault":"The provider/, JSON.stringify(data));
    }
  });

  it('are of one text or many, and an empty one is found', () => {
    assert.deepEqual(inputsOf('a'), ['a']);
    assert.deepEqual(inputsOf([1, 2]), [[1, 2]]);
    assert.deepEqual(inputsOf([[1], [2]]), [[1], [2]]);
    assert.equal(emptyInput(['a', ' ']), 1);
    assert.equal(emptyInput([[1], []]), 1);
    assert.equal(emptyInput(['a', [1]]), -1);
  });
});

describe('hashed words', () => {
  const nearness = (one: string, other: string): number => {
    const [a, b] = [hashedWords(one, 512), hashedWords(other, 512)];
    return a.reduce((sum, value, n) => sum + value * (b[n] ?? 0), 0);
  };

  it('are near when they have words in common, in any form and order', () => {
    assert.ok(nearness('billing plans of the year', 'the plan is billed by year') > 0.4);
    assert.ok(Math.abs(nearness('billing plans', 'rivers of Norway')) < 0.3);
    assert.ok(nearness('createIssue', 'create issue') > 0.4);
  });

  it('have length 1 also without a word, and are the same each time', () => {
    for (const text of ['one', '!!!', 'a', '漢字', '']) {
      const vector = hashedWords(text, 16);
      assert.ok(Math.abs(Math.hypot(...vector) - 1) < 1e-6, text);
      assert.deepEqual(hashedWords(text, 16), vector);
    }
    assert.notDeepEqual(hashedWords([1, 2], 16), hashedWords([3], 16));
  });
});
