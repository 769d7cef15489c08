import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { RE2JS } from 're2js';
import { parse } from 'yaml';
import { deref, document } from '../../harness/contract.ts';

/**
 * Shapes that the specification allows and some widespread tool does not read. Each of them broke a
 * generator, a parser or a linter once; the text says which and what to write in its place.
 */
interface Place {
  readonly at: string;
  readonly value: Readonly<Record<string, unknown>>;
}
type Fault = (place: Place) => string | undefined;

const VALUES = new Set(['example', 'examples', 'default', 'enum', 'const', 'mapping']);

const FAULTS: readonly Fault[] = [
  ({ value: { type } }) =>
    type === 'null' ? 'type null alone: typed languages have no such field' : undefined,
  ({ value: { type } }) => {
    const kinds = Array.isArray(type) ? type.filter((each) => each !== 'null') : [''];
    return kinds.length === 1
      ? undefined
      : 'several types: a oneOf of one type each is read by all';
  },
  ({ value: { anyOf } }) => (Array.isArray(anyOf) ? 'anyOf: say oneOf' : undefined),
  ({ value: { oneOf } }) =>
    Array.isArray(oneOf) && oneOf.some(isOpenObject)
      ? 'a choice with a free object in place: Java writes no class for it, give it a name'
      : undefined,
  ({ value: { oneOf, discriminator } }) =>
    Array.isArray(oneOf) && discriminator === undefined && !isByType(oneOf)
      ? 'a choice between values of one type: give it a discriminator'
      : undefined,
  ({ at, value: { requestBody } }) =>
    /\/links\/[^/]+$/.test(at) && !['undefined', 'string'].includes(typeof requestBody)
      ? 'a link whose body is no text: openapi-generator stops'
      : undefined,
  ({ at, value }) =>
    /\/links\/[^/]+\/parameters$/.test(at) &&
    Object.values(value).some((each) => typeof each !== 'string')
      ? 'a link whose parameter is no text: swagger-parser stops'
      : undefined,
  ({ at, value: { description } }) =>
    /\/servers\/\d+\/variables\/[^/]+$/.test(at) && description !== undefined
      ? 'a described server variable: swagger-parser stops; describe the server'
      : undefined,
  ({ value: { minLength, maxLength } }) =>
    Number(minLength ?? 0) > Number(maxLength ?? Infinity)
      ? 'a text that is shorter than it is long: ogen stops'
      : undefined,
  ({ at, value: { const: only } }) =>
    /^\/components\/schemas\/[^/]+$/.test(at) && only !== undefined && typeof only !== 'string'
      ? 'a component of one value: Python and Java have no name for its class'
      : undefined,
  ({ value: { type, const: only } }) =>
    type === 'boolean' && only !== undefined
      ? 'a boolean of one value: Python and Java read it as text; exclude the other'
      : undefined,
  ({ at, value: { schema } }) =>
    at.endsWith('/content/application~1json') &&
    (schema as Place['value'])?.['properties'] !== undefined
      ? 'a nameless body: each generator would call it otherwise'
      : undefined,
  ({ value: { enum: values } }) =>
    Array.isArray(values) && values.every((each) => each === null)
      ? 'an enum of null alone: openapi-generator writes a type without a value'
      : undefined,
  ({ value: { type, format, maximum } }) =>
    [type].flat().includes('integer') && Number(maximum) > INT32_MAX && format === undefined
      ? 'a wide integer without a format: Go gives it 32 bits'
      : undefined,
  ({ value: { pattern } }) =>
    typeof pattern === 'string' && !isReadByRe2(pattern)
      ? 'a pattern that RE2 does not read: Go and Rust stop; say the lengths beside it'
      : undefined,
];
const INT32_MAX = 2 ** 31 - 1;

function isReadByRe2(pattern: string): boolean {
  try {
    RE2JS.compile(pattern);
    return true;
  } catch {
    return false;
  }
}

/** A refusal of such a value reports the branch that takes its type (server/dispatch/faults.ts). */
function isByType(branches: readonly unknown[]): boolean {
  const types = branches.flatMap((branch) => deref<Place['value']>(branch)['type'] ?? 'any');
  return new Set(types).size === types.length && !types.includes('any');
}

function isOpenObject(branch: unknown): boolean {
  const { type, properties } = branch as Place['value'];
  return type === 'object' && properties === undefined;
}

function faultsIn(value: unknown, at: string): readonly string[] {
  if (typeof value !== 'object' || value === null) return [];
  const here = Array.isArray(value)
    ? []
    : FAULTS.flatMap((fault) => fault({ at, value: value as Place['value'] }) ?? []);
  const inside = Object.entries(value).flatMap(([key, each]) =>
    VALUES.has(key) && !at.endsWith('/properties')
      ? []
      : faultsIn(each, `${at}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`),
  );
  return [...here.map((what) => `${at}: ${what}`), ...inside];
}

describe('the published contract', () => {
  it('has no shape that a widespread tool cannot read', () => {
    assert.deepEqual(faultsIn(document, ''), []);
  });

  it('calls no two things by one name, whatever their kind', () => {
    const kinds = ['schemas', 'parameters', 'responses', 'securitySchemes'];
    const names = kinds.flatMap((kind) => Object.keys(document.components[kind] ?? {}));
    // Go exports a name by its first letter, and ogen's server has a type `Route` of its own.
    const types = ['route', ...names.map((name) => name.toLowerCase())];
    assert.deepEqual(
      types.filter((name, index) => types.indexOf(name) !== index),
      [],
    );
  });

  it('would notice each of them', () => {
    const only = { description: 'Anything.' };
    const broken: readonly unknown[] = [
      { a: { type: 'null' } },
      { a: { type: ['string', 'array', 'null'] } },
      { a: { anyOf: [] } },
      { a: { oneOf: [{ type: 'object' }] } },
      { a: { oneOf: [{ type: 'string' }, { type: 'string' }] } },
      { links: { next: { requestBody: {} } } },
      { links: { next: { parameters: { wait: 30 } } } },
      { servers: [{ variables: { base: only } }] },
      { a: { type: 'string', minLength: 1, maxLength: 0 } },
      { components: { schemas: { Fixed: { const: true } } } },
      { a: { type: 'boolean', const: true } },
      { content: { 'application/json': { schema: { properties: {} } } } },
      { a: { type: ['string', 'null'], enum: [null] } },
      { a: { type: ['integer', 'null'], maximum: 2 ** 31 } },
      { a: { type: 'string', pattern: '^(a{50}){50}$' } },
    ];
    assert.equal(broken.length, FAULTS.length);
    assert.deepEqual(
      broken.map((each) => faultsIn(each, '').length),
      broken.map(() => 1),
    );
  });

  for (const name of ['openapi.json', 'openapi-3.0.json']) {
    it(`has no control character in ${name}, raw or escaped, which YAML does not take`, () => {
      const text = readFileSync(`generated/${name}`, 'utf8');
      assert.deepEqual(text.match(/[^\P{Cc}\n]/gu), null);
      const escaped = /(?<!\\)(?:\\\\)*\\u00(?:[01][0-9a-f]|7f|[89][0-9a-f])/gi;
      assert.deepEqual(text.match(escaped), null);
    });
  }

  for (const name of ['openapi.json', 'openapi-3.0.json']) {
    it(`is the same for a reader of YAML 1.2: ${name}`, () => {
      const text = readFileSync(`generated/${name}`, 'utf8');
      assert.deepEqual(parse(text, { version: '1.2' }), JSON.parse(text));
    }).timeout(60_000);
  }
});
