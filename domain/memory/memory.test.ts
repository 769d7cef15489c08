import assert from 'node:assert/strict';
import fc from 'fast-check';
import { instant } from '../instant.ts';
import { DIMENSIONS, normalised, unpackEmbedding } from './embedding.ts';
import { packVector } from '../models/embedding.ts';
import { fileReadPrice, fileWritePrice, MEGABYTE, rentPerDay } from './limits.ts';
import { noteDigest, weightOf } from './note.ts';
import { dayName, rentDay, rentDayBegins, rentDue } from './rent.ts';
import {
  affordable,
  askedWords,
  beginningsOf,
  ENTRIES_MAX,
  mayBeBeginning,
  noteWords,
  rarity,
} from './words.ts';

const numbers = fc.array(fc.double({ noNaN: true, noDefaultInfinity: true }), {
  minLength: DIMENSIONS,
  maxLength: DIMENSIONS,
});

describe('embeddings', () => {
  it('are normalised whatever their length, and packed without loss', () => {
    fc.assert(
      fc.property(numbers, (values) => {
        const unit = normalised(values);
        if (unit === undefined) return values.every((value) => value === 0);
        const length = Math.sqrt(unit.reduce((sum, value) => sum + value * value, 0));
        assert.ok(Math.abs(length - 1) < 1e-6);
        assert.deepEqual(unpackEmbedding(packVector(unit)), unit);
        return true;
      }),
      { numRuns: 50 },
    );
  });

  it('are exactly 768 finite numbers that are not all zero', () => {
    const some = Array.from({ length: DIMENSIONS }, (_, n) => n - 3);
    for (const wrong of [
      some.slice(1),
      [...some, 1],
      some.map(() => 0),
      some.map((x, n) => (n === 7 ? NaN : x)),
      some.map((x, n) => (n === 7 ? Infinity : x)),
    ]) {
      assert.equal(normalised(wrong), undefined);
    }
    for (const text of ['', 'AAAA', `${packVector(new Float32Array(DIMENSIONS))} `]) {
      assert.equal(unpackEmbedding(text), undefined);
    }
  });
});

describe('packed embeddings', () => {
  const packed = (...numbers: readonly number[]): string => {
    const bytes = Buffer.alloc(DIMENSIONS * 4);
    numbers.forEach((each, n) => bytes.writeFloatLE(each, n * 4));
    return bytes.toString('base64');
  };
  const unpacked = (...numbers: readonly number[]) => unpackEmbedding(packed(...numbers));

  it('are little-endian float32 in base64, and stay as they are where their length is 1', () => {
    const unit = normalised([3, 4, ...Array<number>(DIMENSIONS - 2).fill(0)]);
    assert.ok(unit !== undefined);
    assert.equal(packVector(unit), packed(0.6, 0.8));
    assert.deepEqual(unpacked(0.6, 0.8), unit);
    assert.equal(unpacked(1 + 5e-7)?.[0], Math.fround(1 + 5e-7), 'the rounding of float32 is kept');
  });

  it('are normalised where their length is another', () => {
    for (const length of [2, 1.00001, 0.99999]) assert.equal(unpacked(length)?.[0], 1);
    assert.deepEqual([...(unpacked(30, 40)?.subarray(0, 2) ?? [])], [0.6, 0.8].map(Math.fround));
  });

  it('are none when they hold another number of bytes, no base64 or no direction', () => {
    assert.equal(unpacked(), undefined);
    assert.equal(unpacked(NaN), undefined);
    const [good, short] = [packed(1), Buffer.alloc(DIMENSIONS * 4 - 1, 1).toString('base64')];
    for (const text of [short, `${good}AAAA`, `${good}\n`, good.replace('AAAA', 'AA-A'), '']) {
      assert.equal(unpackEmbedding(text), undefined);
    }
  });
});

