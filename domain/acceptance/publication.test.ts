import assert from 'node:assert/strict';
import { checkRule } from './checkRule.ts';
import { checkSchema } from './checkSchema.ts';
import type { JsonObject } from '../jsonObject.ts';

const KINDS = 'all, json_schema, fields, contains, files';
const CHECK = 'a check is {path, equals} or {path, minLength}';
const CHECKS = 'is a list of one or more checks';
const VALUES = 'is a list of one or more strings';
const field = (check: unknown): unknown => ({ kind: 'fields', checks: [check] });
const contains = (...values: readonly unknown[]): JsonObject => ({ kind: 'contains', values });
const rules = (count: number): JsonObject => ({
  kind: 'all',
  of: Array.from({ length: count }, () => contains('x')),
});
const nested = (levels: number): JsonObject =>
  levels === 0 ? contains('x') : { kind: 'all', of: [nested(levels - 1)] };

describe('a rule that cannot be judged', () => {
  const cases: readonly (readonly [rule: unknown, pointer: string, why: string])[] = [
    [7, '', `a rule is an object with a kind: ${KINDS}`],
    [[], '', `a rule is an object with a kind: ${KINDS}`],
    [{ kind: 'regex' }, '/kind', `kind is one of ${KINDS}`],
    [{ kind: 'all', of: 'x' }, '/of', 'is a list of 1 to 20 rules'],
    [rules(0), '/of', 'is a list of 1 to 20 rules'],
    [rules(21), '/of', 'is a list of 1 to 20 rules'],
    [nested(5), '/of/0/of/0/of/0/of/0', 'all rules nest at most 4 deep'],
    [{ ...rules(1), or: 1 }, '/or', 'is not known here; known are kind, of'],
    [
      { kind: 'json_schema', schema: {}, a: 1 },
      '/a',
      'is not known here; known are kind, schema, description',
    ],
    [{ kind: 'json_schema', schema: {}, description: 7 }, '/description', 'is a string'],
    [{ kind: 'json_schema' }, '/schema', 'schema is a JSON Schema object'],
    [
      { kind: 'json_schema', schema: { a: 1 } },
      '/schema/a',
      '"a" is no keyword this hub checks in 2020-12',
    ],
    [{ kind: 'fields' }, '/checks', CHECKS],
    [{ kind: 'fields', checks: [] }, '/checks', CHECKS],
    [{ kind: 'fields', checks: [], b: 1 }, '/b', 'is not known here; known are kind, checks'],
    [field('x'), '/checks/0', CHECK],
    [field({ equals: 1 }), '/checks/0/path', 'is a string'],
    [field({ path: 'a' }), '/checks/0', CHECK],
    [field({ path: 'a', equals: 1, minLength: 1 }), '/checks/0', CHECK],
    [
      field({ path: 'a', 'max/~': 1 }),
      '/checks/0/max~1~0',
      'is not known here; known are path, equals, minLength',
    ],
    [field({ path: 'a', minLength: -1 }), '/checks/0/minLength', 'is a whole number from 0'],
    [field({ path: 'a', minLength: '1' }), '/checks/0/minLength', 'is a whole number from 0'],
    [field({ path: 'a', minLength: 0.5 }), '/checks/0/minLength', 'is a whole number from 0'],
    [
      field({ path: 'a..b', equals: 1 }),
      '/checks/0/path',
      'a dotted path has an empty step; write a JSON Pointer to name an empty key',
    ],
    [field({ path: '/~2', equals: 1 }), '/checks/0/path', 'a ~ in a JSON Pointer is ~0 or ~1'],
    [{ ...contains('x'), c: 1 }, '/c', 'is not known here; known are kind, mode, values'],
    [{ ...contains('x'), mode: 'one' }, '/mode', 'is all (the default) or any'],
    [{ kind: 'contains' }, '/values', VALUES],
    [contains(), '/values', VALUES],
    [contains('a', ''), '/values/1', 'is a string that is not empty'],
    [contains(7), '/values/0', 'is a string that is not empty'],
    [
      {
        kind: 'all',
        of: [contains(...Array<string>(50).fill('x')), field({ path: '', equals: 1 })],
      },
      '/of/1/checks',
      'a rule has at most 50 checks and values in all',
    ],
    [contains('\ud800'), '', 'holds a lone surrogate'],
    [
      contains(
        Array(33)
          .fill(0)
          .reduce((value: unknown) => [value], 0),
      ),
      '',
      'nests deeper than 32 levels',
    ],
    [contains(...Array<string>(2_000).fill('x')), '', 'has more than 2000 values'],
    [contains('x'.repeat(32_768)), '', 'is larger than 32768 bytes of JSON'],
  ];
  for (const [rule, pointer, why] of cases) {
    it(`is refused: ${why} (at ${pointer === '' ? 'its root' : pointer})`, () => {
      assert.deepEqual(checkRule(rule), { refused: 'bad-acceptance', pointer, why });
    });
  }
});

