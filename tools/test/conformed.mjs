/** Root hook of every file: no answer that it got may have differed from the contract. */
import assert from 'node:assert/strict';
import { undeclared } from './undeclared.ts';

export function conformed() {
  assert.deepEqual(undeclared.splice(0), [], 'answers that differ from the contract');
}

/** For plain mocha (.mocharc.json), once for the whole run. */
export const mochaHooks = { afterAll: conformed };
