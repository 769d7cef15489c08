import assert from 'node:assert/strict';
import { isObject, listOf, withoutNulls, withoutUnset } from './jsonObject.ts';

describe('values of JSON', () => {
  it('are objects, lists or neither', () => {
    assert.deepEqual([{}, { a: 1 }].map(isObject), [true, true]);
    for (const value of [null, undefined, [], 'a', 1, true]) assert.equal(isObject(value), false);
    assert.deepEqual(listOf([1]), [1]);
    for (const value of [null, undefined, {}, 'ab']) assert.deepEqual(listOf(value), []);
  });

  it('lose members that are null as deep as they are looked at', () => {
    assert.deepEqual(withoutUnset({ a: null, b: 0, c: { d: null } }), { b: 0, c: { d: null } });
    const value = { a: null, b: { c: null, d: { e: null } }, f: [{ g: null }, null] };
    assert.deepEqual(withoutNulls(value, 0), value);
    const once = { b: { c: null, d: { e: null } }, f: [{ g: null }, null] };
    assert.deepEqual(withoutNulls(value, 1), once);
    assert.deepEqual(withoutNulls(value, 2), { b: { d: { e: null } }, f: [{}, null] });
    assert.deepEqual(withoutNulls([null, { a: null }], 1), [null, {}]);
    assert.equal(withoutNulls(null, 1), null);
  });
});
