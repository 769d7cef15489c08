import fc from 'fast-check';
import { deref, validator, type DeclaredOperation, type Json } from '../../harness/contract.ts';
import { ownValues, type Surroundings } from './overrides.ts';
import { freeJson, numbersOf, textOf } from './values.ts';
import type { Schema } from './schema.ts';

/** Makes requests from the document alone; its validator filters out what it cannot express. */
export interface Case {
  readonly path: Json;
  readonly query: Json;
  readonly body: unknown;
}

export interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required?: boolean;
  readonly schema: Schema;
}

/** `all` includes every optional field; `some` leaves any of them out. */
export type Presence = 'some' | 'all';

interface Making {
  readonly around: Surroundings;
  readonly presence: Presence;
  /** References that may still be followed: rules nest in rules without end. */
  readonly depth: number;
}

const DEPTH_MAX = 9;
const EXTRA_ITEMS_MAX = 3;

/** Values of a schema; undefined when it nests deeper than a request needs to. */
function arbitraryOf(schema: Schema, making: Making): fc.Arbitrary<unknown> | undefined {
  if (schema.$ref !== undefined) {
    const name = schema.$ref.split('/').at(-1) ?? '';
    const own = ownValues(name, making.around);
    if (own !== undefined) return own;
    if (making.depth === 0) return undefined;
    return arbitraryOf(deref(schema), { ...making, depth: making.depth - 1 });
  }
  if (schema.const !== undefined) return fc.constant(schema.const);
  if (schema.enum !== undefined) return fc.constantFrom(...schema.enum);
  if (schema.oneOf !== undefined)
    return anyOf(schema.oneOf.map((each) => arbitraryOf(each, making)));
  return anyOf(typesOf(schema).map((type) => typed(type, schema, making)));
}

export function typesOf(schema: Schema): readonly string[] {
  return typeof schema.type === 'string' ? [schema.type] : (schema.type ?? ['any']);
}

function anyOf(
  branches: readonly (fc.Arbitrary<unknown> | undefined)[],
): fc.Arbitrary<unknown> | undefined {
  const made = branches.filter((each) => each !== undefined);
  return made.length === 0 ? undefined : fc.oneof(...made);
}

function typed(type: string, schema: Schema, making: Making): fc.Arbitrary<unknown> | undefined {
  switch (type) {
    case 'string':
      return textOf(schema);
    case 'integer':
    case 'number':
      return numbersOf(type, schema);
    case 'boolean':
      return fc.boolean();
    case 'null':
      return fc.constant(null);
    case 'array':
      return listOf(schema, making);
    case 'object':
      return objectOf(schema, making);
    default:
      return freeJson;
  }
}

function listOf(schema: Schema, making: Making): fc.Arbitrary<unknown> | undefined {
  const item = schema.items === undefined ? freeJson : arbitraryOf(schema.items, making);
  const minLength = schema.minItems ?? 0;
  if (item === undefined) return minLength === 0 ? fc.constant([]) : undefined;
  const maxLength = Math.min(schema.maxItems ?? Infinity, minLength + EXTRA_ITEMS_MAX);
  const atLeast = making.presence === 'all' && maxLength > 0 ? Math.max(1, minLength) : minLength;
  if (schema.uniqueItems !== true) return fc.array(item, { minLength: atLeast, maxLength });
  const selector = (value: unknown): string => JSON.stringify(value);
  return fc.uniqueArray(item, { minLength: atLeast, maxLength, selector });
}

function objectOf(schema: Schema, making: Making): fc.Arbitrary<unknown> | undefined {
  const required = schema.required ?? [];
  const fields: Record<string, fc.Arbitrary<unknown>> = {};
  for (const [name, field] of Object.entries(schema.properties ?? {})) {
    const values = arbitraryOf(field, making);
    if (values !== undefined) fields[name] = values;
    else if (required.includes(name)) return undefined;
  }
  const requiredKeys = making.presence === 'all' ? Object.keys(fields) : [...required];
  const eitherOf = schema['x-at-least-one'];
  const named = fc
    .record(fields, { requiredKeys })
    .filter((made) => eitherOf === undefined || eitherOf.some((name) => name in made));
  const { additionalProperties: more } = schema;
  if (more === false) return named;
  const extra = typeof more === 'object' ? arbitraryOf(more, making) : freeJson;
  if (extra === undefined) return named;
  const name = fc.stringMatching(/^[a-z]{1,8}$/);
  const minKeys = schema.minProperties ?? 0;
  return fc
    .tuple(named, fc.dictionary(name, extra, { minKeys, maxKeys: minKeys + EXTRA_ITEMS_MAX }))
    .map(([known, others]) => ({ ...others, ...known }));
}