describe('a rule that can be judged', () => {
  it('is taken as it is, with the patterns of its schemas', () => {
    const all = {
      kind: 'all',
      of: [
        { kind: 'contains', values: ['a'], mode: 'any' },
        {
          kind: 'fields',
          checks: [
            { path: 'a', minLength: 0 },
            { path: '', equals: null },
          ],
        },
        {
          kind: 'json_schema',
          description: 'two patterns',
          schema: { pattern: '^a', patternProperties: { '^b': { pattern: 'c' } } },
        },
        nested(3),
      ],
    };
    const at = '/of/2/schema';
    assert.deepEqual(checkRule(all), {
      ok: true,
      rule: all,
      patterns: [
        { pointer: `${at}/pattern`, source: '^a' },
        { pointer: `${at}/patternProperties/^b`, source: '^b' },
        { pointer: `${at}/patternProperties/^b/pattern`, source: 'c' },
      ],
    });
    assert.ok('ok' in checkRule(rules(20)));
    assert.ok('ok' in checkRule(contains(...Array<string>(50).fill('x'))));
  });
});

describe('a schema that cannot be judged', () => {
  const DRAFT_07 = { $schema: 'http://json-schema.org/draft-07/schema#' };
  const text = 'is a string';
  const count = 'is a whole number from 0';
  const schemas = 'is a list of one or more schemas';
  const strings = 'is a list of distinct strings';
  const types = 'is a type name or a list of distinct ones';
  const noSchema = 'a schema is an object, true or false';
  const drafts = 'known drafts are 2020-12 (the default) and draft-07';
  const formats =
    'is one of date, time, date-time, duration, email, hostname, ipv4, ipv6, uri, uri-reference, ' +
    'uri-template, uuid, json-pointer, relative-json-pointer';
  const inside = 'points inside this schema: it starts with #';
  const nowhere = 'points at no schema in this document';
  const circle = 'judges itself again without stepping into a member';
  const proto = (name: string): unknown => JSON.parse(`{"${name}":{"__proto__":true}}`);
  const noProto = '__proto__ cannot be a member name here';
  const doubling = (levels: number): unknown => ({
    $defs: Object.fromEntries(
      Array.from({ length: levels }, (_, nth) => {
        const next = { $ref: `#/$defs/d${nth + 1}` };
        return [`d${nth}`, nth + 1 === levels ? {} : { allOf: [next, next] }];
      }),
    ),
    $ref: '#/$defs/d0',
  });
  const cases: readonly (readonly [schema: unknown, pointer: string, why: string])[] = [
    [true, '', 'schema is a JSON Schema object'],
    [{ $schema: 'http://json-schema.org/draft-04/schema#' }, '/$schema', drafts],
    [{ $schema: 7 }, '/$schema', drafts],
    [{ $id: 7 }, '/$id', text],
    [{ items: { $id: 'x' } }, '/items/$id', 'stands at the root of the schema only'],
    [{ items: { $schema: 'x' } }, '/items/$schema', 'stands at the root of the schema only'],
    [{ items: 7 }, '/items', noSchema],
    [{ not: [] }, '/not', noSchema],
    [{ properties: { 'a/b': 'x' } }, '/properties/a~1b', noSchema],
    [{ properties: [] }, '/properties', 'is an object'],
    [{ patternProperties: 7 }, '/patternProperties', 'is an object'],
    [{ dependentSchemas: null }, '/dependentSchemas', 'is an object'],
    [{ ...DRAFT_07, dependencies: 7 }, '/dependencies', 'is an object'],
    [{ ...DRAFT_07, dependencies: { a: ['b', 'b'] } }, '/dependencies/a', strings],
    [{ ...DRAFT_07, dependencies: { a: 7 } }, '/dependencies/a', noSchema],
    [{ ...DRAFT_07, items: [7] }, '/items/0', noSchema],
    [{ allOf: {} }, '/allOf', schemas],
    [{ anyOf: [] }, '/anyOf', schemas],
    [{ oneOf: [{}, 7] }, '/oneOf/1', noSchema],
    [
      { dependentRequired: { a: 'b' } },
      '/dependentRequired',
      'is an object of lists of distinct strings',
    ],
    [
      { dependentRequired: ['a'] },
      '/dependentRequired',
      'is an object of lists of distinct strings',
    ],
    [proto('dependentRequired'), '/dependentRequired', 'is an object of lists of distinct strings'],
    [proto('properties'), '/properties/__proto__', noProto],
    [{ required: 'a' }, '/required', strings],
    [{ required: ['a', 7] }, '/required', strings],
    [{ required: ['a', 'a'] }, '/required', strings],
    [{ $anchor: '1a' }, '/$anchor', 'is a plain name'],
    [{ $anchor: 'a b' }, '/$anchor', 'is a plain name'],
    [{ $anchor: 7 }, '/$anchor', 'is a plain name'],
    [{ uniqueItems: 1 }, '/uniqueItems', 'is true or false'],
    [{ maxLength: -1 }, '/maxLength', count],
    [{ maxLength: 1.5 }, '/maxLength', count],
    [{ maxLength: '1' }, '/maxLength', count],
    [{ maximum: '1' }, '/maximum', 'is a number'],
    [{ multipleOf: 0 }, '/multipleOf', 'is a number above 0'],
    [{ multipleOf: '1' }, '/multipleOf', 'is a number above 0'],
    [{ format: 'url' }, '/format', formats],
    [{ enum: 'a' }, '/enum', 'is a list'],
    [{ pattern: 7 }, '/pattern', text],
    [{ pattern: 'x'.repeat(513) }, '/pattern', 'a pattern has at most 512 characters'],
    [
      { patternProperties: { ['x'.repeat(513)]: true } },
      `/patternProperties/${'x'.repeat(513)}`,
      'a pattern has at most 512 characters',
    ],
    [{ title: 7 }, '/title', text],
    [{ type: 'float' }, '/type', types],
    [{ type: [] }, '/type', types],
    [{ type: ['null', 'null'] }, '/type', types],
    [{ then: true }, '/then', 'is ignored without if'],
    [{ minContains: 1 }, '/minContains', 'is ignored without contains'],
    [{ ...DRAFT_07, additionalItems: true }, '/additionalItems', 'is ignored without items'],
    [
      { ...DRAFT_07, $ref: '#', minLength: 1 },
      '/minLength',
      'draft-07 ignores keywords beside $ref; put both into an allOf',
    ],
    [
      { ...DRAFT_07, prefixItems: [] },
      '/prefixItems',
      '"prefixItems" is no keyword this hub checks in draft-07',
    ],
    [{ $ref: 7 }, '/$ref', inside],
    [{ $ref: 'a#' }, '/$ref', inside],
    [{ $ref: '#/$defs/a' }, '/$ref', nowhere],
    [{ $ref: '#a' }, '/$ref', nowhere],
    [{ $defs: { 'a/b': true }, items: { $ref: '#/$defs%2Fa' } }, '/items/$ref', nowhere],
    [{ $defs: { a: true }, items: { $ref: '#/$defs/%zz' } }, '/items/$ref', nowhere],
    [{ $ref: '#' }, '', circle],
    [{ allOf: [{ $ref: '#' }] }, '', circle],
    [{ $defs: { a: { $anchor: 'x' }, b: { $anchor: 'x' } } }, '/$defs/b/$anchor', 'is used twice'],
    [doubling(15), '', 'applies over 20000 schemas to one value'],
  ];
  for (const [schema, pointer, why] of cases) {
    it(`is refused: ${why.slice(0, 60)} (at ${pointer.slice(0, 30)})`, () => {
      const refusal = { refused: 'bad-acceptance', pointer: `/rule${pointer}`, why };
      assert.deepEqual(checkSchema(schema, '/rule'), refusal);
    });
  }
});

