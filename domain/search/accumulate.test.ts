import assert from 'node:assert/strict';
import fc from 'fast-check';
import { KINDS, wordOf, type SearchWord } from './plan.ts';
import { bestOf, accumulate, type Met } from './accumulate.ts';
import { termOfBoth, termsIn, termsText, weightIn } from './terms.ts';

const terms = fc.uniqueArray(fc.tuple(fc.nat(400_000), fc.integer({ min: 1, max: 255 })), {
  selector: ([term]) => term,
});
const word = (term: number, kind: number, queryTerm: number, score: number): SearchWord => {
  return { word: wordOf(term, kind), queryTerm, score, documents: 1, changed: 1 };
};

describe('the terms of a document', () => {
  it('give each its weight, and nothing to others', () => {
    fc.assert(
      fc.property(terms, fc.nat(400_000), (all, other) => {
        const read = termsIn(termsText(all));
        assert.deepEqual(
          read.map(termOfBoth),
          all.map(([term]) => term),
        );
        for (const [term, weight] of all) assert.equal(weightIn(read, term), weight);
        if (!all.some(([term]) => term === other)) assert.equal(weightIn(read, other), 0);
      }),
    );
  });
});

describe('what documents gain', () => {
  const agent = KINDS.indexOf('agent');
  const words = [word(1, agent, 1, 300), word(2, agent, 1, 100), word(3, agent, 2, 200)];

  it('is by each idea the most that one of its words gives', () => {
    const gained = accumulate([...words, word(9, agent, 0, 2000), word(1, agent + 1, 2, 999)]);
    const of = (...all: [number, number][]): readonly number[] => termsIn(termsText(all));
    const text = of([1, 10], [2, 100], [3, 5]);
    assert.deepEqual(gained(agent, text), { score: 10_000 + 1_000, queryTerms: 2, named: 0 });
    const named = gained(agent, of([9, 255]));
    assert.deepEqual(named, { score: 0, queryTerms: 0, named: 255 });
    assert.deepEqual(gained(KINDS.indexOf('task'), text), { score: 0, queryTerms: 0, named: 0 });
  });

  it('chooses those that gain most, of equals those of the lowest numbers', () => {
    const [first, second, third] = words as [SearchWord, SearchWord, SearchWord];
    const met: readonly Met[] = [
      [first, { documents: [40, 8, 20], weights: [10, 10, 30] }],
      [second, { documents: [40, 20], weights: [40, 50] }],
      [third, { documents: [12, 16], weights: [15, 15] }],
    ];
    const best = (count: number): readonly number[] =>
      [...bestOf(met, count)].sort((a, b) => a - b);
    assert.deepEqual(best(10), [8, 12, 16, 20, 40]);
    assert.deepEqual(best(4), [8, 12, 20, 40]);
    assert.deepEqual(best(2), [20, 40]);
    assert.deepEqual(best(1), [20]);
  });

  it('chooses them as one who sorts all of them does', () => {
    const postings = fc.uniqueArray(fc.tuple(fc.nat(60), fc.integer({ min: 1, max: 3 })), {
      selector: ([document]) => document,
    });
    const query = fc.array(fc.tuple(fc.integer({ min: 0, max: 3 }), fc.nat(3), postings));
    fc.assert(
      fc.property(query, fc.integer({ min: 30, max: 60 }), (all, count) => {
        const met = all.map(([queryTerm, score, at], n): Met => {
          const [documents, weights] = [at.map(([each]) => each), at.map(([, each]) => each)];
          return [word(n, agent, queryTerm, score), { documents, weights }];
        });
        const scores = new Map<number, number[]>();
        for (const [{ queryTerm, score }, { documents, weights }] of met) {
          for (const [n, document] of documents.entries()) {
            const byIdea = scores.get(document) ?? [0, 0, 0, 0];
            byIdea[queryTerm] = Math.max(byIdea[queryTerm] ?? 0, score * (weights[n] ?? 0));
            scores.set(document, byIdea);
          }
        }
        const sums = [...scores].map(([document, each]) => {
          return { document, score: each.reduce((sum, one) => sum + one, 0) };
        });
        sums.sort((a, b) => b.score - a.score || a.document - b.document);
        const expected = sums.slice(0, count).map(({ document }) => document);
        const byNumber = (list: readonly number[]): number[] => [...list].sort((a, b) => a - b);
        assert.deepEqual(byNumber(bestOf(met, count)), byNumber(expected));
      }),
    );
  });

  it('leaves out, of far more than are wanted, those that gain less than a fifth of the best', () => {
    const [first] = words as [SearchWord];
    const documents = Array.from({ length: 100 }, (_, n) => n);
    const weights = documents.map((n) => (n === 70 ? 100 : n < 3 ? 20 : 19));
    assert.deepEqual(
      [...bestOf([[first, { documents, weights }]], 30)].sort((a, b) => a - b),
      [0, 1, 2, 70],
    );
  });
});
