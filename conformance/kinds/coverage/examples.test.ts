import assert from 'node:assert/strict';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { errorTable, type ErrorCode } from '../../../generated/errors.ts';
import {
  deref,
  document,
  operations,
  type DeclaredOperation,
  type Json,
} from '../../harness/contract.ts';
import { documentText } from '../../harness/document.ts';
import { at } from '../../harness/must.ts';

/** Examples are answers of a run; what is shown must still be what the contract says. */
const ajv = new Ajv2020({ strict: false, allErrors: true });
formats.default(ajv);
ajv.addSchema(document, 'contract');

const compiled = new Map<string, ValidateFunction>();

/** Schemas of a media type are compiled where they stand, so that their references hold. */
function faultOf(schema: Json, example: unknown): string | undefined {
  const text = JSON.stringify(schema).replaceAll('"$ref":"#', '"$ref":"contract#');
  const check = compiled.get(text) ?? ajv.compile(JSON.parse(text) as Json);
  compiled.set(text, check);
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

interface Example {
  readonly code: string;
  readonly status: string;
  readonly value: Json;
  readonly schema: Json;
}

/** The examples of refusals of an operation. */
function refusalsOf({ responses }: DeclaredOperation): readonly Example[] {
  return Object.entries(responses).flatMap(([status, { content }]) => {
    const { examples = {}, schema = {} } = (content?.['application/json'] ?? {}) as {
      readonly examples?: Json;
      readonly schema?: Json;
    };
    return Object.entries(examples).map(([code, example]) => {
      const { value } = deref<{ readonly value: Json }>(example);
      return { code, status, value, schema };
    });
  });
}

/** It takes nothing, is public and never limited: an unknown parameter and a wrong path are left. */
const FEWER = { 'discovery.errors': 2 };

describe('the examples of refusals', () => {
  it('are three of each operation, or all that a caller can meet', () => {
    const counts = operations.map((operation) => {
      return [operation.operationId, refusalsOf(operation).length] as const;
    });
    assert.deepEqual(Object.fromEntries(counts.filter(([, count]) => count !== 3)), FEWER);
  });

  it('are of the schema, under their status, with a code that the operation lists', () => {
    const faults = operations.flatMap((operation) =>
      refusalsOf(operation).flatMap(({ code, status, value, schema }) => {
        const where = `${operation.operationId} ${status} ${code}`;
        const nested = at(value, 'error');
        const { code: plain } = (typeof nested === 'object' ? nested : value) as Json;
        // The generateContent form has the status there, and the code as its reason.
        const found = at(nested, 'details', 0, 'reason') ?? plain;
        const isListed = (operation.raw['x-errors'] as readonly string[]).includes(code);
        const isOfStatus = String(errorTable[code as ErrorCode].status) === status;
        const fault = faultOf(schema, value);
        return [
          ...(found === code && isListed && isOfStatus ? [] : [`${where} is ${String(found)}`]),
          ...(fault === undefined ? [] : [`${where}: ${fault}`]),
        ];
      }),
    );
    assert.deepEqual(faults, []);
  });

  it('show no id, key or port of one run', () => {
    const text = JSON.stringify(operations.map(refusalsOf));
    assert.deepEqual([...new Set(text.match(/127\.0\.0\.1:\d+/g))], ['127.0.0.1:4020']);
    assert.ok(new Set(text.match(/key:[1-9A-HJ-NP-Za-km-z]{43,44}/g)).size <= 2);
    assert.doesNotMatch(text, /requestId/);
  });

  it('lead a reader on: none says only that there is no such thing, or names a key to a read', () => {
    assert.doesNotMatch(documentText, /no such thing[.;]/i);
    for (const { method, raw, operationId } of operations.filter((each) => each.method === 'GET')) {
      const texts = Object.values(raw['responses'] as Json).map((each) => deref<Json>(each));
      for (const { description } of texts) {
        assert.doesNotMatch(String(description), /same (?:idempotencyK|k)ey/, operationId + method);
      }
    }
  });
});

describe('the code of each operation', () => {
  it('is there in three languages, after the lines that all of a language need', () => {
    const setup = at(document, 'x-codeSetup') as Json;
    assert.deepEqual(Object.keys(setup), ['Shell', 'TypeScript', 'Python']);
    for (const { operationId, raw } of operations) {
      const samples = raw['x-codeSamples'] as readonly { readonly lang: string }[];
      assert.deepEqual(
        samples.map(({ lang }) => lang),
        Object.keys(setup),
        operationId,
      );
    }
  });
});

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
