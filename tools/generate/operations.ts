import type { OperationSpec } from '../../workflows/kernel/operation.ts';
import { bodyLimits } from './bodyLimits.ts';
import {
  eachOperation,
  jsonBody,
  parametersOf,
  resolve,
  takesKey,
  type Document,
  type Operation,
  type Parameter,
  type Response,
  type Schema,
} from './document.ts';

/** The run-time table and the type lists that handlers are written against. */
export function operationsModule(document: Document): string {
  const all = eachOperation(document);
  const withAuth = (auth: string): string =>
    union(
      all.filter((each) => each.operation['x-auth'] === auth).map((e) => e.operation.operationId),
    );
  const defaults = all.map(({ operation }) => {
    const names = parametersOf(document, operation)
      .filter((parameter) => parameter.in === 'query' && parameter.schema.default !== undefined)
      .map((parameter) => parameter.name);
    return names.length === 0 ? '' : `  '${operation.operationId}': ${union(names)};\n`;
  });
  const table = all.map((each) => `  '${each.operation.operationId}': ${entry(document, each)},\n`);
  const once = all.filter(
    ({ method, operation }) => takesKey(method, operation) && operation['x-once'] === undefined,
  );
  const faucet = all.filter(
    ({ operation }) => operation['x-auth'] === 'public' && operation['x-idempotency'] !== undefined,
  );
  return `import type { OperationSpec } from '../workflows/kernel/operation.ts';
import type { ErrorCode } from './errors.ts';
import type { operations } from './types.ts';

export type OperationId = keyof operations;
export type Area = ${union([...new Set(all.map((e) => e.operation.tags[0] ?? ''))])};
export type SignedOperation = ${withAuth('signed')};
export type OptionalOperation = ${withAuth('optional')};
export type ApiKeyOperation = ${withAuth('api-key')};
export type OnceOperation = ${union([...once, ...faucet].map((e) => e.operation.operationId))};

/** Query names whose default the edge fills in, so a handler always has them. */
export interface QueryDefaults {
${defaults.join('')}}

/** Refusal codes of shared value forms, by component name. */
export const componentCodes: Readonly<Record<string, ErrorCode>> = ${json(componentCodes(document))};

export const operationTable: { readonly [Op in OperationId]: OperationSpec } = {
${table.join('')}};
`;
}

function entry(
  document: Document,
  { path, method, operation }: { path: string; method: string; operation: Operation },
): string {
  const body = jsonBody(document, operation);
  const spec = {
    id: operation.operationId,
    method: method.toUpperCase(),
    path,
    summary: operation.summary,
    auth: operation['x-auth'],
    ...(operation['x-owner'] && { owner: operation['x-owner'].split('.') }),
    ...(operation['x-owner-or'] && { ownerOr: operation['x-owner-or'].split('.') }),
    ...(operation['x-idempotency'] && { idempotent: true }),
    ...(takesKey(method, operation) && { once: operation['x-once'] ?? 'unit' }),
    ...(operation['x-limit'] && { limit: operation['x-limit'] }),
    ...(operation['x-cache'] && { cacheSeconds: operation['x-cache'] }),
    ...(operation['x-stores'] && { stores: true }),
    ...(operation['x-while-banned'] && { whileBanned: true }),
    ...(operation['x-owner-key'] && { ownerKey: operation['x-owner-key'] }),
    ...(operation['x-dry-run'] && { dryRun: operation['x-dry-run'] }),
    ...(operation['x-may-lag'] && { mayLag: true }),
    ...(operation['x-compressed'] && { compressed: true }),
    ...(operation['x-unknown-query'] && { ignoresUnknown: true }),
    ...(operation['x-wait'] && { waits: true }),
    ...(operation['x-stream'] && { stream: operation['x-stream'] }),
    ...(operation['x-door'] && { door: doorNames(operation['x-door']) }),
    ...(body && {
      body: {
        required: operation.requestBody?.required === true,
        ...bodyLimits(document, body, operation['x-body-limit']),
        ...(operation['x-body-stream'] && { streamed: operation['x-body-stream'] }),
        brands: brandsOf(document, body, []),
        clamps: clampsOf(body),
        ...nullableOf(document, body),
        codes: codesOf(body, '#'),
        ...(hasMember(document, body, 'idempotencyKey') && { keyed: true }),
      },
    }),
    // These are read before an operation is run, by no operation itself (server/dispatch/preview.ts).
    parameters: parametersOf(document, operation)
      .filter(
        ({ name }) => name !== 'prefer' && !(name === KEY && operation['x-auth'] !== 'api-key'),
      )
      .map((each) => parameterEntry(document, each)),
    answers: Object.fromEntries(
      Object.entries(operation.responses)
        .filter(([status]) => status.startsWith('2'))
        .map(([status, response]) => [
          status,
          Object.keys(resolve<Response>(document, response).content ?? {}),
        ]),
    ),
    errors: operation['x-errors'] ?? [],
  };
  return json(spec);
}

