import { pointerStep } from './path.ts';
import { badRule, PATTERN_CHARS_MAX, type RuleRefusal } from './rule.ts';
import { isObject, type JsonObject } from '../jsonObject.ts';
import {
  draftOf,
  FORMATS,
  isAnnotation,
  KEYWORDS,
  TYPES,
  type Draft,
  type Keyword,
  type Shape,
} from './schemaKeywords.ts';
import type { SchemaNode } from './schemaNode.ts';
import { checkReferences } from './schemaReferences.ts';
import { preview } from './values.ts';

/**
 * The static check of a JSON Schema. Invariant: every subschema a validator can reach was walked
 * here, keyword by keyword, so nothing unknown, remote, self-feeding or native-regex hides in it.
 */
export interface Pattern {
  readonly pointer: string;
  readonly source: string;
}

interface CheckedSchema {
  readonly ok: true;
  readonly draft: Draft;
  readonly patterns: readonly Pattern[];
  /** Where each `$ref` leads, by the schema that holds it. */
  readonly targets: ReadonlyMap<JsonObject, unknown>;
}
export type SchemaCheck = CheckedSchema | RuleRefusal;

interface Walk {
  readonly base: string;
  readonly draft: Draft;
  readonly nodes: Map<string, SchemaNode>;
  readonly patterns: Pattern[];
}

/** `base` is the schema's place in its rule, with which its size and depth were checked. */
export function checkSchema(schema: unknown, base: string): SchemaCheck {
  if (!isObject(schema)) return badRule(base, 'schema is a JSON Schema object');
  const draft = draftOf(schema);
  if (draft === undefined) {
    return badRule(`${base}/$schema`, 'known drafts are 2020-12 (the default) and draft-07');
  }
  const walk: Walk = { base, draft, nodes: new Map(), patterns: [] };
  const refused = walkSchema(walk, schema, '');
  if (refused !== undefined) return refused;
  const references = checkReferences(walk.nodes, base);
  if ('refused' in references) return references;
  return { ok: true, draft, patterns: walk.patterns, ...references };
}

function walkSchema(walk: Walk, schema: unknown, pointer: string): RuleRefusal | undefined {
  if (typeof schema === 'boolean') {
    walk.nodes.set(pointer, { pointer, schema: {}, written: schema, inPlace: [] });
    return undefined;
  }
  if (!isObject(schema)) return refuse(walk, pointer, 'a schema is an object, true or false');
  const { $ref: ref, $anchor: anchor } = schema;
  const node: SchemaNode = {
    pointer,
    schema,
    written: schema,
    inPlace: [],
    ...(typeof ref === 'string' && { ref }),
    ...(typeof anchor === 'string' && { anchor }),
  };
  walk.nodes.set(pointer, node);
  for (const [name, value] of Object.entries(schema)) {
    const at = pointer + pointerStep(name);
    const keyword = KEYWORDS[walk.draft].get(name);
    if (keyword === undefined && isAnnotation(name)) continue;
    if (keyword === undefined) {
      return refuse(walk, at, `${preview(name)} is no keyword this hub checks in ${walk.draft}`);
    }
    if (ref !== undefined && walk.draft === 'draft-07' && name !== '$ref' && !keyword.silent) {
      return refuse(walk, at, 'draft-07 ignores keywords beside $ref; put both into an allOf');
    }
    if (keyword.needs?.every((other) => !Object.hasOwn(schema, other)) === true) {
      return refuse(walk, at, `is ignored without ${keyword.needs.join(' or ')}`);
    }
    const refused = walkKeyword(walk, node, keyword, value, at);
    if (refused !== undefined) return refused;
  }
  return undefined;
}

function walkKeyword(
  walk: Walk,
  node: SchemaNode,
  keyword: Keyword,
  value: unknown,
  at: string,
): RuleRefusal | undefined {
  const why = keyword.shape === 'root' ? rootOnly(node, value) : wrongShape(keyword.shape, value);
  if (why !== undefined) return refuse(walk, at, why);
  if (keyword.shape === 'pattern') return takePattern(walk, value, at);
  const children = subschemas(keyword.shape, value);
  for (const [key, child] of children) {
    const place = key === undefined ? at : at + pointerStep(key);
    if (key === '__proto__') return refuse(walk, place, '__proto__ cannot be a member name here');
    if (keyword.shape === 'patternMap') {
      const refused = takePattern(walk, key, place);
      if (refused !== undefined) return refused;
    }
    if (keyword.inPlace === true && !Array.isArray(child)) node.inPlace.push(place);
    const listed = keyword.shape === 'dependencies' && Array.isArray(child);
    const refused = listed ? wrongStrings(walk, child, place) : walkSchema(walk, child, place);
    if (refused !== undefined) return refused;
  }
  return undefined;
}

