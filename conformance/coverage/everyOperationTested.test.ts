import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { PENDING } from '../../handlers/pending.ts';
import { operations } from '../harness/contract.ts';

/** One operation, one test of its name; what has none yet stands in a list that only shrinks. */
const here = (path: string): URL => new URL(path, import.meta.url);
const testOf = (operationId: string): string => `${operationId.replace('.', '/')}.test.ts`;

describe('every operation is tested', () => {
  const ids = operations.map((each) => each.operationId);
  const untested = ids.filter((id) => !existsSync(here(`../${testOf(id)}`)));
  const listed = readFileSync(here('uncovered.txt'), 'utf8').split('\n').filter(Boolean);

  it('or stands in uncovered.txt, which lists exactly the ones without a test', () => {
    assert.deepEqual(listed, [...untested].sort());
  });

  it('and what has a handler has a test', () => {
    const built = ids.filter((id) => !PENDING.some((pending) => pending === id));
    assert.deepEqual(
      built.filter((id) => untested.includes(id)),
      [],
    );
  });

  it('and what is pending is an operation of the contract', () => {
    assert.deepEqual(
      PENDING.filter((id) => !ids.includes(id)),
      [],
    );
  });
});
