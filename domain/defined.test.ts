import assert from 'node:assert/strict';
import { defined } from './defined.ts';

describe('the defined members of an object', () => {
  it('are all but those that are undefined', () => {
    const members = { a: 0, b: undefined, c: null, d: '', e: false };
    assert.deepEqual(defined(members), { a: 0, c: null, d: '', e: false });
    assert.deepEqual(Object.keys(defined(members)), ['a', 'c', 'd', 'e']);
    assert.deepEqual(defined({}), {});
  });
});