/** `$id` and `$schema` may stand at the root alone: deeper they would move what `#` means. */
function rootOnly(node: SchemaNode, value: unknown): string | undefined {
  if (node.pointer !== '') return 'stands at the root of the schema only';
  return typeof value === 'string' ? undefined : 'is a string';
}

const LISTED: ReadonlySet<Shape> = new Set(['schemas', 'schemaOrSchemas']);
const MAPPED: ReadonlySet<Shape> = new Set(['schemaMap', 'patternMap', 'dependencies']);

type Child = readonly [key: string | number | undefined, schema: unknown];

function subschemas(shape: Shape, value: unknown): readonly Child[] {
  if (LISTED.has(shape) && Array.isArray(value)) {
    return value.map((schema: unknown, at) => [at, schema] as const);
  }
  if (MAPPED.has(shape)) return isObject(value) ? Object.entries(value) : [];
  return shape === 'schema' || LISTED.has(shape) ? [[undefined, value]] : [];
}

function wrongShape(shape: Shape, value: unknown): string | undefined {
  return SHAPES[shape].test(value) ? undefined : SHAPES[shape].says;
}

interface ShapeTest {
  readonly says: string;
  readonly test: (value: unknown) => boolean;
}

const REFERENCE = /^#/;
const ANCHOR = /^[A-Za-z_][-A-Za-z0-9._]*$/;
const always = (): boolean => true;
const objectOnly: ShapeTest = { says: 'is an object', test: isObject };

const SHAPES: Readonly<Record<Shape, ShapeTest>> = {
  any: { says: '', test: always },
  root: { says: '', test: always },
  schema: { says: '', test: always },
  schemaOrSchemas: { says: 'is a schema or a list of schemas', test: always },
  schemas: { says: 'is a list of one or more schemas', test: filledList },
  schemaMap: objectOnly,
  patternMap: objectOnly,
  dependencies: objectOnly,
  stringsMap: {
    says: 'is an object of lists of distinct strings',
    test: (value) =>
      isObject(value) &&
      !Object.hasOwn(value, '__proto__') &&
      Object.values(value).every(distinctStrings),
  },
  strings: { says: 'is a list of distinct strings', test: distinctStrings },
  anchor: { says: 'is a plain name', test: (value) => isText(value) && ANCHOR.test(value) },
  boolean: { says: 'is true or false', test: (value) => typeof value === 'boolean' },
  count: {
    says: 'is a whole number from 0',
    test: (value) => Number.isSafeInteger(value) && Number(value) >= 0,
  },
  number: { says: 'is a number', test: (value) => typeof value === 'number' },
  positive: {
    says: 'is a number above 0',
    test: (value) => typeof value === 'number' && value > 0,
  },
  format: {
    says: `is one of ${FORMATS.join(', ')}`,
    test: (value) => FORMATS.some((format) => format === value),
  },
  list: { says: 'is a list', test: Array.isArray },
  pattern: { says: 'is a string', test: isText },
  ref: {
    says: 'points inside this schema: it starts with #',
    test: (value) => isText(value) && REFERENCE.test(value),
  },
  string: { says: 'is a string', test: isText },
  types: { says: 'is a type name or a list of distinct ones', test: typeNames },
};

function isText(value: unknown): value is string {
  return typeof value === 'string';
}

function filledList(value: unknown): boolean {
  return Array.isArray(value) && value.length > 0;
}

function distinctStrings(value: unknown): boolean {
  return Array.isArray(value) && value.every(isText) && new Set(value).size === value.length;
}

function typeNames(value: unknown): boolean {
  const names: readonly unknown[] = Array.isArray(value) ? value : [value];
  const known = names.length > 0 && names.every((name) => TYPES.has(name));
  return known && new Set(names).size === names.length;
}

function wrongStrings(walk: Walk, value: unknown, at: string): RuleRefusal | undefined {
  return distinctStrings(value) ? undefined : refuse(walk, at, SHAPES.strings.says);
}

function takePattern(walk: Walk, source: unknown, at: string): RuleRefusal | undefined {
  if (!isText(source)) return undefined;
  if (source.length > PATTERN_CHARS_MAX) {
    return refuse(walk, at, `a pattern has at most ${PATTERN_CHARS_MAX} characters`);
  }
  walk.patterns.push({ pointer: walk.base + at, source });
  return undefined;
}

function refuse(walk: Walk, at: string, why: string): RuleRefusal {
  return badRule(walk.base + at, why);
}
