import assert from 'node:assert/strict';
import { conceptOf, documentsOf, type Term } from './plan.ts';
import { parseQuery } from './query.ts';
import { byKarma, byScore, scoreOf } from './rank.ts';
import { relevanceOf } from './score.ts';
import { eachTerm, termsText } from './terms.ts';
import { isInName, isOwnName, weightOf, weightsOf } from './termWeight.ts';

const entries = (weights: ReadonlyMap<string, number>): Readonly<Record<string, number>> =>
  Object.fromEntries(weights);

describe('the weight of a word', () => {
  const field = (text: string, over: object = {}) => ({
    text,
    worth: 6,
    usual: 1,
    wordsMax: 9,
    ...over,
  });
  const weights = (...fields: ReturnType<typeof field>[]) => entries(weightsOf({ fields }));

  it('is more in a short field and with a second repetition, and no more with a fourth', () => {
    assert.deepEqual(weights(field('orchard')), { orchard: 128 });
    assert.deepEqual(weights(field('orchard meadow')), { orchard: 98, meadow: 98 });
    assert.deepEqual(weights(field('a orchard')), { orchard: 128 });
    const repeated = ['pier', 'pier pier', 'pier pier pier', 'pier pier pier pier'].map(
      (text) => weights(field(text, { usual: 1e9 }))['pier'],
    );
    assert.deepEqual(repeated, [182, 201, 212, 212]);
  });

  it('adds up over the fields, and is marked in the name', () => {
    const both = weights(field('orchard', { isName: true }), field('orchard meadow'));
    assert.deepEqual(both, { orchard: 256 + 158, meadow: 98 });
    assert.deepEqual(weights(field('xyz', { worth: 0.0001 })), { xyz: 1 });
    assert.deepEqual(weights(field('one two three', { wordsMax: 2 })), { one: 98, two: 98 });
  });

  it('counts the humps of an identifier as words', () => {
    const { createissu, cre, issu } = weights(field('createIssue'));
    assert.deepEqual([createissu, cre, issu], [128, 128, 128]);
  });

  it('is 255 for a whole name, and 200 for the name of a part', () => {
    const weighed = weightsOf({
      fields: [],
      name: 'Watch Tower',
      partNames: ['Old Mill', 'Watch Tower', '!'],
    });
    assert.deepEqual(entries(weighed), { '=watchtower': 255, '=oldmill': 200 });
    assert.deepEqual([255, 200, 254].map(isOwnName), [true, false, false]);
    assert.deepEqual([256 + 7, 255, 256].map(weightOf), [7, 255, 0]);
    assert.deepEqual([256, 511, 255, 0].map(isInName), [true, true, false, false]);
  });

  it('travels in one text with its term', () => {
    const given = new Map([
      ['orchard', 456],
      ['=watchtower', 255],
      ['a', 1],
    ]);
    const text = termsText(given);
    assert.equal(text, ' orchard:456 =watchtower:255 a:1 ');
    const read = (of: string): Readonly<Record<string, number>> => {
      const found = new Map<string, number>();
      eachTerm(of, (term, weight) => found.set(term, weight));
      return entries(found);
    };
    assert.deepEqual(read(text), entries(given));
    assert.deepEqual(read(termsText(new Map())), {});
    assert.deepEqual([read(' orchard:45'), read(' orchard ')], [{}, {}]);
  });
});

describe('a query', () => {
  const terms = (text: string) =>
    parseQuery(text).queryTerms.map(({ term, isLast }) => term + (isLast ? '…' : ''));

  it('has up to eight words that say something, each once', () => {
    assert.deepEqual(terms('the orchards of orchard and pier'), ['orchard', 'pier…']);
    assert.deepEqual(terms('the of and'), []);
    const many = 'a1x b2x c3x d4x e5x f6x g7x h8x i9x';
    assert.deepEqual(terms(many).length, 8);
    assert.equal(terms(many)[7], 'h8x…');
  });

  it('ends in a word that is still typed, unless a blank follows it', () => {
    assert.deepEqual(terms('pier orch'), ['pier', 'orch…']);
    assert.deepEqual(terms('pier orch '), ['pier', 'orch']);
  });

  it('knows words of the same meaning and the humps of an identifier', () => {
    const [hump] = parseQuery('createIssue').queryTerms;
    assert.deepEqual([hump?.whole, hump?.others], ['createissue', ['cre', 'issu']]);
    const [music] = parseQuery('docker').queryTerms;
    assert.deepEqual(music?.others, ['contain']);
    assert.equal(parseQuery('Watch-Tower').name, '=watchtower');
    assert.equal(parseQuery('!').name, undefined);
  });
});