describe('words of notes', () => {
  it('stand under a stem that is the beginning of their whole form', () => {
    const texts = fc.string({ unit: 'grapheme', maxLength: 300 });
    const checked = (text: string): void => {
      for (const { stem, whole, count } of noteWords(text).words) {
        assert.ok(whole.startsWith(stem) && stem !== '' && count > 0, `${stem} of ${whole}`);
      }
    };
    fc.assert(fc.property(texts, checked), { numRuns: 300 });
    checked(
      'mapping scrapers translations Łódź 東京タワー createHTTPServer running studies glasses',
    );
  });

  it('are counted, parts of identifiers too', () => {
    const { words, length } = noteWords('Plan plans PLAN createIssue');
    assert.equal(length, 4);
    assert.deepEqual(words, [
      { stem: 'plan', whole: 'plan', count: 2 },
      { stem: 'plan', whole: 'plans', count: 1 },
      { stem: 'createissu', whole: 'createissue', count: 1 },
      { stem: 'cre', whole: 'cre', count: 1 },
      { stem: 'issu', whole: 'issu', count: 1 },
    ]);
  });

  it('are looked for once each, without stop words unless there are only these', () => {
    assert.deepEqual(askedWords('Which plans are in the plans mapping?'), [
      { stem: 'plan', whole: 'plans' },
      { stem: 'map', whole: 'mapping' },
    ]);
    assert.deepEqual(
      askedWords('createIssue').map(({ whole }) => whole),
      ['createissue', 'cre', 'issu'],
    );
    assert.deepEqual(
      askedWords('what is it').map(({ whole }) => whole),
      ['what', 'is', 'it'],
    );
    assert.deepEqual(askedWords('?!'), []);
    assert.equal(askedWords(Array.from({ length: 100 }, (_, n) => `w${n}`).join(' ')).length, 32);
  });

  it('are read the rarest first, within a bound, and at least one', () => {
    const words = [30_000, 9_000, 9_000, 5_000, 20].map((entries, n) => ({ n, notes: 1, entries }));
    const read = affordable(words).map(({ n }) => n);
    assert.deepEqual(read, [4, 3, 1]);
    assert.deepEqual(affordable(words.slice(0, 1)), words.slice(0, 1));
    assert.deepEqual(affordable([]), []);
    const word = (n: number, entries: number) => ({ n, notes: 1, entries });
    const [few, rest] = [word(0, 1), word(1, ENTRIES_MAX - 1)];
    assert.deepEqual(affordable([rest, few]), [few, rest], 'both are just within');
    assert.deepEqual(affordable([word(1, ENTRIES_MAX), few]), [few]);
    const [first, second] = [word(0, 9_000), word(1, 9_000)];
    assert.deepEqual(affordable([second, first]), [first, second], 'in their order in the text');
  });

  it('are looked for as the beginning of others: the last one, and any of three letters', () => {
    const mayBe = (whole: string, isLast: boolean) =>
      mayBeBeginning({ stem: whole, whole }, isLast);
    assert.deepEqual(
      [mayBe('a', true), mayBe('abc', false), mayBe('ab', false)],
      [true, true, false],
    );
    assert.deepEqual(beginningsOf('a😀c'), ['a', 'a😀', 'a😀c']);
  });

  it('weigh more the fewer notes have them', () => {
    assert.ok(rarity(100, 1) > rarity(100, 50) && rarity(100, 50) > rarity(100, 100));
    // Half of the notes have it: the logarithm of 2 in millionths.
    assert.equal(rarity(100, 50), 693_147);
    assert.equal(rarity(1, 1), 287_682);
    assert.equal(rarity(10_000_000, 10_000_000), 1, 'it is never nothing');
  });
});

describe('what notes and files weigh and cost', () => {
  it('is content, 4 bytes a component, and key, in UTF-8', () => {
    assert.equal(weightOf({ content: 'é', key: 'ü', embedding: 'A'.repeat(4096) }), 2 + 2 + 3072);
    assert.equal(weightOf({ content: 'ab' }), 2);
  });

  it('goes by the started megabyte', () => {
    const costs = [0, 1, MEGABYTE, MEGABYTE + 1].map((bytes) => [
      rentPerDay(bytes),
      fileWritePrice(bytes),
      fileReadPrice(bytes),
    ]);
    assert.deepEqual(costs, [
      [0n, 100n, 10n],
      [50n, 120n, 20n],
      [50n, 120n, 20n],
      [100n, 140n, 30n],
    ]);
  });

  it('is the same note only with the same content, key and embedding', () => {
    const notes = [
      { content: 'a' },
      { content: 'a', key: 'a' },
      { content: 'a', embedding: 'a' },
      { content: '["a"]' },
    ];
    assert.equal(new Set(notes.map((note) => noteDigest(note))).size, notes.length);
  });
});

describe('rent days', () => {
  const day = rentDay(instant(Date.parse('2026-11-20T12:00:00Z')));
  it('begin at 00:05 UTC', () => {
    assert.equal(dayName(day), '2026-11-20');
    assert.equal(rentDay(instant(Date.parse('2026-11-20T00:05:00Z'))), day);
    assert.equal(rentDay(instant(Date.parse('2026-11-20T00:04:59.999Z'))), day - 1);
    assert.equal(rentDayBegins(day), Date.parse('2026-11-20T00:05:00Z'));
  });

  it('are due once, missed ones at most three back, and none of the past while read-only', () => {
    const due = (settledDay: number, readOnly = false): readonly number[] =>
      rentDue({ settledDay, readOnly }, 10);
    assert.deepEqual(due(10), []);
    assert.deepEqual(due(11), [], 'a clock that was set back charges nothing twice');
    assert.deepEqual(due(9), [10]);
    assert.deepEqual(due(7), [10, 9, 8]);
    assert.deepEqual(due(2), [10, 9, 8, 7]);
    assert.deepEqual(due(2, true), [10]);
  });
});
