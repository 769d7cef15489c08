import assert from 'node:assert/strict';
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { document, operations, type Json } from '../harness/contract.ts';

/** Examples are answers of a run; what is shown must still be what the contract says. */
const ajv = new Ajv2020({ strict: false, allErrors: true });
formats.default(ajv);
ajv.addSchema(document, 'contract');

/** Schemas of a media type are compiled where they stand, so that their references hold. */
function faultOf(schema: Json, example: unknown): string | undefined {
  const text = JSON.stringify(schema).replaceAll('"$ref":"#', '"$ref":"contract#');
  const check = ajv.compile(JSON.parse(text) as Json);
  return check(example) ? undefined : ajv.errorsText(check.errors);
}

const successes = operations.flatMap(({ operationId, responses }) =>
  Object.entries(responses)
    .filter(([status]) => status === '200')
    .flatMap(([status, { content }]) =>
      Object.entries(content ?? {}).map(([type, media]) => ({
        operationId,
        what: `${operationId} ${status} ${type}`,
        media: media as { readonly schema?: Json; readonly example?: unknown },
      })),
    ),
);

describe('the examples of answers', () => {
  it('are there for every success but bytes (npm run examples records those that are missing)', () => {
    const bare = successes.filter(
      ({ what, media }) =>
        media.example === undefined && !what.endsWith(' application/octet-stream'),
    );
    assert.deepEqual(
      bare.map(({ what }) => what),
      [],
    );
  });

  it('are of the schema', () => {
    const faults = successes.flatMap(({ what, media }) => {
      const fault =
        media.example === undefined ? undefined : faultOf(media.schema ?? {}, media.example);
      return fault === undefined ? [] : [`${what}: ${fault}`];
    });
    assert.deepEqual(faults, []);
  });
});
