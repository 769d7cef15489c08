import assert from 'node:assert/strict';
import { escapeWidth } from './jsonEscape.ts';

/** Texts by the width of the escape with which they begin. */
const ESCAPES: readonly (readonly [width: number | undefined, texts: readonly string[]])[] = [
  [2, ['\\n', '\\"\\u0041']],
  // No four hexadecimal digits: `JSON.parse` refuses them.
  [2, ['\\u', '\\u004', '\\u004g', '\\u004G', '\\u004/', '\\u004:', '\\u004@', '\\u004`']],
  [6, ['\\u0041', '\\u0009', '\\u000a', '\\u000f', '\\u000A', '\\u000F', '\\u0001']],
  [6, ['\\ud7ff', '\\ue000', '\\uffff']],
  [12, ['\\ud800\\udc00', '\\udbff\\udfff', '\\uD83D\\uDE00']],
  // Lone surrogates, and U+0000.
  [undefined, ['\\u0000', '\\ud800', '\\udbff', '\\udc00', '\\udfff', '\\ud800\\n', '\\ud800x']],
  [undefined, ['\\ud800\\udbff', '\\ud800\\ue000', '\\udc00\\udc00', '\\udfff\\ud800']],
  [undefined, ['\\ud800xudc00', '\\ud800\\xdc00', '\\ud800\\udc0']],
];

describe('the width of an escape', () => {
  for (const [width, texts] of ESCAPES) {
    for (const text of texts) {
      it(`is ${String(width)} for ${text}`, () => {
        assert.equal(escapeWidth(`x${text}`, 1), width);
      });
    }
  }
});
