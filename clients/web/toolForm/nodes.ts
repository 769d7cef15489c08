import { isRecord } from '../publish/conditions.ts';

/**
 * The fields of a form for the input schema of a tool. Schemas are untrusted: depth, fields, options
 * and texts are bounded, references lead inside of the schema alone, and patterns are never run. A
 * part beyond a bound becomes one field for JSON, so that every tool can still be called.
 */
const DEPTH_MAX = 4;
const FIELDS_MAX = 60;
const OPTIONS_MAX = 100;
const REFERENCES_MAX = 100;
const NAME_LETTERS_MAX = 80;
const TEXT_LETTERS_MAX = 300;

interface Shared {
  readonly name: string;
  readonly label: string;
  readonly hint: string;
  readonly isRequired: boolean;
  /** The value of the schema to begin with: a constant, default or example; undefined for none. */
  readonly first: unknown;
}
export type Leaf = Shared &
  (
    | { readonly kind: 'text'; readonly isLong: boolean }
    | { readonly kind: 'number'; readonly isWhole: boolean }
    | { readonly kind: 'flag' }
    | { readonly kind: 'choice'; readonly options: readonly unknown[] }
    | { readonly kind: 'lines'; readonly of: 'text' | 'number' }
    | { readonly kind: 'json' }
  );
interface Group extends Shared {
  readonly kind: 'group';
  readonly fields: readonly FormNode[];
}
export type FormNode = Leaf | Group;

type Schema = Readonly<Record<string, unknown>>;

interface Reading {
  readonly root: unknown;
  left: number;
  references: number;
}

/** Returns the fields of the arguments; undefined where the schema names none. */
export function fieldsOf(schema: unknown): readonly FormNode[] | undefined {
  const reading = { root: schema, left: FIELDS_MAX, references: REFERENCES_MAX };
  const { is } = resolvedIn(schema, reading);
  const properties = isRecord(is) ? is['properties'] : undefined;
  if (!isRecord(is) || !isRecord(properties)) return undefined;
  return Object.keys(properties).length > FIELDS_MAX ? undefined : groupFields(is, reading, 1);
}

function groupFields(schema: Schema, reading: Reading, depth: number): readonly FormNode[] {
  const properties = isRecord(schema['properties']) ? schema['properties'] : {};
  const required = new Set(listOf(schema['required']).filter(isText));
  return Object.entries(properties)
    .map(([name, each]) => nodeOf(each, { name, isRequired: required.has(name), reading, depth }))
    .sort((a, b) => Number(b.isRequired) - Number(a.isRequired));
}

interface Place {
  readonly name: string;
  readonly isRequired: boolean;
  readonly reading: Reading;
  readonly depth: number;
}

function nodeOf(given: unknown, { name, isRequired, reading, depth }: Place): FormNode {
  reading.left -= 1;
  const { is, isWhole } = resolvedIn(given, reading);
  const schema: Schema = isRecord(is) ? is : {};
  const [example] = listOf(schema['examples']);
  const first = [schema['const'], schema['default'], example, schema['example']].find(
    (value) => value !== undefined && value !== null,
  );
  const says = [schema['description'], isRecord(given) ? given['description'] : undefined];
  const shared: Shared = {
    name,
    label: cut(isText(schema['title']) ? schema['title'] : name, NAME_LETTERS_MAX),
    hint: cut(says.find(isText) ?? '', TEXT_LETTERS_MAX),
    isRequired,
    first,
  };
  const isBeyond = reading.left <= 0 || !isWhole;
  if (isBeyond) return { ...shared, kind: 'json' };
  if (schema['type'] === 'object' && isRecord(schema['properties']) && depth < DEPTH_MAX) {
    const isWide = Object.keys(schema['properties']).length > reading.left;
    if (!isWide) {
      return { ...shared, kind: 'group', fields: groupFields(schema, reading, depth + 1) };
    }
  }
  return { ...shared, ...leafOf(schema, reading) };
}

type LeafKind = Leaf extends infer L ? (L extends Leaf ? Omit<L, keyof Shared> : never) : never;

function leafOf(schema: Schema, reading: Reading): LeafKind {
  const options = schema['const'] === undefined ? listOf(schema['enum']) : [schema['const']];
  const areScalars = options.every((each) => typeof each !== 'object' || each === null);
  if (options.length > 0 && options.length <= OPTIONS_MAX && areScalars) {
    return { kind: 'choice', options };
  }
  switch (schema['type']) {
    case 'string':
      return { kind: 'text', isLong: isLong(schema) };
    case 'number':
    case 'integer':
      return { kind: 'number', isWhole: schema['type'] === 'integer' };
    case 'boolean':
      return { kind: 'flag' };
    case 'array': {
      const { is: item } = resolvedIn(schema['items'], reading);
      const type = isRecord(item) && item['enum'] === undefined ? item['type'] : undefined;
      if (type === 'string') return { kind: 'lines', of: 'text' };
      if (type === 'number' || type === 'integer') return { kind: 'lines', of: 'number' };
      return { kind: 'json' };
    }
    default:
      return { kind: 'json' };
  }
}

const LONG_FROM = 200;
const LONG_NAMES = /text|prompt|message|body|content|query|description|code/i;

function isLong({ maxLength, format, title, description }: Schema): boolean {
  if (format !== undefined) return false;
  if (typeof maxLength === 'number') return maxLength > LONG_FROM;
  return [title, description].some((text) => isText(text) && LONG_NAMES.test(text.slice(0, 40)));
}

/** Follows references and takes the one alternative beside null; `isWhole` is false at a bound. */
function resolvedIn(given: unknown, reading: Reading): { is: unknown; isWhole: boolean } {
  let at = given;
  for (;;) {
    if (!isRecord(at)) return { is: at, isWhole: true };
    const next = referenced(at, reading) ?? onlyAlternative(at);
    if (next === undefined) return { is: withoutNull(at), isWhole: at['$ref'] === undefined };
    reading.references -= 1;
    if (reading.references < 0) return { is: undefined, isWhole: false };
    at = next;
  }
}

function referenced({ $ref }: Schema, { root }: Reading): unknown {
  if (!isText($ref) || !$ref.startsWith('#/') || $ref.length > TEXT_LETTERS_MAX) return undefined;
  return $ref
    .slice(2)
    .split('/')
    .map((word) => word.replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce<unknown>(
      (at, word) => (isRecord(at) && Object.hasOwn(at, word) ? at[word] : undefined),
      root,
    );
}

function onlyAlternative({ anyOf, oneOf, allOf }: Schema): unknown {
  const given = [anyOf, oneOf, allOf].find(Array.isArray) as readonly unknown[] | undefined;
  const others = given?.filter((each) => !isRecord(each) || each['type'] !== 'null') ?? [];
  return others.length === 1 ? others[0] : undefined;
}

function withoutNull(schema: Schema): Schema {
  const types = listOf(schema['type']).filter((type) => type !== 'null');
  return types.length === 1 ? { ...schema, type: types[0] } : schema;
}

const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';
const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
const cut = (text: string, most: number): string =>
  text.length <= most ? text : `${text.slice(0, most)} …`;

/** The arguments to begin with: what the schema gives, and nothing for the rest. */
export function firstValues(fields: readonly FormNode[]): Record<string, unknown> {
  const entries = fields.flatMap((field): [string, unknown][] => {
    if (field.first !== undefined) return [[field.name, field.first]];
    if (field.kind !== 'group' || !field.isRequired) return [];
    return [[field.name, firstValues(field.fields)]];
  });
  return Object.fromEntries(entries);
}
