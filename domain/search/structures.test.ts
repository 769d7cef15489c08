import assert from 'node:assert/strict';
import { openDictionary } from './dictionary.ts';
import { openDocumentStore } from './documentStore.ts';
import { openHeap } from './heap.ts';
import { openLists } from './lists.ts';
import { openMatched } from './matched.ts';
import { bytesOf, pack, unpack } from './packing.ts';
import { openTexts } from './texts.ts';
import { openTiers } from './tiers.ts';
import { deletionVariants } from './typos.ts';

describe('the documents that a query met', () => {
  it('are each new once a query', () => {
    const matched = openMatched();
    matched.begin(3);
    assert.deepEqual([0, 2, 0, 2].map(matched.isFirst), [true, true, false, false]);
    matched.begin(9);
    assert.deepEqual([0, 8, 8].map(matched.isFirst), [true, true, false]);
    matched.begin(9);
    assert.deepEqual([0, 1].map(matched.isFirst), [true, true]);
  });
});

describe('the words of an index', () => {
  const words = ['pier', 'orchard', '=orchard', 'orchards', 'orch', 'quay', 'ore'];

  it('are found by their beginning, in the order of their bytes, without names', () => {
    const dictionary = openDictionary();
    const ids = words.map(dictionary.add);
    const named = (found: readonly number[]): readonly string[] => found.map(dictionary.term);
    assert.deepEqual(ids, [0, 1, 2, 3, 4, 5, 6]);
    assert.equal(dictionary.add('quay'), 5);
    assert.equal(dictionary.size, 7);
    assert.deepEqual([dictionary.idOf('=orchard'), dictionary.idOf('none')], [2, undefined]);
    assert.deepEqual(named(dictionary.beginningWith('orch')), ['orch', 'orchard', 'orchards']);
    assert.deepEqual(named(dictionary.beginningWith('or')), ['orch', 'orchard', 'orchards', 'ore']);
    assert.deepEqual(named(dictionary.beginningWith('z')), []);
    assert.deepEqual(named(dictionary.beginningWith('=')), []);
    for (const word of ['orchid', 'a', 'zoo']) dictionary.add(word);
    assert.deepEqual(named(dictionary.beginningWith('orch')), [
      ...['orch', 'orchard', 'orchards', 'orchid'],
    ]);
    assert.deepEqual(named(dictionary.beginningWith('z')), ['zoo']);
  });

  it('are two thousand at most of one beginning', () => {
    const dictionary = openDictionary();
    for (let n = 0; n < 2_001; n += 1) dictionary.add(`a${n}`);
    assert.equal(dictionary.beginningWith('a').length, 2_000);
  });

  it('are found by a form without one letter', () => {
    const dictionary = openDictionary();
    for (const word of [...words, 'orchird']) dictionary.add(word);
    const found = dictionary.withForm(deletionVariants('orchrd')).map(dictionary.term);
    assert.deepEqual([...found].sort(), ['orchard', 'orchird']);
    assert.deepEqual(dictionary.withForm([]), []);
  });

  it('are found by their forms when there are hundreds of them', () => {
    const dictionary = openDictionary();
    const letters = 'abcdefghijklmnopqrstuvwxyz';
    const all = [...letters].flatMap((a) => [...letters].map((b) => `${a}${b}wxyz`));
    all.forEach(dictionary.add);
    for (const word of ['aawxyz', 'mnwxyz', 'zzwxyz']) {
      const found = dictionary.withForm([word]).map(dictionary.term);
      assert.ok(found.includes(word), word);
    }
    const short = dictionary.withForm(['mwxyz']).map(dictionary.term);
    assert.equal(short.filter((word) => word.includes('m')).length, 2 * 26 - 1);
  });

  it('go on from the state of a dictionary', () => {
    const dictionary = openDictionary();
    words.forEach(dictionary.add);
    const other = openDictionary(dictionary.state());
    assert.equal(other.add('orchid'), 7);
    assert.deepEqual(other.beginningWith('orchi').map(other.term), ['orchid']);
    assert.deepEqual(other.withForm(['pier']).map(other.term), ['pier']);
    assert.equal(other.size, 8);
  });
});

describe('the lists of a word', () => {
  it('part the documents by weight and name, and count them by kind', () => {
    const tiers = openTiers();
    tiers.add(7, 0, 256 + 40, 3);
    tiers.add(7, 0, 256 + 47, 1);
    tiers.add(7, 0, 256 + 48, 2);
    tiers.add(7, 0, 40, 9);
    tiers.add(7, 1, 40, 5);
    const of = (kind: number) =>
      tiers
        .of(7, kind)
        .map(({ documents, isInName, weightMax }) => [[...documents], isInName, weightMax]);
    assert.deepEqual(of(0), [
      [[9], false, 47],
      [[2], true, 63],
      [[1, 3], true, 47],
    ]);
    assert.deepEqual([of(1), of(2)], [[[[5], false, 47]], []]);
    assert.deepEqual(
      [0, 1, 2].map((kind) => tiers.documents(7, kind)),
      [4, 1, 0],
    );
    tiers.drop(7, 0, 40, 9);
    tiers.drop(7, 0, 256 + 44, 3);
    assert.deepEqual(of(0), [
      [[2], true, 63],
      [[1], true, 47],
    ]);
    assert.deepEqual([tiers.documents(7, 0), tiers.documents(8, 0)], [2, 0]);
  });

  it('hold thousands of words', () => {
    const tiers = openTiers();
    for (let term = 0; term < 3_000; term += 1) tiers.add(term, 3, 16 * (term % 16), term);
    for (const term of [0, 255, 256, 1_023, 1_024, 2_999]) {
      assert.deepEqual(
        tiers.of(term, 3).map(({ documents }) => [...documents]),
        [[term]],
      );
      assert.equal(tiers.documents(term, 3), 1);
    }
  });
});