describe('a schema that can be judged', () => {
  const taken: readonly JsonObject[] = [
    { $schema: 'https://json-schema.org/draft-07/schema', items: [true, {}] },
    { $schema: 'https://json-schema.org/draft/2020-12/schema#', $id: 'https://a.example/b' },
    { 'x-order': 1, _note: 2, '//': 3, 'vscode:x': 4, 'meta:y': 5, example: 6, version: 7 },
    { if: true, then: true, else: false },
    { contains: true, minContains: 0, maxContains: 0 },
    { pattern: 'x'.repeat(512), maxLength: 0, multipleOf: 0.01, enum: [], required: [] },
    { $defs: { 'a b': { $anchor: '_a.b-1' } }, items: { $ref: '#/$defs/a%20b' } },
    { $defs: { a: { $anchor: 'A' } }, $ref: '#A' },
    { type: ['null', 'integer'], default: {}, examples: 7, deprecated: true },
    { items: { $ref: '#' }, properties: { a: { $ref: '#' } } },
  ];
  for (const schema of taken) {
    it(`is taken: ${JSON.stringify(schema).slice(0, 70)}`, () => {
      assert.ok('ok' in checkSchema(schema, ''));
    });
  }

  it('names its draft, and where its references lead', () => {
    const target = { type: 'string' };
    const holder = { $ref: '#/$defs/a' };
    const schema = { $defs: { a: target, b: false }, items: holder, not: { $ref: '#/$defs/b' } };
    const check = checkSchema(schema, '');
    assert.ok('ok' in check);
    assert.equal(check.draft, '2020-12');
    assert.deepEqual([check.targets.get(holder), check.targets.get(schema.not)], [target, false]);
    const older = checkSchema({ $schema: 'http://json-schema.org/draft-07/schema' }, '');
    assert.equal('ok' in older && older.draft, 'draft-07');
  });
});
