import assert from 'node:assert/strict';
import { escapeWidth } from './jsonEscape.ts';

/** The text after a first character, and the width of the escape with which it begins. */
const ESCAPES: readonly (readonly [string, number | undefined])[] = [
  ['\\n', 2],
  ['\\"\\u0041', 2],
  ...['\\u0041', '\\u0009', '\\u000a', '\\u000f', '\\u000A', '\\u000F', '\\u0001'].map(
    (text) => [text, 6] as const,
  ),
  ...['\\ud7ff', '\\ue000', '\\uffff'].map((text) => [text, 6] as const),
  ...['\\ud800\\udc00', '\\udbff\\udfff', '\\uD83D\\uDE00'].map((text) => [text, 12] as const),
  // Lone surrogates, and U+0000.
  ...['\\u0000', '\\ud800', '\\udbff', '\\udc00', '\\udfff', '\\ud800\\n', '\\ud800x'].map(
    (text) => [text, undefined] as const,
  ),
  ...['\\ud800\\udbff', '\\ud800\\ue000', '\\udc00\\udc00', '\\udfff\\ud800'].map(
    (text) => [text, undefined] as const,
  ),
  ...['\\ud800xudc00', '\\ud800\\xdc00', '\\ud800\\udc0'].map((text) => [text, undefined] as const),
  // No four hexadecimal digits: `JSON.parse` refuses them.
  ...['\\u', '\\u004', '\\u004g', '\\u004G', '\\u004/', '\\u004:', '\\u004@', '\\u004`'].map(
    (text) => [text, 2] as const,
  ),
];

describe('the width of an escape', () => {
  for (const [text, width] of ESCAPES) {
    it(`of ${text} is ${String(width)}`, () => {
      assert.equal(escapeWidth(`x${text}`, 1), width);
    });
  }
});
