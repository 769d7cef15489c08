import assert from 'node:assert/strict';
import fc from 'fast-check';
import { KINDS, wordOf, type SearchWord } from './plan.ts';
import { gainsBy, openTally } from './tally.ts';
import { termsIn, termsText, weightOf } from './terms.ts';

const terms = fc.uniqueArray(fc.tuple(fc.nat(400_000), fc.integer({ min: 1, max: 255 })), {
  selector: ([term]) => term,
});
const word = (term: number, kind: number, idea: number, gain: number): SearchWord => {
  return { word: wordOf(term, kind), idea, gain, documents: 1, changed: 1 };
};

describe('the terms of a document as one text', () => {
  it('give each its weight, and nothing to others', () => {
    fc.assert(
      fc.property(terms, fc.nat(400_000), (all, other) => {
        const text = termsText(all);
        assert.deepEqual(
          termsIn(text),
          all.map(([term]) => term),
        );
        for (const [term, weight] of all) assert.equal(weightOf(term)(text), weight);
        if (!all.some(([term]) => term === other)) assert.equal(weightOf(other)(text), 0);
      }),
    );
  });
});

describe('what documents gain', () => {
  const agent = KINDS.indexOf('agent');
  const words = [word(1, agent, 1, 300), word(2, agent, 1, 100), word(3, agent, 2, 200)];

  it('is by each idea the most that one of its words gives', () => {
    const gained = gainsBy([...words, word(9, agent, 0, 2000), word(1, agent + 1, 2, 999)]);
    const text = termsText([
      [1, 10],
      [2, 100],
      [3, 5],
    ]);
    assert.deepEqual(gained(agent, text), { gain: 10_000 + 1_000, ideas: 2, named: 0 });
    const named = gained(agent, termsText([[9, 255]]));
    assert.deepEqual(named, { gain: 0, ideas: 0, named: 255 });
    assert.deepEqual(gained(KINDS.indexOf('task'), text), { gain: 0, ideas: 0, named: 0 });
  });

  it('orders them while their words are read, equals by their number', () => {
    const tally = openTally(words);
    const [first, second, third] = words as [SearchWord, SearchWord, SearchWord];
    tally.add(first, [40, 8, 20], [10, 10, 30]);
    tally.add(second, [40, 20], [40, 50]);
    tally.add(third, [12], [1]);
    assert.deepEqual(tally.best(10), [20, 40, 8, 12]);
    assert.deepEqual(tally.best(2), [20, 40]);
  });
});