describe('the documents of an index', () => {
  it('have a number each, which is used again', () => {
    const store = openDocumentStore();
    const [a, b, c] = [store.add(0, 'x', 0), store.add(1, 'x', 0), store.add(1, 'x', 1)];
    assert.deepEqual([a, b, c, store.end], [0, 1, 2, 3]);
    store.add(0, 'w', 0);
    const numbers = () =>
      [
        [0, 0],
        [1, 0],
        [1, 1],
        [0, 1],
      ].map(([kind = 0, part = 0]) => store.numberOf(kind, 'x', part));
    assert.deepEqual(numbers(), [0, 1, 2, undefined]);
    assert.equal(store.numberOf(0, 'other', 0), undefined);
    store.remove(b);
    assert.deepEqual(numbers(), [0, undefined, 2, undefined]);
    store.remove(c);
    assert.deepEqual(numbers(), [0, undefined, undefined, undefined]);
    assert.deepEqual([store.add(0, 'x', 1), store.add(2, 'y', 0), store.end], [2, 1, 4]);
    store.remove(a);
    assert.deepEqual(numbers(), [undefined, undefined, undefined, 2]);
    assert.deepEqual([store.ref(1), store.ref(3)], ['y', 'w']);
    assert.deepEqual([Math.sign(store.compareRefs(2, 1)), store.compareRefs(2, 2)], [-1, 0]);
  });

  it('answer with the standing of their owner, before and after they are there', () => {
    const store = openDocumentStore();
    store.setStanding('x', [0, 'x', 0, '', '', 0, 7, 9]);
    const document = store.add(1, 'x', 0);
    const owner = store.columns.owner[document] ?? 0;
    const { answers, karma, reach } = store.columns;
    assert.deepEqual([answers[owner], karma[owner], reach[owner]], [0, 7, 9]);
    const other = store.columns.owner[store.add(2, 'y', 0)] ?? 0;
    assert.deepEqual([answers[other], karma[other], reach[other]], [1, 0, 0]);
  });

  it('are more than the arrays had room for at first', () => {
    const store = openDocumentStore();
    for (let n = 0; n < 1_000; n += 1) {
      const document = store.add(n % 4, `ref ${n}`, n);
      store.setStanding(`ref ${n}`, [0, '', 0, '', '', n % 2, n, 2 * n]);
      store.columns.digest[document] = n;
    }
    for (const n of [0, 255, 256, 511, 512, 999]) {
      const document = store.numberOf(n % 4, `ref ${n}`, n) ?? -1;
      const { owner, karma, reach, answers, kind, part, digest } = store.columns;
      const by = owner[document] ?? 0;
      assert.deepEqual(
        [document, karma[by], reach[by], answers[by], kind[document], part[document]],
        [n, n, 2 * n, n % 2, n % 4, n],
      );
      assert.equal(digest[document], n);
    }
  });
});

describe('a heap', () => {
  it('says which is the last it keeps, once it has no more room', () => {
    const heap = openHeap<number>(2, (a, b) => a - b);
    assert.equal(heap.last(), undefined);
    heap.offer(5);
    assert.equal(heap.last(), undefined);
    heap.offer(3);
    assert.equal(heap.last(), 5);
    heap.offer(4);
    assert.equal(heap.last(), 4);
    heap.offer(4);
    assert.deepEqual(heap.all().sort(), [3, 4]);
  });
});

describe('sorted lists', () => {
  it('use the room of a list that was cleared or outgrew it', () => {
    const lists = openLists();
    const many = Array.from({ length: 2_000 }, () => lists.open());
    for (const list of many) for (let value = 4; value > 0; value -= 1) lists.put(list, value);
    const { slabs, used } = lists.state();
    assert.equal(slabs.length, 1);
    for (const list of many) lists.clear(list);
    for (const list of many) for (let value = 0; value < 4; value += 1) lists.put(list, value);
    assert.equal(lists.state().used, used);
    for (const list of many) assert.deepEqual([...lists.of(list)], [0, 1, 2, 3]);
  });

  it('go on from a state', () => {
    const lists = openLists();
    const list = lists.open();
    for (const value of [5, 1, 3]) lists.put(list, value);
    const other = openLists(lists.state());
    other.put(list, 2);
    assert.deepEqual([...other.of(list)], [1, 2, 3, 5]);
    assert.equal(other.open(), 1);
  });
});

describe('a packed state', () => {
  it('has its arrays beside the text, in their order', () => {
    const state = {
      a: new Uint8Array([1, 2]),
      b: [new Int32Array([-1])],
      c: { length: 1 },
      d: null,
    };
    const { text, arrays } = pack(state);
    assert.equal(
      text,
      '{"a":{"array":"Uint8Array","length":2},"b":[{"array":"Int32Array","length":1}],' +
        '"c":{"length":1},"d":null}',
    );
    assert.deepEqual(
      arrays.map((each) => [...each]),
      [
        [1, 2],
        [255, 255, 255, 255],
      ],
    );
    assert.equal(bytesOf(state), 6);
    let next = 0;
    const back = unpack(text, (bytes) => {
      bytes.set(arrays[next] ?? []);
      next += 1;
    });
    assert.deepEqual(back, state);
  });
});

describe('texts', () => {
  it('go on from a state', () => {
    const texts = openTexts();
    for (let n = 0; n < 3_000; n += 1) assert.equal(texts.add(`text ${n}`), n);
    const other = openTexts(texts.state());
    assert.deepEqual(
      [other.idOf('text 2999'), other.add('more'), other.of(0)],
      [2_999, 3_000, 'text 0'],
    );
    assert.equal(other.size, 3_001);
  });
});
