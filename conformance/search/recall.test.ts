import assert from 'node:assert/strict';
import { listingDocuments, type Document } from '../../domain/search/documents.ts';
import type { IndexRow } from '../../domain/search/found.ts';
import { openIndex, type SearchIndex } from '../../domain/search/index.ts';
import { KINDS } from '../../domain/search/plan.ts';
import { parseQuery } from '../../domain/search/query.ts';
import { wordsOf } from '../../domain/analysis/words.ts';
import { termsText } from '../../domain/search/terms.ts';
import { openJudge, type Judge } from '../../domain/search/fixture.ts';
import { aQuery, drawnQuery, synthetic } from './_synthetic.ts';

const SUITE_MS_MAX = 180_000;
const LISTINGS = 700;
const TOOLS_EACH = 5;
const QUERIES = 120;
const FIRST = 20;
const ASKED = 300;

/** Documents of made-up listings; some do not answer, some have karma. */
function documentsOf(n: number, text: number): readonly Document[] {
  const { skills } = synthetic(text, TOOLS_EACH);
  const [{ listing }, own] = [synthetic(text, 0), synthetic(n, 0).listing];
  return listingDocuments({
    id: own.id,
    name: listing.name,
    description: listing.description ?? '',
    host: own.host,
    skills: skills.map((skill, place) => ({ ...skill, place })),
    standing: { answers: n % 7 !== 0, karma: n % 11 === 0 ? n % 5 : 0, reach: n % 97 },
  });
}

function rowOf({ kind, ref, part, digest, weights, standing }: Document): IndexRow {
  const { answers, karma, reach } = standing;
  const place = KINDS.indexOf(kind);
  return [place, ref, part, digest, termsText(weights), answers ? 1 : 0, karma, reach];
}

function gone([kind, ref, part]: IndexRow): IndexRow {
  return [kind, ref, part, '', '', 0, 0, 0];
}

/** In which order, and of what. */
interface Asked {
  readonly order: 'score' | 'karma';
  readonly answeringOnly: boolean;
}

function queryOf(n: number): string {
  return n % 5 === 4 ? aQuery(n) : drawnQuery(n, LISTINGS);
}

describe('the first of a search', function suite() {
  this.timeout(SUITE_MS_MAX);

  const finds = (index: SearchIndex, judge: Judge, asked: Asked): void => {
    for (let n = 0; n < QUERIES; n += 1) {
      const kinds = asked.order === 'karma' || n % 3 === 0 ? (['agent'] as const) : KINDS;
      const request = { text: queryOf(n), kinds, ...asked, count: FIRST };
      assert.deepEqual(index.find(request), judge.search(request), JSON.stringify(request));
    }
  };
  const index = openIndex();
  let judge: Judge;
  before(() => {
    const documents = Array.from({ length: LISTINGS }, (_, n) => documentsOf(n, n)).flat();
    index.take(documents.map(rowOf));
    judge = openJudge(documents);
  });

  for (const order of ['score', 'karma'] as const) {
    for (const answeringOnly of [false, true]) {
      it(`are those of a judge of all documents, by ${order}${answeringOnly ? ' of what answers' : ''}`, () => {
        finds(index, judge, { order, answeringOnly });
      });
    }
  }

  it('stay so when listings change, leave and come back', () => {
    const kept = new Map<string, Document>();
    const changing = openIndex();
    const put = (n: number, text: number): void => {
      const [some] = documentsOf(n, 0);
      const before = [...kept.values()].filter(({ ref }) => ref === some?.ref);
      const after = text < 0 ? [] : documentsOf(n, text);
      for (const { kind, part } of before) kept.delete(`${some?.ref} ${kind} ${part}`);
      for (const each of after) kept.set(`${each.ref} ${each.kind} ${each.part}`, each);
      const left = new Set(after.map(({ kind, part }) => `${kind} ${part}`));
      const lost = before.filter(({ kind, part }) => !left.has(`${kind} ${part}`));
      changing.take([...lost.map(rowOf).map(gone), ...after.map(rowOf)]);
    };
    for (let n = 0; n < 400; n += 1) put(n, n);
    for (let n = 0; n < 400; n += 3) put(n, -1);
    for (let n = 0; n < 400; n += 2) put(n, n + 400);
    for (let n = 0; n < 400; n += 9) put(n, n);
    assert.equal(changing.documents, kept.size);
    finds(changing, openJudge([...kept.values()]), { order: 'score', answeringOnly: false });
  });

  it('have all words in their names before anything has that lacks one there', () => {
    const names = new Map(
      Array.from({ length: LISTINGS }, (_, n) => synthetic(n, 0).listing).map((listing) => [
        listing.id,
        listing.name,
      ]),
    );
    let asked = 0;
    for (const [id, name] of names) {
      const text = name.split(' ').slice(0, 2).join(' ');
      const words = parseQuery(text).queryTerms.map(({ term }) => term);
      const hasAll = (of: string): boolean => {
        const own = new Set(wordsOf(names.get(of) ?? '', 30).map(({ stem }) => stem));
        return words.every((word) => own.has(word));
      };
      if (new Set(words).size < 2) continue;
      const all = index.find({ text, kinds: ['agent'], order: 'score', count: LISTINGS });
      const first = all.findIndex(({ ref }) => !hasAll(ref));
      const last = all.findLastIndex(({ ref }) => hasAll(ref));
      assert.ok(first === -1 || last < first, text);
      assert.ok(
        all.slice(0, last + 1).some(({ ref }) => ref === id),
        text,
      );
      asked += 1;
      if (asked === ASKED) break;
    }
    assert.equal(asked, ASKED);
  });
});
