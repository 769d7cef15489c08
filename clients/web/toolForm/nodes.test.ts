import assert from 'node:assert/strict';
import { fieldsOf, firstValues, type FormNode } from './nodes.ts';
import { faultOf, firstFault, memberOf, textOf, valueOf, withMember } from './values.ts';

const object = (properties: object, more: object = {}) => ({ type: 'object', properties, ...more });
const fields = (properties: object, more: object = {}): readonly FormNode[] =>
  fieldsOf(object(properties, more)) ?? [];
const kinds = (list: readonly FormNode[]): readonly string[] => list.map(({ kind }) => kind);
const one = (schema: object): FormNode => {
  const [field] = fields({ a: schema });
  assert.ok(field !== undefined);
  return field;
};

describe('the form of a tool', () => {
  it('has a field for each type', () => {
    const table: readonly (readonly [object, string])[] = [
      [{ type: 'string' }, 'text'],
      [{ type: 'number' }, 'number'],
      [{ type: 'integer' }, 'number'],
      [{ type: 'boolean' }, 'flag'],
      [{ enum: ['b', 7, null] }, 'choice'],
      [{ const: 4 }, 'choice'],
      [{ type: ['integer', 'null'] }, 'number'],
      [{ anyOf: [{ type: 'null' }, { type: 'boolean' }] }, 'flag'],
      [{ type: 'array', items: { type: 'string' } }, 'lines'],
      [{ type: 'array', items: { type: 'integer' } }, 'lines'],
      [{ type: 'array', items: object({}) }, 'json'],
      [{ oneOf: [{ type: 'string' }, { type: 'number' }] }, 'json'],
      [{ type: 'object' }, 'json'],
      [object({ b: { type: 'string' } }), 'group'],
      [{}, 'json'],
    ];
    for (const [schema, kind] of table)
      assert.equal(one(schema).kind, kind, JSON.stringify(schema));
    assert.equal(one(true as unknown as object).kind, 'json');
  });

  it('begins with required fields, and with constants, defaults and examples', () => {
    const form = fields(
      {
        note: { type: 'string', examples: ['seven', 'eight'] },
        city: { type: 'string', title: 'City', description: 'Where it is.' },
        mode: { const: 'fast' },
        size: { type: 'integer', default: 0 },
        at: object({ x: { type: 'number', default: 1.5 } }),
      },
      { required: ['city', 'at', 'unknown', 4] },
    );
    assert.deepEqual(
      form.map(({ name }) => name),
      ['city', 'at', 'note', 'mode', 'size'],
    );
    assert.deepEqual([form[0]?.label, form[0]?.hint], ['City', 'Where it is.']);
    const first = { at: { x: 1.5 }, note: 'seven', mode: 'fast', size: 0 };
    assert.deepEqual(firstValues(form), first);
    assert.deepEqual(firstFault(form, first)?.field.name, 'city');
    assert.equal(firstFault(form, { ...first, city: 'Oslo' }), undefined);
  });

  it('follows references inside of the schema, and no others', () => {
    const more = { $defs: { city: { type: 'string' }, 'a/b~c': { type: 'boolean' } } };
    const at = ($ref: string): string => kinds(fields({ a: { $ref } }, more)).join();
    assert.equal(at('#/$defs/city'), 'text');
    assert.equal(at('#/$defs/a~1b~0c'), 'flag');
    for (const other of ['#/$defs/none', 'http://a.test/b', '#', '', '#/__proto__/a', '#/$defs']) {
      assert.equal(at(other), 'json', other);
    }
  });

  it('bounds schemas that are cyclic, deep, wide or huge, and does so at once', () => {
    const cyclic = { $defs: { a: object({ again: { $ref: '#/$defs/a' } }) } };
    const self = { $defs: { a: { $ref: '#/$defs/a' } } };
    let deep: object = { type: 'string' };
    for (let level = 0; level < 5_000; level += 1) deep = object({ inner: deep });
    const wide = (n: number): object =>
      object(
        Object.fromEntries(Array.from({ length: n }, (_, at) => [`f${at}`, { type: 'string' }])),
      );
    const branching = {
      $defs: { a: object({ x: { $ref: '#/$defs/a' }, y: { $ref: '#/$defs/a' } }) },
    };
    const schemas = [
      { ...cyclic, $ref: '#/$defs/a' },
      { ...self, $ref: '#/$defs/a' },
      deep,
      wide(60),
      object({ a: wide(50), b: wide(50), c: wide(1_000) }),
      { ...branching, $ref: '#/$defs/a' },
      wide(100_000),
      object({ a: { enum: Array.from({ length: 100_000 }, (_, at) => at) } }),
    ];
    const began = performance.now();
    const counts = schemas.map((schema) => count(fieldsOf(schema) ?? []));
    const tookMs = performance.now() - began;
    assert.deepEqual(counts, [4, 0, 4, 60, 53, 30, 0, 1]);
    assert.ok(tookMs < 500, `${tookMs} ms`);
  });

  it('shows names that every object has as ordinary members, and cuts long texts', () => {
    const schema = JSON.parse('{"properties":{"__proto__":{"type":"string"}}}') as object;
    const [field] = fieldsOf(schema) ?? [];
    assert.equal(field?.name, '__proto__');
    const set = withMember({}, '__proto__', 'x');
    assert.equal(JSON.stringify(set), '{"__proto__":"x"}');
    assert.equal(memberOf({}, 'toString'), undefined);
    const long = one({ type: 'string', title: 'x'.repeat(9_999), description: 'y'.repeat(9_999) });
    assert.ok(long.label.length < 100 && long.hint.length < 400);
    for (const none of [undefined, null, true, 'x', [], { type: 'object' }, { properties: [] }]) {
      assert.equal(fieldsOf(none), undefined);
    }
  });
});

