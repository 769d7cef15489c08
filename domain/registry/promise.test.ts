import assert from 'node:assert/strict';
import type { JsonObject } from '../jsonObject.ts';
import { promises, refundsOf, whyNotJudged } from './promise.ts';

describe('the promise of an output schema', () => {
  const judged: readonly JsonObject[] = [
    {},
    { type: 'object', required: ['a'], properties: { a: { type: 'integer' } } },
    { properties: { a: { pattern: '^[a-z]+$' } } },
    { $ref: '#/$defs/a', $defs: { a: { type: 'object' } } },
    { $schema: 'http://json-schema.org/draft-07/schema#', type: 'object' },
    { title: 'Sum', description: 'A sum.', examples: [{ a: 1 }] },
  ];
  const unjudged: readonly (readonly [JsonObject, RegExp])[] = [
    [{ $ref: 'https://elsewhere.example/schema.json' }, /^\/\$ref /],
    [{ type: 'number?' }, /^\/type /],
    [{ properties: { a: { pattern: '(?<=a)b' } } }, /look-?behind|RE2|\(\?<=/],
    [{ properties: { a: { pattern: '(a)\\1' } } }, /./],
    [{ properties: { a: { pattern: '[' } } }, /is no regular expression/],
    [{ unknownWord: 1 }, /"unknownWord" is no keyword/],
    [{ enum: Array(2_000).fill('a') }, /^it has more than 2000 values$/],
    [{ $schema: 'https://elsewhere.example/dialect' }, /^\/\$schema /],
  ];

  it('is made by a schema that the hub can judge', () => {
    for (const outputSchema of judged) assert.ok(promises({ outputSchema }));
  });

  it('is made by no other, and says why', () => {
    assert.ok(!promises({}));
    for (const [outputSchema, why] of unjudged) {
      assert.ok(!promises({ outputSchema }));
      assert.match(whyNotJudged(outputSchema) ?? '', why);
    }
  });

  it('is not said by a listing without a tool that makes it', () => {
    for (const promise of ['none', 'output-schema', 'acceptance'] as const) {
      assert.equal(refundsOf({ refunds: promise, skillsPromised: 1 }), promise);
      const alone = promise === 'output-schema' ? 'none' : promise;
      assert.equal(refundsOf({ refunds: promise, skillsPromised: 0 }), alone);
    }
  });
});