export function parametersOf(operation: DeclaredOperation): readonly Parameter[] {
  const given = (operation.raw['parameters'] ?? []) as readonly unknown[];
  return given.map((each) => deref<Parameter>(each));
}

/** The JSON body schema of an operation; undefined when it takes none. */
export function bodySchemaOf(operation: DeclaredOperation): Schema | undefined {
  const body = operation.raw['requestBody'] as
    { readonly content: Readonly<Record<string, { readonly schema: Schema }>> } | undefined;
  const schema = body?.content['application/json']?.schema;
  return schema === undefined ? undefined : deref<Schema>(schema);
}

export function casesOf(
  operation: DeclaredOperation,
  around: Surroundings,
  presence: Presence,
): fc.Arbitrary<Case> {
  const making: Making = { around, presence, depth: DEPTH_MAX };
  return fc
    .record({
      path: placeOf(operation, 'path', making),
      query: placeOf(operation, 'query', making),
      body: bodyOf(operation, making),
    })
    .map((made) => withoutWait(operation, withOwner(operation, made, around.self)));
}

/** A long poll in the body is answered at once; what is absent would be its longest. */
function withoutWait(operation: DeclaredOperation, made: Case): Case {
  if (operation.raw['x-wait'] !== 'body.wait') return made;
  return { ...made, body: { ...(made.body as object), wait: 0 } };
}

/** Only the hub can make a cursor, so none is made up here. */
const CURSOR = '#/components/schemas/Cursor';

function placeOf(
  operation: DeclaredOperation,
  place: 'path' | 'query',
  making: Making,
): fc.Arbitrary<Json> {
  const fields: Record<string, fc.Arbitrary<unknown>> = {};
  const requiredKeys: string[] = [];
  for (const { name, in: where, required, schema } of parametersOf(operation)) {
    if (where !== place || schema['$ref'] === CURSOR) continue;
    fields[name] = parameterValues(name, schema, place, making);
    if (required === true || making.presence === 'all') requiredKeys.push(name);
  }
  return fc.record(fields, { requiredKeys });
}

function parameterValues(
  name: string,
  schema: Schema,
  place: 'path' | 'query',
  making: Making,
): fc.Arbitrary<unknown> {
  // A long poll would hold every run of the property for half a minute.
  if (name === 'wait') return fc.constant(0);
  // Nor does a stream that stays open end; its own suite reads it.
  if (name === 'stream') return fc.constant(false);
  const values = arbitraryOf(schema, making) ?? fc.constant('');
  const check = validator(schema as Json);
  return values.filter((value) => check(value) && (place === 'query' || isSegment(value)));
}

/** An empty segment is another path, and URLs resolve the dots away. */
function isSegment(value: unknown): boolean {
  return !['', '.', '..'].includes(String(value));
}

function bodyOf(operation: DeclaredOperation, making: Making): fc.Arbitrary<unknown> {
  const schema = bodySchemaOf(operation);
  if (schema === undefined) return fc.constant(undefined);
  const values = arbitraryOf(schema, making);
  if (values === undefined) throw new Error(`${operation.operationId}: its body nests too deep`);
  const check = validator(schema as Json);
  const sound = values.filter((value) => check(value));
  const { required } = operation.raw['requestBody'] as { readonly required?: boolean };
  return required === true || making.presence === 'all'
    ? sound
    : fc.option(sound, { nil: undefined });
}

function withOwner(operation: DeclaredOperation, made: Case, self: string): Case {
  const [place, name] = ownerOf(operation) ?? [];
  if (place === undefined || name === undefined) return made;
  const values = made[place];
  if (typeof values !== 'object' || values === null || !(name in values)) return made;
  return { ...made, [place]: { ...values, [name]: self } };
}

/** Where an operation names the account whose authority it claims. */
export function ownerOf(
  operation: DeclaredOperation,
): readonly ['path' | 'query' | 'body', string] | undefined {
  const text = operation.raw['x-owner'];
  if (typeof text !== 'string') return undefined;
  const [place, name = ''] = text.split('.');
  return place === 'path' || place === 'query' || place === 'body' ? [place, name] : undefined;
}
