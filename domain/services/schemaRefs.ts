import { defined } from '../defined.ts';
import { isObject, type JsonObject } from '../jsonObject.ts';
import { nameWord } from './schemaTypes.ts';

/**
 * Resolves the `$ref` of a schema, inside of it only. A target that is used once is written where
 * it is used; one that is used more often, or that refers to itself, gets a name and stands below.
 */
export interface RefTargets {
  /** Schemas that stand below, in the order in which they were visited. */
  readonly named: readonly NamedSchema[];
  /** The schema with its reference followed, unless that has a name. */
  inlined(schema: JsonObject): JsonObject;
  nameOf(schema: JsonObject): string | undefined;
  isLost(schema: JsonObject): boolean;
}

interface NamedSchema {
  readonly name: string;
  readonly schema: unknown;
  readonly pointer: string;
}

const INLINED_MAX = 32;
/** Different targets of one schema. */
const REFERENCES_MAX = 200;

/** A schema that is deeper, longer or more entangled than it can be put into lines. */
export class SchemaTooLarge extends Error {
  override readonly name = 'SchemaTooLarge';
}

export function refTargets(root: JsonObject): RefTargets {
  const anchors = new Map<string, string>();
  walk(root, '', (schema, pointer) => {
    for (const keyword of ['$anchor', '$dynamicAnchor']) {
      if (typeof schema[keyword] === 'string') anchors.set(`#${schema[keyword]}`, pointer);
    }
  });
  const targetOf = (ref: string): { readonly value: unknown } | undefined => {
    const pointer = anchors.get(ref) ?? (ref === '#' ? '' : ref.slice(1));
    if (!anchors.has(ref) && !ref.startsWith('#/') && ref !== '#') return undefined;
    return valueAt(root, pointer);
  };
  const uses = usesIn(root, targetOf);
  if (uses.size > REFERENCES_MAX) throw new SchemaTooLarge();
  const inside = new Map<string, readonly string[]>();
  const insideOf = (ref: string): readonly string[] => {
    const found = inside.get(ref) ?? referencesIn(targetOf(ref)?.value);
    inside.set(ref, found);
    return found;
  };
  const names = new Map<string, string>();
  const named: NamedSchema[] = [];
  for (const [ref, count] of uses) {
    const target = targetOf(ref);
    if (target === undefined || (count < 2 && !reaches(ref, insideOf))) continue;
    const name = freshName(ref, [...names.values()]);
    names.set(ref, name);
    const pointer = anchors.get(ref) ?? ref.slice(1);
    if (ref !== '#') named.push({ name, schema: target.value, pointer });
  }
  return {
    named,
    inlined(schema) {
      let whole = schema;
      for (let turn = 0; turn < INLINED_MAX; turn += 1) {
        const ref = refIn(whole);
        if (ref === undefined || names.has(ref)) return whole;
        const value = targetOf(ref)?.value;
        if (!isObject(value)) return whole;
        const { $ref: _, $dynamicRef: __, ...beside } = whole;
        whole = merged(value, beside);
      }
      return whole;
    },
    nameOf: (schema) => names.get(refIn(schema) ?? ''),
    isLost: (schema) => {
      const ref = refIn(schema);
      return ref !== undefined && targetOf(ref) === undefined;
    },
  };
}

/** How often the root refers to each target; one that it never reaches says nothing. */
function usesIn(
  root: JsonObject,
  targetOf: (ref: string) => { readonly value: unknown } | undefined,
): ReadonlyMap<string, number> {
  const uses = new Map<string, number>();
  const visited = new Set<JsonObject>();
  const enter = (value: unknown, isNamed: boolean): void => {
    if (Array.isArray(value)) value.forEach((each) => enter(each, false));
    if (!isObject(value) || visited.has(value)) return;
    visited.add(value);
    const ref = isNamed ? undefined : refIn(value);
    if (ref !== undefined) {
      uses.set(ref, (uses.get(ref) ?? 0) + 1);
      enter(targetOf(ref)?.value, false);
    }
    for (const [name, each] of Object.entries(value)) {
      if (isNamed || !(DATA.has(name) || DEFINITIONS.has(name))) {
        enter(each, !isNamed && NAMED.has(name));
      }
    }
  };
  enter(root, false);
  return uses;
}

/** Schemas that say nothing by themselves, and those that have names of the caller's own. */
const DEFINITIONS = new Set(['$defs', 'definitions']);
const NAMED = new Set(['properties', 'patternProperties', 'dependentSchemas']);

/** Merges the keywords beside a reference with its target; of equal ones both are kept. */
function merged(target: JsonObject, beside: JsonObject): JsonObject {
  const clash = Object.keys(beside).some(
    (name) => name in target && !['description', 'title', 'default', 'examples'].includes(name),
  );
  if (!clash) return { ...target, ...beside };
  const { description, title, default: preset, ...limits } = beside;
  return {
    ...defined({ description, title, default: preset }),
    allOf: [target, limits],
  };
}

function refIn(schema: JsonObject): string | undefined {
  const ref = schema['$ref'] ?? schema['$dynamicRef'];
  return typeof ref === 'string' ? decoded(ref) : undefined;
}

function decoded(ref: string): string {
  try {
    return decodeURIComponent(ref);
  } catch {
    return ref;
  }
}

/** Whether a target refers, over others or at once, to itself. */
function reaches(ref: string, insideOf: (ref: string) => readonly string[]): boolean {
  const seen = new Set<string>();
  const queue = [...insideOf(ref)];
  for (let next = queue.pop(); next !== undefined; next = queue.pop()) {
    if (next === ref) return true;
    if (seen.has(next)) continue;
    seen.add(next);
    queue.push(...insideOf(next));
  }
  return false;
}

function referencesIn(value: unknown): readonly string[] {
  const found = new Set<string>();
  walk(value, '', (schema) => {
    const ref = refIn(schema);
    if (ref !== undefined) found.add(ref);
  });
  return [...found];
}

const DATA = new Set(['enum', 'const', 'default', 'examples', 'example']);

/** Every object of a value that may be a schema; data inside of it is none. */
function walk(
  value: unknown,
  pointer: string,
  visit: (schema: JsonObject, pointer: string) => void,
): void {
  if (Array.isArray(value)) {
    value.forEach((each, index) => walk(each, `${pointer}/${index}`, visit));
  } else if (isObject(value)) {
    visit(value, pointer);
    for (const [name, each] of Object.entries(value)) {
      const step = name.replaceAll('~', '~0').replaceAll('/', '~1');
      if (!DATA.has(name)) walk(each, `${pointer}/${step}`, visit);
    }
  }
}

function valueAt(root: unknown, pointer: string): { readonly value: unknown } | undefined {
  let value: unknown = root;
  for (const raw of pointer.split('/').slice(1)) {
    const step = raw.replaceAll('~1', '/').replaceAll('~0', '~');
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, step)) {
      return undefined;
    }
    value = Reflect.get(value, step);
  }
  return { value };
}

function freshName(ref: string, taken: readonly string[]): string {
  const last = ref.split('/').at(-1) ?? '';
  const base = ref === '#' ? 'this' : nameWord(last.replace(/^#/, '') || 'type');
  let name = base;
  for (let n = 2; taken.includes(name); n += 1) name = `${base}${n}`;
  return name;
}
