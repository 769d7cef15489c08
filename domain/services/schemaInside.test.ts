import assert from 'node:assert/strict';
import type { JsonObject } from '../jsonObject.ts';
import { SCHEMA_DEPTH_MAX, schemaLines } from './schemaLines.ts';
import { SchemaTooLarge } from './schemaRefs.ts';

const lines = (schema: JsonObject): readonly string[] => schemaLines(schema).lines;
const mustSay = (rows: readonly (readonly [JsonObject, readonly string[]])[]): void => {
  for (const [schema, wanted] of rows) {
    assert.deepEqual(lines(schema), wanted, JSON.stringify(schema));
    assert.deepEqual(schemaLines(schema).omitted, [], JSON.stringify(schema));
  }
};
const TEXT = { type: 'string' };
const OBJECT = { type: 'object', properties: { a: {} } };

describe('the whole of a schema', () => {
  it('is an object without a word, and everything else by its type', () => {
    mustSay([
      [{}, ['any']],
      [{ type: 'object' }, ['object']],
      [{ type: 'object', properties: {} }, ['no fields']],
      [{ ...OBJECT, minProperties: 1, description: 'D' }, ['>=1 fields, D', 'a: any']],
      [{ properties: { a: {} } }, ['a: any']],
      [{ type: 'array', properties: { a: {} } }, ['array', 'a: any']],
      [{ ...TEXT, description: 'D' }, ['string, D']],
    ]);
  });

  it('is that to which it refers', () => {
    const $defs = { A: OBJECT };
    mustSay([
      [{ $ref: '#/$defs/A', $defs }, ['a: any']],
      [{ $ref: '#/definitions/A', definitions: $defs, description: 'D' }, ['D', 'a: any']],
      [
        { $ref: '#/$defs/A', $defs: { A: { properties: { next: { $ref: '#/$defs/A' } } } } },
        ['A', 'A =', ' next: A'],
      ],
    ]);
  });
});

describe('fields', () => {
  it('are written once, required ones first, and those that only `required` names too', () => {
    mustSay([
      [
        { required: ['b', 'c', 5, 'b'], properties: { a: TEXT, b: true, d: false, e: 7 } },
        ['b*: any', 'c*: any', 'a: string', 'd: never', 'e: any'],
      ],
      [{ required: ['toString'], properties: {} }, ['toString*: any']],
      [{ properties: { 'a b': TEXT } }, ['"a b": string']],
      [{ properties: { a: { properties: { b: TEXT } } } }, ['a:', ' b: string']],
    ]);
  });

  it('have rules for other fields, and for the names of all', () => {
    mustSay([
      [{ additionalProperties: false }, ['no others']],
      [{ unevaluatedProperties: false }, ['no others']],
      [{ additionalProperties: true }, ['any']],
      [{ additionalProperties: TEXT }, ['others: string']],
      [{ patternProperties: { '^a/': TEXT } }, ['/^a//: string']],
      [{ propertyNames: { maxLength: 3 } }, ['names: <=3 chars']],
      [{ dependentRequired: { a: ['b', 'c d'] } }, ['with a: b* "c d"*']],
      [{ dependentSchemas: { 'a b': { required: ['c'] } } }, ['with "a b":', ' c*: any']],
      [
        { dependencies: { a: ['b'], c: { minProperties: 2 } } },
        ['with a: b*', 'with c: >=2 fields'],
      ],
    ]);
  });
});

describe('items', () => {
  it('are in one line when they are plain', () => {
    const list = (items: unknown, more: JsonObject = {}) => ({ type: 'array', items, ...more });
    const each = (a: JsonObject) => lines({ properties: { a } });
    assert.deepEqual(each(list(TEXT)), ['a: [string]']);
    assert.deepEqual(each(list(TEXT, { minItems: 1, description: 'D' })), [
      'a: [string] >=1 items, D',
    ]);
    assert.deepEqual(each(list({ enum: ['x', 'y'] })), ['a: ["x"|"y"]']);
    const wordy = { ...TEXT, description: 'D' };
    const rows: readonly (readonly [JsonObject, readonly string[]])[] = [
      [list(wordy), ['a: array', ' each: string, D']],
      [list({}), ['a: array', ' each: any']],
      [list(true), ['a: array', ' each: any']],
      [list(list({})), ['a: array', ' each: array', '  each: any']],
      [list(OBJECT), ['a: array', ' each: object', '  a: any']],
      [list(TEXT, { contains: { const: 'x' } }), ['a: array', ' each: string', ' contains: "x"']],
      [
        list(TEXT, { contentSchema: TEXT }),
        ['a: array', ' each: string', ' contentSchema: string'],
      ],
      [list(TEXT, { not: { maxItems: 1 } }), ['a: array', ' each: string', ' not: <=1 items']],
      [{ items: TEXT }, ['a:', ' each: string']],
    ];
    for (const [schema, wanted] of rows) assert.deepEqual(each(schema), wanted);
  });

  it('have places of their own before the rest', () => {
    mustSay([
      [
        { type: 'array', prefixItems: [TEXT, true], items: { type: 'number' } },
        ['array', 'item 1: string', 'item 2: any', 'more: number'],
      ],
      [
        { type: 'array', items: [TEXT], additionalItems: false },
        ['array', 'item 1: string', 'more: never'],
      ],
      [{ prefixItems: [], items: TEXT }, ['each: string']],
      [{ unevaluatedItems: false }, ['more: never']],
      [
        { contains: TEXT, contentSchema: OBJECT },
        ['contains: string', 'contentSchema: object', ' a: any'],
      ],
    ]);
  });
});