const KEY = 'idempotency-key';

function hasMember(document: Document, schema: Schema, name: string): boolean {
  const { properties = {}, oneOf = [] } = resolve<Schema>(document, schema);
  return name in properties || oneOf.some((branch) => hasMember(document, branch, name));
}

function doorNames({ mcp, a2a }: NonNullable<Operation['x-door']>): OperationSpec['door'] {
  return { ...(mcp !== undefined && { mcp }), ...(a2a !== undefined && { a2a }) };
}

function parameterEntry(
  document: Document,
  parameter: Parameter,
): Readonly<Record<string, unknown>> {
  const schema = resolve<Schema>(document, parameter.schema);
  return {
    name: parameter.name,
    in: parameter.in,
    type: schema.type === 'integer' || schema.type === 'boolean' ? schema.type : 'string',
    ...(parameter.required && { required: true }),
    ...(schema.default !== undefined && { default: schema.default }),
    ...(schema['x-clamp'] !== undefined && { clamp: schema['x-clamp'] }),
    ...(schema['x-brand'] !== undefined && { brand: schema['x-brand'] }),
    ...(schema['x-code'] !== undefined && { code: schema['x-code'] }),
    ...(schema['x-hint'] !== undefined && { hint: schema['x-hint'] }),
  };
}

/** Where branded text stands inside a body: paths with `*` for list items. */
function brandsOf(document: Document, schema: Schema, at: readonly string[]): readonly unknown[] {
  if (at.length > 6) return [];
  const target = resolve<Schema>(document, schema);
  if (target['x-brand'] !== undefined) return [{ at, brand: target['x-brand'] }];
  const inside = Object.entries(target.properties ?? {}).flatMap(([name, property]) =>
    brandsOf(document, property, [...at, name]),
  );
  const items = target.items === undefined ? [] : brandsOf(document, target.items, [...at, '*']);
  const branches = (target.oneOf ?? []).flatMap((branch) => brandsOf(document, branch, at));
  return unique([...inside, ...items, ...branches]);
}

/** Branches of a choice may name the same place. */
function unique(entries: readonly unknown[]): readonly unknown[] {
  return [...new Map(entries.map((each) => [JSON.stringify(each), each])).values()];
}

/** Numbers of a body, at its top level, that are lowered to a cap. */
function clampsOf(schema: Schema): readonly unknown[] {
  return Object.entries(schema.properties ?? {}).flatMap(([name, property]) =>
    property['x-clamp'] === undefined ? [] : [{ name, cap: property['x-clamp'] }],
  );
}

/** Fields of a body, at its top level, of which null is a value. */
function nullableOf(document: Document, schema: Schema): { readonly nullable?: readonly string[] } {
  const nullable = Object.entries(schema.properties ?? {}).flatMap(([name, property]) => {
    const { type, oneOf } = resolve<Schema>(document, property);
    const isAny = type === undefined && oneOf === undefined;
    return isAny || [type].flat().includes('null') ? [name] : [];
  });
  return nullable.length === 0 ? {} : { nullable };
}

/** Refusal codes written inline in a body schema, by the validator's schema path. */
function codesOf(schema: Schema, at: string): Readonly<Record<string, string>> {
  if (schema.$ref !== undefined) return {};
  const own = schema['x-code'] === undefined ? {} : { [at]: schema['x-code'] };
  const inside = Object.entries(schema.properties ?? {}).map(([name, property]) =>
    codesOf(property, `${at}/properties/${name}`),
  );
  const items = schema.items === undefined ? {} : codesOf(schema.items, `${at}/items`);
  return Object.assign({}, own, ...inside, items) as Readonly<Record<string, string>>;
}

function componentCodes(document: Document): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(document.components.schemas).flatMap(([name, schema]) =>
      schema['x-code'] === undefined ? [] : [[name, schema['x-code']]],
    ),
  );
}

function union(names: readonly string[]): string {
  return names.length === 0 ? 'never' : names.map((name) => `'${name}'`).join(' | ');
}

function json(value: unknown): string {
  return JSON.stringify(value);
}
