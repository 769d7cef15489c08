import assert from 'node:assert/strict';
import { Ajv2020 } from 'ajv/dist/2020.js';
import type { ValidationError } from '../../generated/validators.js';
import { withoutChoices } from './faults.ts';

const ajv = new Ajv2020({ allErrors: true, verbose: true, strict: false });
const object = {
  type: 'object',
  required: ['name', 'size'],
  properties: {
    name: { type: 'string' },
    size: { oneOf: [{ type: 'null' }, { type: 'integer' }] },
  },
};
const list = {
  type: 'array',
  items: { oneOf: [{ type: 'integer', minimum: 5 }, { type: 'boolean' }] },
};
const check = ajv.compile({
  type: 'object',
  properties: {
    one: { oneOf: [{ type: 'string', minLength: 3 }, object, list] },
    one_more: { type: 'string' },
    any: { anyOf: [{ type: 'string', pattern: '^a', minLength: 3 }, { type: 'integer' }] },
  },
});

/** The place and the rule of each failure that is kept. */
function kept(value: unknown): readonly string[] {
  assert.equal(check(value), false);
  const errors = (check.errors ?? []) as unknown as readonly ValidationError[];
  return withoutChoices(errors).map(({ instancePath, keyword, params }) =>
    [instancePath, keyword, params['missingProperty']].filter(Boolean).join(' '),
  );
}

describe('the failures of a choice', () => {
  it('are those of the branch that takes values of that type', () => {
    assert.deepEqual(kept({ any: 'b' }), ['/any minLength', '/any pattern']);
    assert.deepEqual(kept({ one: 'ab' }), ['/one minLength']);
    assert.deepEqual(kept({ one: {} }), ['/one required name', '/one required size']);
  });

  it('are one of them where no branch takes that type', () => {
    assert.deepEqual(kept({ any: 1.5 }), ['/any type']);
    assert.deepEqual(kept({ one: 5, one_more: 5 }), ['/one type', '/one_more type']);
  });

  it('are found in a choice within another', () => {
    assert.deepEqual(kept({ one: [7, 2, true, 'x'] }), ['/one/1 minimum', '/one/3 type']);
    assert.deepEqual(kept({ one: { name: 5, size: 'x' } }), ['/one/name type', '/one/size type']);
  });

  it('leave those of a member whose name begins alike', () => {
    const both = ['/one/0 minimum', '/one_more type'];
    assert.deepEqual(kept({ one: [2], one_more: 5, any: 'abc' }), both);
  });
});
