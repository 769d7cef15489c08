import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { madeSchema } from './fixture.ts';
import type { Draft } from './schemaKeywords.ts';

/** The public test suite of JSON Schema (conformance/kinds/schema/README.md). */
interface SuiteGroup {
  readonly draft: Draft;
  readonly file: string;
  readonly group: string;
  readonly schema: unknown;
  readonly tests: readonly (readonly [title: string, value: unknown, valid: boolean])[];
}

const SUITE = new URL('../../conformance/kinds/schema/suite.json.gz', import.meta.url);
const groups = JSON.parse(
  gunzipSync(readFileSync(SUITE)).toString('utf8'),
) as readonly SuiteGroup[];

const DRAFTS: Readonly<Record<Draft, string>> = {
  '2020-12': 'https://json-schema.org/draft/2020-12/schema',
  'draft-07': 'http://json-schema.org/draft-07/schema#',
};

/** Groups that a rule cannot hold (choices acceptance.limits); every other group is judged. */
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

/** The schema as one that names its draft, unless it does so itself. */
function named({ draft, schema }: SuiteGroup): unknown {
  const isNamed = typeof schema !== 'object' || schema === null;
  return isNamed ? schema : { $schema: DRAFTS[draft], ...schema };
}

describe('the JSON-Schema-Test-Suite', () => {
  for (const file of new Set(groups.map(({ draft, file: name }) => `${draft} ${name}`))) {
    it(`gets the right verdict for every test of ${file}`, () => {
      for (const group of groups) {
        if (`${group.draft} ${group.file}` !== file) continue;
        const made = madeSchema(named(group));
        if (!('ok' in made)) {
          const { why } = made;
          assert.ok(
            REFUSED.some((reason) => reason.test(why)),
            `${group.group}: ${why}`,
          );
          continue;
        }
        for (const [title, value, valid] of group.tests) {
          // The listing of all reasons is a second evaluation, which must agree.
          for (const isFull of [false, true]) {
            const holds: boolean = made.reasons(value, isFull).length === 0;
            assert.equal(holds, valid, `${group.group}: ${title}`);
          }
        }
      }
    });
  }

  it('is judged and not refused, but for what no rule can hold', () => {
    const judged = groups.filter((group) => 'ok' in madeSchema(named(group)));
    assert.equal(
      judged.reduce((sum, { tests }) => sum + tests.length, 0),
      2_831,
    );
  });
});
