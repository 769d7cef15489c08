import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { documentText } from './document.ts';

/** The document as an outside client reads it, without code of the server that could hide a bug. */
export interface DeclaredOperation {
  readonly operationId: string;
  readonly method: string;
  readonly path: string;
  readonly responses: Readonly<Record<string, Declared>>;
  readonly raw: Json;
}
interface Declared {
  readonly headers?: Readonly<Record<string, unknown>>;
  readonly content?: Readonly<Record<string, { readonly schema?: Json }>>;
}
export type Json = Readonly<Record<string, unknown>>;

interface OpenApi {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Json>>>>;
  readonly components: Readonly<Record<string, Readonly<Record<string, Json>>>>;
  readonly info: { readonly version: string };
}

export const document = JSON.parse(documentText) as OpenApi;

const ajv = new Ajv2020({ strict: false, allErrors: true, discriminator: false });
formats.default(ajv);
ajv.addSchema(document, 'contract');
const compiled = new Map<string, ValidateFunction>();

export function deref<T>(value: unknown): T {
  const target = value as { readonly $ref?: string };
  if (typeof target?.$ref !== 'string') return value as T;
  const [, , group = '', name = ''] = target.$ref.split('/');
  return deref(document.components[group]?.[name]);
}

export const operations: readonly DeclaredOperation[] = Object.entries(document.paths).flatMap(
  ([path, item]) =>
    Object.entries(item).map(([method, raw]) => ({
      operationId: String(raw['operationId']),
      method: method.toUpperCase(),
      path,
      responses: Object.fromEntries(
        Object.entries(raw['responses'] as Json).map(([status, r]) => [status, deref<Declared>(r)]),
      ),
      raw,
    })),
);

/** The operation that a request means; the most literal path wins, as in the server. */
export function operationOf(method: string, path: string): DeclaredOperation | undefined {
  const given = path.split('/');
  const fits = operations.filter((each) => each.method === method && matches(each.path, given));
  return fits.sort((a, b) => parameterCount(a.path) - parameterCount(b.path))[0];
}

/** Templates, split once: this is asked for every answer of every test. */
const split = new Map(operations.map(({ path }) => [path, path.split('/')] as const));

function matches(template: string, given: readonly string[]): boolean {
  const wanted = split.get(template) ?? [];
  return (
    wanted.length === given.length &&
    wanted.every((segment, index) => segment.startsWith('{') || segment === given[index])
  );
}

function parameterCount(template: string): number {
  return template.split('{').length;
}

/** Returns what in an answer the document does not declare; an empty list when it conforms. */
export function faultsOf(
  operation: DeclaredOperation,
  answer: { readonly status: number; readonly headers: Headers; readonly body: unknown },
): readonly string[] {
  const status = String(answer.status);
  const declared = operation.responses[status] ?? operation.responses[`${status[0]}XX`];
  if (declared === undefined) return [`${operation.operationId} does not declare ${status}`];
  const wrong = Object.entries(declared.headers ?? {})
    .map(([name, header]) => headerFault(name, header, answer.headers.get(name)))
    .filter((fault) => fault !== undefined)
    .map((fault) => `${operation.operationId} ${status} ${fault}`);
  return [...wrong, ...contentFaults(operation, status, declared, answer)];
}

function headerFault(name: string, header: unknown, value: string | null): string | undefined {
  const { required, schema = {} } = deref<{ readonly required?: boolean; readonly schema?: Json }>(
    header,
  );
  if (value === null) return required === true ? `lacks the header ${name}` : undefined;
  const isNumber = deref<Json>(schema)['type'] === 'integer' && /^\d+$/.test(value);
  const fits = validator(schema)(isNumber ? Number(value) : value);
  return fits ? undefined : `has the header ${name}: ${value}`;
}

function contentFaults(
  operation: DeclaredOperation,
  status: string,
  declared: Declared,
  answer: { readonly headers: Headers; readonly body: unknown },
): readonly string[] {
  const type = answer.headers.get('content-type') ?? '';
  if (type === PREVIEW && answer.headers.get('preference-applied') === 'dry-run') {
    return bodyFaults(operation, status, { $ref: '#/components/schemas/Preview' }, answer.body);
  }
  const content = declared.content?.[type];
  if (content === undefined) return [`${operation.operationId} ${status} does not declare ${type}`];
  if (type !== 'application/json' || content.schema === undefined) return [];
  return bodyFaults(operation, status, content.schema, answer.body);
}

/** Any operation that may be tried answers so when it was (`Prefer` in the document). */
const PREVIEW = 'application/vnd.hub.preview+json';

function bodyFaults(
  operation: DeclaredOperation,
  status: string,
  schema: Json,
  body: unknown,
): readonly string[] {
  const check = validator(schema);
  if (check(body)) return [];
  return (check.errors ?? []).map(
    (e) =>
      `${operation.operationId} ${status} ${e.instancePath} ${e.message} ${JSON.stringify(e.params)}`,
  );
}

/** Compiles a schema of the document, its references read inside the document. */
export function validator(schema: Json): ValidateFunction {
  const text = JSON.stringify(schema).replaceAll('"#/', '"contract#/');
  const known = compiled.get(text) ?? ajv.compile(JSON.parse(text) as Json);
  compiled.set(text, known);
  return known;
}
