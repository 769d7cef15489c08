import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { operations } from '../../harness/contract.ts';

/** One operation, one test of its name. */
describe('every operation', () => {
  it('has a test of its name', () => {
    const untested = operations.filter(({ operationId }) => {
      const test = new URL(`../../${operationId.replace('.', '/')}.test.ts`, import.meta.url);
      return !existsSync(test);
    });
    assert.deepEqual(
      untested.map(({ operationId }) => operationId),
      [],
    );
  });
});
