import assert from 'node:assert/strict';
import { listingDocuments, taskDocument, type Document } from './documents.ts';
import { openJudge } from './fixture.ts';
import type { FindRequest, IndexRow } from './found.ts';
import { openIndex, type SearchIndex } from './index.ts';
import { KINDS } from './plan.ts';
import { termsText } from './terms.ts';

/** Words with neighbours by a slip, by their beginning and by their meaning. */
const WORDS =
  'weather leather feather forecast harbour harbor orchard orchards keeper meadow pier quay mill ' +
  'translate translator convert music song invoice receipt chart graph cat cart tower towers';
const VOCABULARY = WORDS.split(' ');

/** Evenly spread whole numbers below a bound, the same for the same seed. */
function chance(seed: number): (below: number) => number {
  let state = seed * 2_654_435_761;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

const phrase = (next: (below: number) => number, length: number): string =>
  Array.from({ length }, () => VOCABULARY[next(VOCABULARY.length)] ?? '').join(' ');

function listing(seed: number): readonly Document[] {
  const next = chance(seed);
  const skills = Array.from({ length: next(3) }, (_, place) => ({
    place,
    name: phrase(next, 1 + next(2)).replace(' ', '_'),
    description: phrase(next, 4),
    tags: [phrase(next, 1)],
  }));
  return listingDocuments({
    id: `agent-${seed % 100}`,
    name: phrase(next, 1 + next(3)),
    description: phrase(next, next(9)),
    host: `${phrase(next, 1)}.example`,
    skills,
    standing: { answers: next(4) > 0, karma: next(3), reach: next(4) },
  });
}

function rowOf({ kind, ref, part, digest, weights, standing }: Document): IndexRow {
  const { answers, karma, reach } = standing;
  const place = KINDS.indexOf(kind);
  return [place, ref, part, digest, termsText(weights), answers ? 1 : 0, karma, reach];
}
const gone = ([kind, ref, part]: IndexRow): IndexRow => [kind, ref, part, '', '', 0, 0, 0];

function queryOf(seed: number): string {
  const next = chance(seed + 77_777);
  const words = phrase(next, 1 + next(3));
  const at = next(words.length);
  const slip = [
    words,
    words,
    `${words} `,
    words.slice(0, at),
    words.slice(0, at) + words.slice(at + 1),
  ];
  return slip[next(slip.length)] ?? words;
}

const REQUESTS: readonly Omit<FindRequest, 'text'>[] = [
  { kinds: KINDS, order: 'score', count: 5 },
  { kinds: KINDS, order: 'score', count: 100 },
  { kinds: ['agent'], order: 'score', answeringOnly: true, count: 3 },
  { kinds: ['agent'], order: 'karma', count: 6 },
  { kinds: ['agent'], order: 'karma', answeringOnly: true, count: 100 },
];

function mustFindAs(index: SearchIndex, documents: readonly Document[], queries: number): void {
  const judge = openJudge(documents);
  for (let n = 0; n < queries; n += 1) {
    for (const each of REQUESTS) {
      const request = { answeringOnly: false, ...each, text: queryOf(n) };
      assert.deepEqual(index.find(request), judge.search(request), JSON.stringify(request));
    }
  }
}

const filled = (documents: readonly Document[]): SearchIndex => {
  const index = openIndex();
  index.take(documents.map(rowOf));
  return index;
};

describe('the hits of a search', () => {
  for (const count of [1, 12, 60]) {
    it(`are those that one finds who scores every document of ${count} listings`, () => {
      const documents = Array.from({ length: count }, (_, n) => listing(n)).flat();
      const index = filled(documents);
      assert.equal(index.documents, documents.length);
      mustFindAs(index, documents, 30);
    });
  }

  it('stay so when listings change, leave and come back', () => {
    const index = openIndex();
    const kept = new Map<string, readonly Document[]>();
    const next = chance(5);
    for (let n = 0; n < 300; n += 1) {
      const place = next(40);
      const before = kept.get(`agent-${place}`) ?? [];
      const after = next(4) === 0 ? [] : listing(place + 100 * next(50));
      const left = new Set(after.map(({ kind, part }) => `${kind} ${part}`));
      const lost = before.filter(({ kind, part }) => !left.has(`${kind} ${part}`));
      index.take([...lost.map(rowOf).map(gone), ...after.map(rowOf)]);
      kept.set(`agent-${place}`, after);
    }
    const documents = [...kept.values()].flat();
    assert.equal(index.documents, documents.length);
    mustFindAs(index, documents, 20);
  });

  it('do not depend on the order in which rows come', () => {
    const documents = Array.from({ length: 40 }, (_, n) => listing(n)).flat();
    const backwards = filled([...documents].reverse());
    mustFindAs(backwards, documents, 10);
  });
});

describe('an index', () => {
  const task = (id: string, title: string): Document =>
    taskDocument({ id, title, description: '', labels: [] });
  const find = (index: SearchIndex, text: string, more: Partial<FindRequest> = {}) =>
    index
      .find({ text, kinds: KINDS, order: 'score', count: 10, ...more })
      .map(({ ref, score }) => `${ref} ${score}`);

  it('keeps a document whose digest is the same, and forgets one that is gone', () => {
    const row = rowOf(task('a', 'Orchard'));
    const [kind, ref, part, digest] = row;
    const index = openIndex();
    index.take([row]);
    assert.deepEqual(find(index, 'orchard'), ['a 933']);
    const other = rowOf(task('a', 'Meadow'));
    index.take([[kind, ref, part, digest, other[4], 1, 0, 0]]);
    assert.deepEqual([find(index, 'orchard').length, find(index, 'meadow').length], [1, 0]);
    index.take([other]);
    assert.deepEqual([find(index, 'orchard').length, find(index, 'meadow').length], [0, 1]);
    index.take([gone(other), gone(other), gone(rowOf(task('never', 'x')))]);
    assert.deepEqual([index.documents, find(index, 'meadow')], [0, []]);
    index.take([row]);
    assert.deepEqual(find(index, 'orchard'), ['a 933']);
  });

  it('finds nothing without a word', () => {
    const index = filled([task('a', 'Orchard')]);
    for (const text of ['', '!?', 'the', 'nothing']) assert.deepEqual(find(index, text), []);
  });

  it('finds listings that are named whole in the request before all others', () => {
    const named = { ...listing(1)[0], ref: 'x' } as Document;
    const index = filled([...listing(2), named]);
    assert.deepEqual(find(index, 'zzzz', { whole: ['x', 'unknown'] }), [
      `x ${named.standing.answers ? 1_000 : 639}`,
    ]);
  });

  it('follows the standing of a listing whose texts stay as they are', () => {
    const [one] = listing(3);
    assert.ok(one !== undefined);
    const rows = ['a', 'b'].map((ref) => rowOf({ ...one, ref }));
    const index = openIndex();
    index.take(rows);
    const text = [...one.weights.keys()].find((term) => !term.startsWith('=')) ?? '';
    const standing = (karmaA: number, karmaB: number): void => {
      index.take(
        rows.map(([kind, ref, part, digest, terms]): IndexRow => {
          return [kind, ref, part, digest, terms, 1, ref === 'a' ? karmaA : karmaB, 0];
        }),
      );
    };
    const first = (): string =>
      index.find({ text, kinds: ['agent'], order: 'score', count: 1 })[0]?.ref ?? '';
    standing(0, 5);
    assert.equal(first(), 'b');
    standing(6, 5);
    assert.equal(first(), 'a');
  });
});