const count = (form: readonly FormNode[]): number =>
  form.reduce((sum, field) => sum + 1 + (field.kind === 'group' ? count(field.fields) : 0), 0);

describe('a field of a tool', () => {
  it('reads what was typed, and keeps what is no value of its type to name the fault', () => {
    const table: readonly (readonly [object, string, unknown, string | undefined])[] = [
      [{ type: 'integer' }, '12', 12, undefined],
      [{ type: 'integer' }, '1.0', 1, undefined],
      [{ type: 'integer' }, '1.5', 1.5, 'whole'],
      [{ type: 'number' }, '-0.25', -0.25, undefined],
      [{ type: 'number' }, '1,5', '1,5', 'number'],
      [{ type: 'number' }, ' ', ' ', 'number'],
      [{ type: 'number' }, '', undefined, undefined],
      [{ type: 'boolean' }, 'true', true, undefined],
      [{ type: 'boolean' }, 'perhaps', 'perhaps', 'choice'],
      [{ enum: [1, '1', null] }, 'null', null, undefined],
      [{ enum: ['a'] }, 'b', 'b', 'choice'],
      [{ type: 'array', items: { type: 'number' } }, '1\n\n2.5', [1, 2.5], undefined],
      [{ type: 'array', items: { type: 'number' } }, '1\nx', [1, 'x'], 'number'],
      [{ type: 'array', items: { type: 'string' } }, 'a\n', ['a', ''], undefined],
      [{}, '{"a":[1]}', { a: [1] }, undefined],
      [{}, '{"a":', '{"a":', undefined],
      [{ type: 'string' }, '5', '5', undefined],
    ];
    for (const [schema, typed, value, fault] of table) {
      const field = one(schema);
      assert.ok(field.kind !== 'group');
      assert.deepEqual(valueOf(field, typed), value, typed);
      assert.equal(faultOf(field, value), fault, typed);
      if (fault === undefined && field.kind !== 'json') {
        assert.deepEqual(valueOf(field, textOf(field, value)), value, typed);
      }
    }
  });

  it('is named when it is required and empty, also inside of a group', () => {
    const form = fields(
      { at: object({ x: { type: 'number' } }, { required: ['x'] }), b: { type: 'string' } },
      { required: ['at'] },
    );
    assert.deepEqual(firstFault(form, {})?.field.name, 'x');
    assert.deepEqual(firstFault(form, { at: { x: 'no' } })?.fault, 'number');
    assert.deepEqual(firstFault(form, { at: 5 })?.fault, 'object');
    assert.equal(firstFault(form, { at: { x: 0 } }), undefined);
    const optional = fields({ at: object({ x: { type: 'number' } }, { required: ['x'] }) });
    assert.equal(firstFault(optional, {}), undefined, 'a group that is left out');
    assert.equal(firstFault(optional, { at: {} })?.fault, 'missing');
  });

  it('changes one member and keeps the order of the others', () => {
    assert.equal(JSON.stringify(withMember({ a: 1, b: 2 }, 'a', 3)), '{"a":3,"b":2}');
    assert.equal(JSON.stringify(withMember({ a: 1, b: 2 }, 'a', undefined)), '{"b":2}');
    assert.equal(JSON.stringify(withMember({ a: 1 }, 'c', null)), '{"a":1,"c":null}');
  });
});
