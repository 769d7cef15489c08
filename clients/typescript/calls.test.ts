import assert from 'node:assert/strict';
import { operationTable } from '../../generated/operations.ts';
import { readCalls } from './calls.ts';

describe('calls', () => {
  const kindOf = readCalls();

  it('knows every operation of the contract by method and path', () => {
    for (const { id, method, path, auth, idempotent, once, stream } of Object.values(
      operationTable,
    )) {
      const target = path.replace(/\{[^}]+\}/g, 'key%3Ax');
      const expected = {
        auth,
        once: idempotent === true ? 'body' : once && 'header',
        stream: stream !== undefined,
      };
      assert.deepEqual(kindOf(method, target), expected, id);
    }
  });

  it('takes a literal path before a parameter', () => {
    assert.equal(kindOf('GET', '/api/v1/games/positions').auth, 'signed');
    assert.equal(kindOf('GET', '/api/v1/games/poker').auth, 'public');
    assert.equal(kindOf('POST', '/api/v1/tasks/claim').auth, 'signed');
  });

  it('signs what it does not know, when it can, and never sends it twice', () => {
    const unknown = { auth: 'optional', once: undefined, stream: true };
    for (const [method, path] of [
      ['GET', '/api/v1/nothing'],
      ['POST', '/api/v1/tasks/x/y/z'],
      ['PUT', '/api/v1/tasks'],
      ['GET', '/api/v1/tasks//economics'],
    ] as const) {
      assert.deepEqual(kindOf(method, path), unknown, path);
    }
  });
});