describe('choices and conditions', () => {
  it('are in one line when all are plain', () => {
    const Node = { anyOf: [{ $ref: '#/$defs/Node' }, { type: 'null' }] };
    mustSay([
      [{ anyOf: [TEXT, { type: 'integer', minimum: 1 }] }, ['string|(integer >=1)']],
      [{ oneOf: [{ enum: ['a', 'b'] }, { type: 'null' }] }, ['"a"|"b"|null']],
      [
        { anyOf: [{ $ref: '#/$defs/Node' }, TEXT], $defs: { Node } },
        ['Node|string', 'Node = Node|null'],
      ],
      [{ anyOf: [] }, ['any']],
    ]);
  });

  it('are in a line each when one is not', () => {
    mustSay([
      [{ allOf: [TEXT, { minLength: 2 }] }, ['all of:', ' - string', ' - >=2 chars']],
      [{ anyOf: [TEXT, true] }, ['any of:', ' - string', ' - any']],
      [{ oneOf: [{ ...TEXT, title: 'T' }, {}] }, ['one of:', ' - string, T', ' - any']],
      [{ oneOf: [TEXT, OBJECT] }, ['one of:', ' - string', ' - object', '  a: any']],
    ]);
    const more: readonly JsonObject[] = [
      ...[{ contains: TEXT }, { contentSchema: TEXT }, { propertyNames: TEXT }, { then: TEXT }],
      ...[{ unevaluatedItems: TEXT }, { unevaluatedProperties: TEXT }, { not: TEXT }],
      ...[{ dependentRequired: { a: ['b'] } }, { dependentSchemas: { a: TEXT } }],
      ...[{ dependencies: { a: ['b'] } }, { patternProperties: { a: TEXT } }, { if: TEXT }],
    ];
    for (const each of more) {
      const shown = lines({ anyOf: [{ type: 'null' }, { type: 'array', ...each }] });
      assert.deepEqual(shown.slice(0, 3), ['any of:', ' - null', ' - array']);
      assert.equal(shown.length, 4, JSON.stringify(each));
    }
  });

  it('are written in their order', () => {
    mustSay([
      [
        { else: TEXT, then: false, if: { maximum: 1 }, not: OBJECT },
        ['not: object', ' a: any', 'if: <=1', 'then: never', 'else: string'],
      ],
    ]);
  });
});

describe('keywords without words', () => {
  it('are named by their places, wherever they are', () => {
    const { omitted } = schemaLines({
      'x/a~b': 1,
      properties: { 'c/d~e': { 'x-1': 1 }, f: { type: 'array', items: TEXT, 'x-2': 1 } },
      patternProperties: { 'g/': { 'x-3': 1 } },
      dependentSchemas: { 'h/': { 'x-4': 1 } },
      prefixItems: [{}, { 'x-5': 1 }],
      items: { 'x-6': 1 },
      anyOf: [{ 'x-7': 1 }, { $ref: '#/nowhere' }],
      not: { 'x-8': 1 },
      unevaluatedItems: { 'x-9': 1 },
      contains: { 'x-10': 1 },
      propertyNames: { 'x-11': 1 },
      additionalProperties: { 'x-12': 1 },
    });
    assert.deepEqual(omitted, [
      '/x~1a~0b',
      '/properties/c~1d~0e/x-1',
      '/properties/f/x-2',
      '/additionalProperties/x-12',
      '/patternProperties/g~1/x-3',
      '/propertyNames/x-11',
      '/dependentSchemas/h~1/x-4',
      '/prefixItems/1/x-5',
      '/items/x-6',
      '/unevaluatedItems/x-9',
      '/contains/x-10',
      '/anyOf/0/x-7',
      '/anyOf/1/$ref',
      '/not/x-8',
    ]);
  });

  it('are named in the definitions that stand below', () => {
    const twice = [{ $ref: '#a' }, { $ref: '#a' }];
    const { omitted } = schemaLines({ anyOf: twice, $defs: { A: { $anchor: 'a', 'x-1': 1 } } });
    assert.deepEqual(omitted, ['/$defs/A/x-1']);
  });

  it('are named up to 200, and each by 300 characters', () => {
    const many = (count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, n) => [`x-${n}`, 1]));
    assert.deepEqual(
      [199, 200, 201].map((count) => schemaLines(many(count)).omitted.length),
      [199, 200, 200],
    );
    const long = schemaLines({ ['x'.repeat(400)]: 1 }).omitted;
    assert.deepEqual(long, [`/${'x'.repeat(299)}`]);
  });
});

describe('a large schema', () => {
  it('goes on in another line after 1,900 characters', () => {
    const described = (length: number) => lines({ description: 'd'.repeat(length) });
    assert.deepEqual(described(1_900), ['d'.repeat(1_900)]);
    assert.deepEqual(described(1_901), ['d'.repeat(1_900), '… d']);
    assert.deepEqual(described(3_801), ['d'.repeat(1_900), `… ${'d'.repeat(1_900)}`, '… d']);
  });

  it('has at most 32 levels, and 2,000 lines', () => {
    const deep = (levels: number): JsonObject =>
      levels === 0 ? {} : { properties: { a: deep(levels - 1) } };
    assert.equal(lines(deep(SCHEMA_DEPTH_MAX)).length, SCHEMA_DEPTH_MAX);
    assert.throws(() => lines(deep(SCHEMA_DEPTH_MAX + 1)), SchemaTooLarge);
    const wide = (count: number): JsonObject => ({
      properties: Object.fromEntries(Array.from({ length: count }, (_, n) => [`a${n}`, {}])),
    });
    assert.equal(lines(wide(2_000)).length, 2_000);
    assert.throws(() => lines(wide(2_001)), SchemaTooLarge);
  });
});
