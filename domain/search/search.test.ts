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
