import assert from 'node:assert/strict';
import { domainToASCII } from 'node:url';
import { keepsBidiRule } from './bidi.ts';
import { isHostname } from './hostname.ts';

/** Labels in Unicode, and whether they keep the rule of RFC 5893, 2. */
const ALEF = '\u05d0';
const BEH = '\u0628';
const BIDI: readonly (readonly [string, readonly string[], boolean])[] = [
  ['one of Hebrew', [ALEF + '\u05d1'], true],
  ['one of Arabic', [BEH + BEH], true],
  ['one with a point at its end', [ALEF + '\u05b0'], true],
  ['one with a European digit at its end', [`${ALEF}1`], true],
  ['one with an Arabic digit at its end', [`${BEH}\u0660`], true],
  ['one with a hyphen within', [`${ALEF}-${ALEF}`], true],
  ['one with an extended digit, which is European', [`${BEH}\u06f1`], true],
  ['beside others from left to right', ['www', `${ALEF}\u05d1`, 'example'], true],
  ['one that begins with a digit', [`1${ALEF}`], false],
  ['one that begins with an Arabic digit', [`\u0660${BEH}`], false],
  ['one that begins with a point', [`\u05b0${ALEF}`], false],
  ['one with a Latin letter within', [`${ALEF}a${ALEF}`], false],
  ['one with a Latin letter at its end', [`${ALEF}a`], false],
  ['one with a Latin letter first', [`a${ALEF}`], false],
  ['one with digits of both kinds', [`${BEH}1\u0660`], false],
  ['one with an extended and an Arabic digit', [`${BEH}\u06f1\u0660`], false],
  ['one that ends with a hyphen', [`${ALEF}-`], false],
  ['one of Latin with an Arabic digit', ['a\u0660'], false],
  ['beside one that begins with a digit', ['1a', ALEF], false],
  ['beside one of digits', [ALEF, '123'], false],
  ['none, with digits first', ['1a', '123', 'b'], true],
];

describe('a host name', () => {
  for (const [what, labels, want] of BIDI) {
    it(`${want ? 'keeps' : 'breaks'} the Bidi rule: ${what}`, () => {
      assert.equal(keepsBidiRule(labels), want);
    });
  }

  it('is refused in ASCII when a label breaks the rule', () => {
    for (const name of ['xn--8hbc', 'xn--a-bqc', 'xn--a-zhc', 'xn--1-0hc']) {
      assert.equal(isHostname(name), false, name);
      assert.equal(isHostname(`www.${name}.example`), false, name);
    }
  });

  it('is taken where names of both directions stand in use', () => {
    for (const name of [
      'www.\u05d9\u05e9\u05e8\u05d0\u05dc',
      '\u0645\u0635\u0631',
      'b\u00fccher.example',
    ]) {
      const ascii = domainToASCII(name);
      assert.ok(ascii.includes('xn--'));
      assert.equal(isHostname(ascii), true, name);
    }
    assert.equal(isHostname('1a.123.example'), true);
  });
});
