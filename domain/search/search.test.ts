import assert from 'node:assert/strict';
import fc from 'fast-check';
import { listingDocuments } from './documents.ts';
import { parseQuery } from './query.ts';
import { distance, deletionVariants, typosOf } from './typos.ts';
import { snippetsFor } from './snippet.ts';
import { wordsOf } from '../analysis/words.ts';

describe('documents and queries', () => {
  it('are bounded, whatever the text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 3000 }), (text) => {
        const words = wordsOf(text, 50);
        assert.ok(words.length <= 50 && words.every(({ whole }) => whole.length <= 40));
        assert.ok(parseQuery(text).queryTerms.length <= 8);
        const skills = [{ place: 0, name: text, description: text, tags: [text] }];
        const standing = { answers: true, karma: 0, reach: 0 };
        const listing = { id: '1', name: text, description: text, host: text, skills, standing };
        for (const { weights } of listingDocuments(listing)) {
          for (const weight of weights.values()) assert.ok(weight >= 1 && weight <= 511);
        }
        assert.ok(snippetsFor('weather')(text).length <= 400);
      }),
    );
  });
});

describe('a slip of the finger', () => {
  it('is one letter more, less, other, or swapped with its neighbour', () => {
    for (const typo of ['wether', 'weathher', 'weasher', 'waether']) {
      assert.equal(distance(typo, 'weather', 1), 1, typo);
      const forms = new Set(deletionVariants('weather'));
      assert.ok(
        deletionVariants(typo).some((form) => forms.has(form)),
        typo,
      );
    }
    assert.equal(distance('weather', 'leather', 0), 1);
    assert.equal(distance('weather', 'wonder', 1), 2);
  });

  it('is found even where it hides the ending', () => {
    assert.ok(typosOf('transalte').includes('translate'));
    assert.deepEqual(typosOf('abc'), []);
  });
});

describe('a snippet', () => {
  it('begins a little before the word that was found', () => {
    const text = `${'before '.repeat(60)}the invoice stands here ${'after '.repeat(60)}`;
    const snippet = snippetsFor('invoices')(text);
    assert.match(snippet, /^….*invoice stands.*…$/);
    assert.ok(snippet.length <= 260);
    assert.equal(snippetsFor('text')('short  text'), 'short text');
  });
});

describe('a misspelled word', () => {
  it('has forms with one letter left out, when it has 4 to 20 letters', () => {
    assert.deepEqual(deletionVariants('abcd'), ['abcd', 'bcd', 'acd', 'abd', 'abc']);
    assert.deepEqual(deletionVariants('aabb'), ['aabb', 'abb', 'aab']);
    for (const none of ['abc', 'a'.repeat(21), 'abc1', 'ab cd']) {
      assert.deepEqual(deletionVariants(none), []);
    }
    assert.equal(deletionVariants('abcdefghijklmnopqrst').length, 21);
  });

  it('may be meant for each word with two letters swapped or one less', () => {
    assert.deepEqual(typosOf('abcd'), [...['bacd', 'acbd', 'abdc', 'bcd', 'acd', 'abd', 'abc']]);
    assert.deepEqual(typosOf('aaaa'), ['aaaa', 'aaa']);
  });

  it('is as far from another as the least steps', () => {
    const cases = [
      ['abcd', 'abcd', 2, 0],
      ['abcd', 'abdc', 2, 1],
      ['abcd', 'badc', 2, 2],
      ['abcd', 'abc', 2, 1],
      ['abc', 'abcd', 2, 1],
      ['abcd', 'abed', 2, 1],
      ['abcd', 'xbcy', 2, 2],
      ['abcd', 'cdab', 2, 3],
      ['abcd', 'abcdxyz', 2, 3],
      ['abcd', 'wxyz', 1, 2],
      ['ca', 'abc', 3, 3],
      ['', 'ab', 2, 2],
    ] as const;
    for (const [a, b, max, steps] of cases) assert.equal(distance(a, b, max), steps, `${a} ${b}`);
  });
});

describe('a snippet', () => {
  const filler = 'aaaa '.repeat(100);

  it('is the whole text up to 240 characters, in one line', () => {
    assert.equal(snippetsFor('x')(`  a\n b${'c'.repeat(237)} `), `a b${'c'.repeat(237)}`);
    assert.equal(snippetsFor('x')(`a ${'c'.repeat(238)}`).length, 240);
    assert.equal(snippetsFor('x')(`a ${'c'.repeat(239)}`), 'a…');
    assert.equal(snippetsFor('x')('c'.repeat(241)), `${'c'.repeat(240)}…`);
  });

  it('begins with the text where the word is early or missing', () => {
    const early = `${'a'.repeat(59)} orchard ${filler}`;
    assert.ok(snippetsFor('orchards')(early).startsWith(`${'a'.repeat(59)} orchard aaaa`));
    const missing = snippetsFor('pier')(filler);
    assert.equal(missing, `${'aaaa '.repeat(48).trim()}…`);
  });

  it('begins at a word within sixty characters before the one that was asked for', () => {
    const late = `${filler}orchard ${filler}`;
    const snippet = snippetsFor('orchard')(late);
    assert.equal(snippet.indexOf('orchard'), 1 + 11 * 5);
    assert.match(snippet, /^…aaaa .* aaaa…$/);
    const end = snippetsFor('orchard')(`${filler}orchard`);
    assert.equal(end, `…${'aaaa '.repeat(11)}orchard`);
  });
});
