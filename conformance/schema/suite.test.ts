import assert from 'node:assert/strict';
import { judgeSuite, readSuite } from './suite.ts';

/**
 * Groups that a rule cannot hold (choices acceptance.limits); every other group of the suite is
 * judged.
 */
const REFUSED: readonly RegExp[] = [
  /^points inside this schema/,
  /^stands at the root of the schema only$/,
  /^is one of date, time/,
  /^is ignored without (?:if|contains|items)$/,
  /^"\$dynamic(?:Anchor|Ref)" is no keyword/,
  /^schema is a JSON Schema object$/,
  /^__proto__ cannot be a member name here$/,
  /^known drafts are/,
  /^draft-07 ignores keywords beside \$ref/,
];

describe('the JSON-Schema-Test-Suite', function suite() {
  this.timeout(60_000);

  it('gets the right verdict for every test of a rule that is accepted', () => {
    const { judged, wrong, refused } = judgeSuite(readSuite());
    assert.deepEqual(wrong, []);
    assert.ok(judged >= 2_800, `${judged} tests were judged`);
    for (const { of, why } of refused) {
      assert.ok(
        REFUSED.some((reason) => reason.test(why)),
        `${of.draft} ${of.file}: ${of.group}: ${why}`,
      );
    }
  });
});
