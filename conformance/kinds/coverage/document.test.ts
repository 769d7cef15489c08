import assert from 'node:assert/strict';
import { operations } from '../../harness/contract.ts';

/** Requirements on the whole document, for programs that read it. */
interface Door {
  readonly mcp?: string;
  readonly a2a?: string;
}

function repeated(names: readonly string[]): readonly string[] {
  return names.filter((name, index) => names.indexOf(name) !== index);
}

describe('the document', () => {
  it('gives every operation an id, a path and a door name of its own', () => {
    const doors = operations.map((each) => (each.raw['x-door'] ?? {}) as Door);
    const given = (name: string | undefined): readonly string[] =>
      name === undefined ? [] : [name];
    assert.deepEqual(repeated(operations.map((each) => each.operationId)), []);
    assert.deepEqual(repeated(operations.map((each) => `${each.method} ${each.path}`)), []);
    assert.deepEqual(repeated(doors.flatMap((door) => given(door.mcp))), []);
    assert.deepEqual(repeated(doors.flatMap((door) => given(door.a2a))), []);
  });

  it('keeps paths apart whatever their parameters are called', () => {
    const shapes = operations.map(
      (each) => `${each.method} ${each.path.replaceAll(/\{\w+\}/g, '{}')}`,
    );
    assert.deepEqual(repeated(shapes), []);
  });

  it('says of every operation what it does and what it may refuse', () => {
    for (const { operationId, raw } of operations) {
      assert.ok(String(raw['summary'] ?? '').length > 0, operationId);
      assert.ok(String(raw['description'] ?? '').length > 0, operationId);
      const errors = raw['x-errors'] as readonly string[];
      assert.deepEqual(repeated(errors), [], operationId);
    }
  });
});
