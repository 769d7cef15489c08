import assert from 'node:assert/strict';
import type { OperationSpec } from '../../workflows/kernel/operation.ts';
import { wireInput } from './arguments.ts';

/** Where each argument of a flat object goes. */
const PARAMETERS: OperationSpec['parameters'] = [
  { name: 'id', in: 'path', type: 'string', required: true },
  { name: 'wait', in: 'query', type: 'integer' },
  { name: 'x-payment', in: 'header', type: 'string' },
];

function spec(body?: { readonly required: boolean }): OperationSpec {
  const limits = { limitBytes: 40, membersMax: 9, brands: [], clamps: [], codes: {} };
  return {
    id: 'area.verb',
    method: 'POST',
    path: '/area/{id}',
    summary: 'Does it',
    auth: 'public',
    ...(body && { body: { ...body, ...limits } }),
    parameters: PARAMETERS,
    answers: {},
    errors: [],
  };
}

describe('wireInput', () => {
  it('puts parameters in their place and everything else into the body', () => {
    const given = { id: 'a', wait: 3, title: 'x', more: { deep: [1] } };
    assert.deepEqual(wireInput(spec({ required: true }), given, { host: 'h' }), {
      path: { id: 'a' },
      query: { wait: 3 },
      header: { host: 'h' },
      body: { title: 'x', more: { deep: [1] } },
    });
  });

  it('takes no header from an argument of its name', () => {
    const { header, body } = wireInput(spec({ required: true }), { 'x-payment': 'mine' }, {});
    assert.deepEqual([header, body], [{}, { 'x-payment': 'mine' }]);
  });

  it('gives what has no place to the query, where it is refused by name', () => {
    const { query, body } = wireInput(spec(), { title: 'x' }, {});
    assert.deepEqual([query, body], [{ title: 'x' }, undefined]);
  });

  it('leaves out an optional body without a field, and never a required one', () => {
    assert.equal(wireInput(spec({ required: false }), { id: 'a' }, {}).body, undefined);
    assert.deepEqual(wireInput(spec({ required: false }), { x: 1 }, {}).body, { x: 1 });
    assert.deepEqual(wireInput(spec({ required: true }), { id: 'a' }, {}).body, {});
  });

  it('refuses a body that HTTP would not have read, counted in bytes', () => {
    const at = (text: string) => () => wireInput(spec({ required: true }), { x: text }, {});
    assert.doesNotThrow(at('y'.repeat(32)));
    assert.throws(at('y'.repeat(33)), { code: 'body-too-large' });
    assert.throws(at('ü'.repeat(20)), { code: 'body-too-large' });
  });
});
