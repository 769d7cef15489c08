import assert from 'node:assert/strict';
import type { JsonObject } from '../jsonObject.ts';
import { madeSchema } from './fixture.ts';

const DRAFT_07 = { $schema: 'http://json-schema.org/draft-07/schema#' };

function texts(schema: unknown, value: unknown, isFull = true): readonly string[] {
  const made = madeSchema(schema);
  if (!('ok' in made)) throw new Error(made.why);
  return made.reasons(value, isFull).map(({ text }) => text);
}

describe('the reason why a value fails a schema', () => {
  const cases: readonly (readonly [schema: JsonObject, value: unknown, ...texts: string[]])[] = [
    [{ type: 'null' }, 0, 'result: expected type null, got 0 (json_schema.type)'],
    [
      { type: ['string', 'array'] },
      {},
      'result: expected type string or array, got {} (json_schema.type)',
    ],
    [{ type: 'integer' }, 1.5, 'result: expected type integer, got 1.5 (json_schema.type)'],
    [{ type: 'object' }, [], 'result: expected type object, got [] (json_schema.type)'],
    [{ maximum: 3 }, 3.5, 'result: expected <= 3, got 3.5 (json_schema.maximum)'],
    [{ minimum: 3 }, 2.5, 'result: expected >= 3, got 2.5 (json_schema.minimum)'],
    [{ exclusiveMaximum: 3 }, 3, 'result: expected < 3, got 3 (json_schema.exclusiveMaximum)'],
    [{ exclusiveMinimum: 3 }, 3, 'result: expected > 3, got 3 (json_schema.exclusiveMinimum)'],
    [
      { multipleOf: 0.01 },
      0.075,
      'result: expected multiple of 0.01, got 0.075 (json_schema.multipleOf)',
    ],
    [
      { maxLength: 1 },
      'ab',
      'result: expected at most 1 character, got "ab" (json_schema.maxLength)',
    ],
    [
      { minLength: 2 },
      '😀',
      'result: expected at least 2 characters, got "😀" (json_schema.minLength)',
    ],
    [{ pattern: '^a$' }, 'b', 'result: expected a match of "^a$", got "b" (json_schema.pattern)'],
    [{ format: 'uuid' }, 'x', 'result: expected format uuid, got "x" (json_schema.format)'],
    [{ const: { a: 1 } }, {}, 'result: expected {"a":1}, got {} (json_schema.const)'],
    [{ enum: [1, null] }, '1', 'result: expected one of [1,null], got "1" (json_schema.enum)'],
    [{ maxItems: 1 }, [1, 2], 'result: expected at most 1 item, got [1,2] (json_schema.maxItems)'],
    [{ minItems: 2 }, [1], 'result: expected at least 2 items, got [1] (json_schema.minItems)'],
    [
      { uniqueItems: true },
      [1, 1],
      'result: expected no item twice, got [1,1] (json_schema.uniqueItems)',
    ],
    [
      { maxProperties: 0 },
      { a: 1 },
      'result: expected at most 0 members, got {"a":1} (json_schema.maxProperties)',
    ],
    [
      { minProperties: 1 },
      {},
      'result: expected at least 1 member, got {} (json_schema.minProperties)',
    ],
    [{ required: ['a/b'] }, {}, '/a~1b: expected a value, got nothing (json_schema.required)'],
    [
      { dependentRequired: { a: ['b', 'c'] } },
      { a: 1 },
      '/b: expected a value, got nothing (json_schema.dependentRequired)',
      '/c: expected a value, got nothing (json_schema.dependentRequired)',
    ],
    [
      { ...DRAFT_07, dependencies: { a: ['b'] } },
      { a: 1 },
      '/b: expected a value, got nothing (json_schema.dependencies)',
    ],
    [{ not: {} }, 7, 'result: expected no match of the schema in `not`, got 7 (json_schema.not)'],
    [
      { properties: { a: false } },
      { a: 1 },
      '/a: expected no value, got 1 (json_schema.false schema)',
    ],
    [
      { additionalProperties: false },
      { a: 1, b: 2 },
      '/a: expected no such member, got 1 (json_schema.additionalProperties)',
      '/b: expected no such member, got 2 (json_schema.additionalProperties)',
    ],
    [
      { additionalProperties: { type: 'string' } },
      { a: 1, b: 'x', c: 3 },
      '/a: expected type string, got 1 (json_schema.type)',
      '/c: expected type string, got 3 (json_schema.type)',
    ],
    [
      { properties: { a: { minimum: 2 } }, patternProperties: { '^a': { maximum: 0 } } },
      { a: 1 },
      '/a: expected >= 2, got 1 (json_schema.minimum)',
      '/a: expected <= 0, got 1 (json_schema.maximum)',
    ],
    [
      { unevaluatedProperties: false, properties: { a: true } },
      { a: 1, b: 2, c: 3 },
      '/b: expected no such member, got 2 (json_schema.unevaluatedProperties)',
      '/c: expected no such member, got 3 (json_schema.unevaluatedProperties)',
    ],
    [
      { unevaluatedProperties: { type: 'string' } },
      { a: 1, b: 2 },
      '/a: expected type string, got 1 (json_schema.type)',
      '/b: expected type string, got 2 (json_schema.type)',
    ],
    [
      { prefixItems: [true], unevaluatedItems: false },
      [1, 2, 3],
      '/1: expected no such item, got 2 (json_schema.unevaluatedItems)',
    ],
    [
      { propertyNames: { maxLength: 1 } },
      { a: 1, bc: 2 },
      'result: expected at most 1 character, got "bc" (json_schema.maxLength)',
    ],
    [
      { prefixItems: [{ type: 'string' }, {}], items: false },
      [1, 2, 3],
      'result: expected at most 2 items, got [1,2,3] (json_schema.items)',
    ],
    [
      { ...DRAFT_07, items: [true], additionalItems: false },
      [1, 2],
      'result: expected at most 1 item, got [1,2] (json_schema.additionalItems)',
    ],
    [
      { prefixItems: [{ type: 'string' }], items: { type: 'number' } },
      [1, 2, '3'],
      '/0: expected type string, got 1 (json_schema.type)',
      '/2: expected type number, got "3" (json_schema.type)',
    ],
    [
      { contains: { const: 1 } },
      [2],
      'result: expected at least 1 fitting item(s), got [2] (json_schema.contains)',
    ],
    [
      { contains: { const: 1 }, minContains: 0, maxContains: 1 },
      [1, 1],
      'result: expected 0 to 1 fitting item(s), got [1,1] (json_schema.contains)',
    ],
    [
      { oneOf: [{ type: 'number' }, { minimum: 3 }] },
      5,
      'result: expected a match of exactly one schema in `oneOf`, got 5 (json_schema.oneOf)',
    ],
    [
      { oneOf: [{ type: 'string' }, { minimum: 9 }] },
      5,
      'result: expected type string, got 5 (json_schema.type)',
      'result: expected >= 9, got 5 (json_schema.minimum)',
    ],
    [
      { anyOf: [{ type: 'string' }, { minimum: 9 }] },
      5,
      'result: expected type string, got 5 (json_schema.type)',
      'result: expected >= 9, got 5 (json_schema.minimum)',
    ],
    [
      { allOf: [{ maximum: 1 }, { maximum: 2 }] },
      5,
      'result: expected <= 1, got 5 (json_schema.maximum)',
      'result: expected <= 2, got 5 (json_schema.maximum)',
    ],
    [
      { if: { type: 'number' }, then: { maximum: 1 }, else: { const: 'x' } },
      5,
      'result: expected <= 1, got 5 (json_schema.maximum)',
    ],
    [
      { if: { type: 'number' }, then: { maximum: 1 }, else: { const: 'x' } },
      'y',
      'result: expected "x", got "y" (json_schema.const)',
    ],
  ];
  for (const [schema, value, ...wanted] of cases) {
    it(`is ${wanted.join('; ')} for ${JSON.stringify(schema)}`, () => {
      assert.deepEqual(texts(schema, value), wanted);
      assert.deepEqual(texts(schema, value, false).slice(0, 1), wanted.slice(0, 1));
    });
  }

  it('is the first alone where listing all would cost too much', () => {
    const schema = { properties: { a: { type: 'string' } }, required: ['b', 'c'] };
    const missing = '/b: expected a value, got nothing (json_schema.required)';
    assert.deepEqual(texts(schema, { a: 1 }, false), [missing]);
    assert.deepEqual(texts(schema, { a: 1 }), [
      missing,
      '/c: expected a value, got nothing (json_schema.required)',
      '/a: expected type string, got 1 (json_schema.type)',
    ]);
  });

  it('is its type alone when the type is wrong', () => {
    const schema = { type: 'string', enum: ['a'], not: { type: 'number' } };
    assert.deepEqual(texts(schema, 1), ['result: expected type string, got 1 (json_schema.type)']);
  });

  it('comes in the order reference, assertions, alternatives, items, members', () => {
    const schema = {
      $defs: { a: { minProperties: 9 } },
      unevaluatedProperties: false,
      properties: { a: { const: 1 } },
      dependentSchemas: { a: { maxProperties: 0 } },
      allOf: [{ required: ['c'] }],
      oneOf: [{ required: ['d'] }],
      anyOf: [{ required: ['e'] }],
      not: { required: ['a'] },
      required: ['f'],
      $ref: '#/$defs/a',
    };
    const order = texts(schema, { a: 0 }).map(
      (text) => /^\S+ .*json_schema\.(.+)\)$/.exec(text)?.[1],
    );
    assert.deepEqual(order, [
      ...['minProperties', 'required', 'not', 'required', 'required', 'required'],
      ...['maxProperties', 'const'],
    ]);
  });

  it('is not of an alternative when another one holds', () => {
    const failing = { required: ['x'] };
    const value = { a: 1 };
    const holding = { properties: { a: { const: 1 } } };
    const schema = { required: ['b'], anyOf: [failing, holding], oneOf: [failing, holding] };
    assert.deepEqual(texts({ allOf: [schema] }, value), [
      '/b: expected a value, got nothing (json_schema.required)',
    ]);
  });

  it('is listed ten times at most', () => {
    const items = { type: 'string' };
    const found = texts(
      { items },
      Array.from({ length: 50 }, (_, nth) => nth),
    );
    assert.equal(found.length, 10);
    assert.equal(found[9], '/9: expected type string, got 9 (json_schema.type)');
  });

  it('is found behind alternatives with many reasons that are forgotten', () => {
    const many = { required: Array.from({ length: 30 }, (_, nth) => `m${nth}`) };
    const schema = { anyOf: [many, {}], allOf: [{ required: ['last'] }] };
    assert.deepEqual(texts(schema, {}), [
      '/last: expected a value, got nothing (json_schema.required)',
    ]);
  });

  it('shows 200 characters of a place and 160 of the choices', () => {
    const name = 'n'.repeat(300);
    const [reason] = texts({ required: [name] }, {});
    const place = `/${'n'.repeat(198)}…`;
    assert.equal(reason, `${place}: expected a value, got nothing (json_schema.required)`);
    const choices = Array.from({ length: 100 }, (_, nth) => `v${nth}`);
    const [of = ''] = texts({ enum: choices }, 0);
    const shown = /^result: expected one of (.*), got 0 \(json_schema\.enum\)$/.exec(of)?.[1];
    assert.equal(shown?.length, 160);
  });
});
