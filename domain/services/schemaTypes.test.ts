import assert from 'node:assert/strict';
import type { JsonObject } from '../jsonObject.ts';
import { meaningWords, nameWord, typeWords, unknownKeywords } from './schemaTypes.ts';

type Rows = readonly (readonly [JsonObject, string])[];
const mustSay = (words: (schema: JsonObject) => string, rows: Rows): void => {
  for (const [schema, wanted] of rows) assert.equal(words(schema), wanted, JSON.stringify(schema));
};

describe('the type of a place in words', () => {
  it('is its type, or each of its types, and null where it may be', () => {
    mustSay(typeWords, [
      [{}, ''],
      [{ type: 'string' }, 'string'],
      [{ type: ['string', 'null'] }, 'string|null'],
      [{ type: 'string', nullable: true }, 'string|null'],
      [{ type: 'string', nullable: 'yes' }, 'string'],
      [{ type: 7 }, ''],
    ]);
  });

  it('is shown by the values of a schema that lists them, without its type', () => {
    mustSay(typeWords, [
      [{ type: 'string', const: 'a' }, '"a"'],
      [{ const: null }, 'null'],
      [{ const: 1, enum: [1, 2] }, '1'],
      [{ type: 'string', enum: ['a', 'b'] }, '"a","b"'],
      [{ enum: ['a'], nullable: true }, '"a",null'],
      [{ enum: ['a', null], nullable: true }, '"a",null'],
      [{ enum: [] }, 'no value'],
      [{ enum: 'a' }, ''],
    ]);
    assert.equal(typeWords({ enum: ['a', 1] }, '|'), '"a"|1');
  });

  it('has the form of a text', () => {
    mustSay(typeWords, [
      [{ type: 'string', format: 'date', pattern: '^a$' }, 'string date /^a$/'],
      [
        { contentEncoding: 'base64', contentMediaType: 'image/png', maxLength: 9 },
        'base64 image/png <=9 chars',
      ],
      [{ minLength: 1, maxLength: 5 }, '1..5 chars'],
      [{ minLength: 5, maxLength: 5 }, '5 chars'],
      [{ minLength: 2 }, '>=2 chars'],
      [{ format: 1, pattern: 2, contentEncoding: 3, contentMediaType: 4, minLength: '5' }, ''],
    ]);
  });

  it('has the limits of a number, of both kinds and of every draft', () => {
    mustSay(typeWords, [
      [{ minimum: 0, maximum: 5 }, '0..5'],
      [{ minimum: 0 }, '>=0'],
      [{ maximum: 0 }, '<=0'],
      [{ exclusiveMinimum: 0 }, '>0'],
      [{ exclusiveMaximum: 0 }, '<0'],
      [{ exclusiveMinimum: 0, exclusiveMaximum: 9 }, '>0 <9'],
      [{ minimum: 1, exclusiveMinimum: true }, '>1'],
      [{ maximum: 9, exclusiveMaximum: true }, '<9'],
      [{ minimum: 1, maximum: 9, exclusiveMinimum: true }, '>1 <=9'],
      [{ minimum: 1, maximum: 9, exclusiveMaximum: true }, '>=1 <9'],
      [{ minimum: 1, maximum: 9, exclusiveMaximum: false }, '1..9'],
      [{ type: 'integer', minimum: 1, exclusiveMaximum: 9 }, 'integer >=1 <9'],
      [{ multipleOf: 0.5 }, 'multiple of 0.5'],
      [{ minimum: '1', maximum: '2', multipleOf: '3' }, ''],
    ]);
  });

  it('has the limits of a list and of an object', () => {
    mustSay(typeWords, [
      [{ minItems: 1, maxItems: 3 }, '1..3 items'],
      [{ maxItems: 3, uniqueItems: true }, '<=3 items unique'],
      [{ uniqueItems: false }, ''],
      [{ minContains: 2, maxContains: 2 }, '2 matching'],
      [{ minProperties: 1, maxProperties: 4 }, '1..4 fields'],
    ]);
  });
});

describe('the meaning of a place in words', () => {
  it('is its title, unless the description begins with that, and its description', () => {
    mustSay(meaningWords, [
      [{}, ''],
      [{ title: 'City', description: 'Where it is' }, 'City; Where it is'],
      [{ title: 'City', description: 'city of the shop' }, 'city of the shop'],
      [{ title: ' City\n name ', description: '  a\t\n b ' }, 'City name; a b'],
      [{ title: 'City' }, 'City'],
      [{ title: 7, description: 8 }, ''],
    ]);
  });

  it('has its default, its examples and who may use it', () => {
    mustSay(meaningWords, [
      [{ default: null }, 'default null'],
      [{ default: 'a' }, 'default "a"'],
      [{ examples: [1, 'a'], example: [2] }, 'e.g. 1 "a" [2]'],
      [{ example: null }, 'e.g. null'],
      [{ examples: 'x' }, ''],
      [
        { description: 'Old', deprecated: true, readOnly: true, writeOnly: true },
        'Old; deprecated; read only; write only',
      ],
      [{ deprecated: 1, readOnly: false, writeOnly: 'x' }, ''],
    ]);
  });
});

describe('names and keywords', () => {
  it('are quoted where they are no plain word', () => {
    for (const name of ['a', '_a', '$a', '@a', 'a-b.c', 'é9', '名前']) {
      assert.equal(nameWord(name), name);
    }
    for (const name of ['', 'a b', '9a', '-a', 'a:b', 'a*', ' a', 'a\n']) {
      assert.equal(nameWord(name), JSON.stringify(name));
    }
  });

  it('are unknown where no word stands for them', () => {
    const schema = {
      type: 'a',
      'x-a': 1,
      $id: 'b',
      $comment: 'c',
      Type: 'd',
      anyOf: [],
      $defs: {},
    };
    assert.deepEqual(unknownKeywords(schema), ['x-a', 'Type']);
  });
});