describe('the gain of a word', () => {
  const term = (id: number, ...documents: readonly number[]): Term => ({
    id,
    term: `t${id}`,
    documents,
  });

  it('is more for a rare word, in whole numbers', () => {
    const score = (documents: number, total: number): number =>
      conceptOf([{ term: term(1, documents), share: 100 }], ['agent'], total).score;
    assert.deepEqual(
      [score(1, 100), score(10, 100), score(50, 100), score(100, 100), score(200, 100)],
      [421, 226, 69, 40, 40],
    );
    assert.equal(conceptOf([], ['agent'], 100).score, 531);
  });

  it('counts the documents of the kinds that were asked for', () => {
    const some = term(1, 1, 2, 4, 8);
    assert.equal(documentsOf(some, ['agent', 'task']), 5);
    assert.equal(documentsOf(some, ['comment', 'skill']), 10);
    assert.equal(documentsOf(term(2), ['agent']), 0);
  });

  it('is a share of its own for another word', () => {
    const [own, other] = [term(1, 10), term(2, 1)];
    const both = conceptOf(
      [
        { term: other, share: 55 },
        { term: own, share: 100 },
      ],
      ['agent'],
      100,
    );
    assert.deepEqual(
      [both.score, both.words.map(({ score, isAsked }) => [score, isAsked])],
      [
        226,
        [
          [124, false],
          [226, true],
        ],
      ],
    );
    const stand = conceptOf(
      [
        { term: other, share: 60 },
        { term: own, share: 60 },
      ],
      ['agent'],
      100,
    );
    assert.deepEqual(
      [stand.score, stand.words.map(({ score, isAsked }) => [score, isAsked])],
      [
        421,
        [
          [253, true],
          [253, true],
        ],
      ],
    );
    const low = conceptOf([{ term: own, share: 1 }], ['agent'], 10);
    assert.equal(low.words[0]?.score, 1);
  });
});

describe('how well a document fits', () => {
  const about = { gainMax: 100, queryTerms: 2 };
  const hit = { score: 0, queryTerms: 0, inName: 0, named: 0 };
  const full = { ...hit, score: 25_500, queryTerms: 2 };

  it('is from 800 by its whole name, from 600 with all words in it, from 500 by a part', () => {
    const cases = [
      [full, 599],
      [{ ...full, score: 12_750 }, 500],
      [{ ...full, score: 12_750, queryTerms: 1 }, 313],
      [hit, 0],
      [{ ...full, score: 99_999 }, 599],
      [{ ...full, inName: 1 }, 599],
      [{ ...full, inName: 2 }, 799],
      [{ ...hit, inName: 2 }, 600],
      [{ ...full, named: 255 }, 1_000],
      [{ ...hit, named: 255 }, 800],
      [{ ...full, named: 200 }, 599],
      [{ ...hit, named: 200 }, 500],
      [{ ...full, inName: 2, named: 200 }, 799],
    ] as const;
    for (const [of, fit] of cases) assert.equal(relevanceOf(of, about), fit, JSON.stringify(of));
    const none = { gainMax: 0, queryTerms: 0 };
    assert.equal(relevanceOf({ ...hit, named: 255 }, none), 800);
    assert.equal(relevanceOf(hit, none), 0);
  });

  it('counts less of what does not answer', () => {
    assert.deepEqual(
      [0, 100, 599, 600, 700, 999, 1_000].map((fit) => scoreOf(fit, false)),
      [...[0, 70, 419, 600, 610, 639, 639]],
    );
    assert.deepEqual(
      [0, 600, 1_000].map((fit) => scoreOf(fit, true)),
      [0, 600, 1_000],
    );
  });

  const order = (by: typeof byScore, a: object, b: object): number => {
    const plain = { score: 0, karma: 0, reach: 0 };
    return Math.sign(by({ ...plain, ...a }, { ...plain, ...b }));
  };

  it('decides in steps of forty, then karma, reach and the rest of the fit', () => {
    assert.equal(order(byScore, { score: 80 }, { score: 79, karma: 9 }), -1);
    assert.equal(order(byScore, { score: 119 }, { score: 80, karma: 1 }), 1);
    assert.equal(order(byScore, { score: 80, reach: 1 }, { score: 81 }), -1);
    assert.equal(order(byScore, { score: 81 }, { score: 80 }), -1);
    assert.equal(order(byScore, { score: 80 }, { score: 80 }), 0);
  });

  it('decides in lists after names and karma', () => {
    assert.equal(order(byKarma, { score: 800 }, { score: 799, karma: 9 }), -1);
    assert.equal(order(byKarma, { score: 600 }, { score: 599, karma: 9 }), -1);
    assert.equal(order(byKarma, { score: 0, karma: 1 }, { score: 599 }), -1);
    assert.equal(order(byKarma, { score: 80 }, { score: 79, reach: 9 }), -1);
    assert.equal(order(byKarma, { score: 80, reach: 1 }, { score: 119 }), -1);
    assert.equal(order(byKarma, { score: 81 }, { score: 80 }), -1);
  });
});
