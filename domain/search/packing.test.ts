import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import fc from 'fast-check';
import type { IndexRow } from './found.ts';
import { INDEX_FORM, openIndex, type IndexState, type SearchIndex } from './index.ts';
import { pack, unpack } from './packing.ts';
import { KINDS } from './plan.ts';

const WORDS = ['harbour', 'meadow', 'orchard', 'pier', 'quay', 'mill', 'tower', '=towermill'];

function restored(index: SearchIndex): SearchIndex {
  const { text, arrays } = pack(index.state());
  // The bytes of a file are others than those of the index, which changes on.
  const copies = arrays.map((each) => each.slice());
  let next = 0;
  const state = unpack(text, (into) => into.set(copies[next++] ?? new Uint8Array(0)));
  assert.equal(next, copies.length);
  return openIndex(state as IndexState);
}

function found(index: SearchIndex): unknown {
  const order = 'score' as const;
  const asked = ['harbour pier', 'meadw', 'tow', 'Tower mill', 'orchard quay mill'];
  return asked.map((text) => index.find({ text, kinds: KINDS, order, count: 30 }));
}

const change = fc
  .record({
    kind: fc.nat(3),
    ref: fc.nat(40),
    part: fc.nat(2),
    words: fc.array(fc.nat(WORDS.length - 1), { maxLength: 6 }),
    weight: fc.integer({ min: 1, max: 511 }),
    karma: fc.nat(3),
  })
  .map(({ kind, ref, part, words, weight, karma }): IndexRow => {
    const terms = [...new Set(words)].map((word) => `${WORDS[word] ?? ''}:${weight} `).join('');
    const text = terms === '' ? '' : ` ${terms}`;
    return [kind, `ref-${ref}`, part, `${weight}${words.join('')}`, text, 1, karma, ref];
  });
const changes = fc.array(change, { maxLength: 200 });

describe('a packed index', () => {
  it('finds what the index found, then and after the same changes', () => {
    fc.assert(
      fc.property(changes, changes, (before, after) => {
        const index = openIndex();
        index.take(before);
        const copy = restored(index);
        assert.deepEqual(found(copy), found(index));
        index.take(after);
        copy.take(after);
        assert.deepEqual(found(copy), found(index));
      }),
      { numRuns: 40 },
    );
  });

  it('has the bytes of its form; when they change, INDEX_FORM is raised with this digest', () => {
    const index = openIndex();
    const rows = Array.from({ length: 400 }, (_, n): IndexRow => {
      const words = WORDS.filter((_word, at) => (n >> at) % 2 === 1);
      const terms = ` ${words.map((word) => `${word}:${1 + (n % 511)} `).join('')}`;
      return [n % 4, `ref-${n % 90}`, n % 3, n.toString(16), n % 9 === 0 ? '' : terms, 1, n, 1];
    });
    index.take(rows);
    const { text, arrays } = pack(index.state());
    const hash = createHash('sha256').update(text);
    for (const each of arrays) hash.update(each);
    assert.deepEqual([INDEX_FORM, hash.digest('hex').slice(0, 16)], [1, '0ed371456fd3ef9e']);
  });
});
