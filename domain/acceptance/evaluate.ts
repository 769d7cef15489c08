import { isObject, type JsonObject } from '../jsonObject.ts';
import { atBound } from './judge.ts';
import { ASSERTIONS, holdsMembers, namesOf, ofType } from './schemaAssertions.ts';
import type { Assertion, PatternOf } from './schemaAssertions.ts';
import {
  addEvaluated,
  fail,
  muted,
  nothingEvaluated,
  shown,
  type Evaluated,
  type Place,
  type Run,
} from './schemaRun.ts';
import type { Draft } from './schemaKeywords.ts';

/**
 * Evaluates a checked JSON Schema of 2020-12 or draft-07 (choices acceptance.evaluator). It makes no
 * code: a schema becomes a tree of closures, each of which answers whether a value holds and notes
 * in `out` what it evaluated. `out` is undefined where nothing asks for it.
 */
export type Evaluate = (
  value: unknown,
  place: Place | undefined,
  run: Run,
  out: Evaluated | undefined,
) => boolean;

export interface SchemaContext {
  readonly draft: Draft;
  readonly patternOf: PatternOf;
  /** The schema that a `$ref` leads to, by the schema that holds it. */
  readonly targets: ReadonlyMap<JsonObject, unknown>;
}

interface Maker extends SchemaContext {
  /** Schemas of this document that were made, so that a recursive one is made once. */
  readonly made: Map<JsonObject, Evaluate>;
}

type Make = (maker: Maker, schema: JsonObject) => Evaluate | undefined;

export function evaluatorOf(schema: unknown, context: SchemaContext): Evaluate {
  return make({ ...context, made: new Map() }, schema);
}

function make(maker: Maker, schema: unknown): Evaluate {
  if (!isObject(schema)) return schema === false ? never : () => true;
  const known = maker.made.get(schema);
  if (known !== undefined) return known;
  let own: Evaluate | undefined;
  const later: Evaluate = (...given) => (own ?? never)(...given);
  maker.made.set(schema, later);
  own = makeObject(maker, schema);
  return own;
}

const never: Evaluate = (value, place, run) =>
  fail(run, 'false schema', place, () => 'no value', shown(value));

function makeObject(maker: Maker, schema: JsonObject): Evaluate {
  const type = has(schema, 'type') ? ofType(schema['type']) : undefined;
  const parts = PARTS.flatMap((part) => part(maker, schema) ?? []);
  const last = LAST_PARTS.flatMap((part) => part(maker, schema) ?? []);
  return (value, place, run, out) => {
    // What a value of the wrong type fails besides says nothing new.
    if (type !== undefined && !type(value, place, run)) return false;
    const own = out === undefined && last.length === 0 ? undefined : nothingEvaluated();
    const holds = all(parts, value, place, run, own) && all(last, value, place, run, own);
    if (holds) addEvaluated(out, own);
    return holds;
  };
}

function all(
  parts: readonly Evaluate[],
  value: unknown,
  place: Place | undefined,
  run: Run,
  out: Evaluated | undefined,
): boolean {
  let holds = true;
  for (const part of parts) {
    if (part(value, place, run, out)) continue;
    if (!run.isFull) return false;
    holds = false;
  }
  return holds;
}

const has = (schema: JsonObject, name: string): boolean => Object.hasOwn(schema, name);
const list = (given: unknown): readonly unknown[] => given as readonly unknown[];
const entries = (given: unknown): readonly (readonly [string, unknown])[] =>
  Object.entries(given as JsonObject);
const inside = (place: Place | undefined, step: string | number): Place => ({
  parent: place,
  step,
});

function assertions(maker: Maker, schema: JsonObject): Evaluate | undefined {
  const given = [...ASSERTIONS].flatMap(([name, assertion]): readonly Assertion[] =>
    has(schema, name) ? [assertion(schema[name], maker.patternOf)] : [],
  );
  if (given.length === 0) return undefined;
  return (value, place, run) => all(given, value, place, run, undefined);
}

function reference(maker: Maker, schema: JsonObject): Evaluate | undefined {
  return has(schema, '$ref') ? make(maker, maker.targets.get(schema)) : undefined;
}

function negated(maker: Maker, schema: JsonObject): Evaluate | undefined {
  if (!has(schema, 'not')) return undefined;
  const inner = make(maker, schema['not']);
  return (value, place, run) =>
    !muted(run, () => inner(value, place, run, undefined)) ||
    fail(run, 'not', place, () => 'no match of the schema in `not`', shown(value));
}

function allOf(maker: Maker, schema: JsonObject): Evaluate | undefined {
  if (!has(schema, 'allOf')) return undefined;
  const inner = list(schema['allOf']).map((each) => make(maker, each));
  return (value, place, run, out) => all(inner, value, place, run, out);
}

function anyOf(maker: Maker, schema: JsonObject): Evaluate | undefined {
  if (!has(schema, 'anyOf')) return undefined;
  const inner = list(schema['anyOf']).map((each) => make(maker, each));
  return (value, place, run, out) => {
    const { length } = run.reasons;
    let holds = false;
    for (const each of inner) {
      if (!each(value, place, run, out)) continue;
      holds = true;
      // Every branch that holds says what it evaluated.
      if (out === undefined) break;
    }
    if (holds) run.reasons.length = Math.min(run.reasons.length, length);
    return holds;
  };
}

function oneOf(maker: Maker, schema: JsonObject): Evaluate | undefined {
  if (!has(schema, 'oneOf')) return undefined;
  const inner = list(schema['oneOf']).map((each) => make(maker, each));
  return (value, place, run, out) => {
    const { length } = run.reasons;
    let holding = 0;
    for (const each of inner) {
      if (each(value, place, run, out)) holding += 1;
      if (holding > 1) break;
    }
    if (holding === 0) return false;
    run.reasons.length = Math.min(run.reasons.length, length);
    const says = (): string => 'a match of exactly one schema in `oneOf`';
    return holding === 1 || fail(run, 'oneOf', place, says, shown(value));
  };
}

function conditional(maker: Maker, schema: JsonObject): Evaluate | undefined {
  if (!has(schema, 'if')) return undefined;
  const branch = (name: string): Evaluate => make(maker, has(schema, name) ? schema[name] : true);
  const [condition, yes, no] = [branch('if'), branch('then'), branch('else')];
  return (value, place, run, out) => {
    const holds = muted(run, () => condition(value, place, run, out));
    return (holds ? yes : no)(value, place, run, out);
  };
}

function dependents(maker: Maker, schema: JsonObject): Evaluate | undefined {
  const given = [
    ...(has(schema, 'dependentSchemas') ? entries(schema['dependentSchemas']) : []),
    ...(has(schema, 'dependencies') ? entries(schema['dependencies']) : []),
  ];
  if (given.length === 0) return undefined;
  const parts = given.map(([name, each]): readonly [string, Evaluate] => [
    name,
    Array.isArray(each) ? holdsMembers('dependencies', namesOf(each)) : make(maker, each),
  ]);
  return (value, place, run, out) => {
    if (!isObject(value)) return true;
    const asked = parts.flatMap(([name, part]) => (Object.hasOwn(value, name) ? [part] : []));
    return all(asked, value, place, run, out);
  };
}

/** `prefixItems` and `items` of 2020-12; `items` and `additionalItems` of draft-07. */
function ofItems(maker: Maker, schema: JsonObject): Evaluate | undefined {
  const isListed = Array.isArray(schema['items']);
  const listed = has(schema, 'prefixItems') ? schema['prefixItems'] : isListed && schema['items'];
  const name = isListed ? 'additionalItems' : 'items';
  if (listed === false && !has(schema, name)) return undefined;
  const first = (listed === false ? [] : list(listed)).map((each) => make(maker, each));
  const rest = has(schema, name) ? schema[name] : undefined;
  const others = make(maker, rest ?? true);
  return (value, place, run, out) => {
    if (!Array.isArray(value)) return true;
    const values: readonly unknown[] = value;
    if (rest === false && values.length > first.length) {
      return fail(run, name, place, () => atBound('at most', first.length, 'item'), shown(value));
    }
    let holds = true;
    const count = rest === undefined ? Math.min(first.length, values.length) : values.length;
    for (let nth = 0; nth < count && (holds || run.isFull); nth += 1) {
      const judge = first[nth] ?? others;
      holds = judge(values[nth], inside(place, nth), run, undefined) && holds;
    }
    if (out !== undefined) out.itemsBefore = Math.max(out.itemsBefore, count);
    return holds;
  };
}

function contains(maker: Maker, schema: JsonObject): Evaluate | undefined {
  if (!has(schema, 'contains')) return undefined;
  const inner = make(maker, schema['contains']);
  const least = has(schema, 'minContains') ? Number(schema['minContains']) : 1;
  const most = has(schema, 'maxContains') ? Number(schema['maxContains']) : Infinity;
  const says = (): string =>
    most === Infinity ? `at least ${least} fitting item(s)` : `${least} to ${most} fitting item(s)`;
  return (value, place, run, out) => {
    if (!Array.isArray(value)) return true;
    let found = 0;
    for (const [nth, item] of value.entries()) {
      if (!muted(run, () => inner(item, inside(place, nth), run, undefined))) continue;
      found += 1;
      out?.items.add(nth);
      if (out === undefined && (found > most || (found >= least && most === Infinity))) break;
    }
    const holds = found >= least && found <= most;
    return holds || fail(run, 'contains', place, says, shown(value));
  };
}

function propertyNames(maker: Maker, schema: JsonObject): Evaluate | undefined {
  if (!has(schema, 'propertyNames')) return undefined;
  const inner = make(maker, schema['propertyNames']);
  return (value, place, run) =>
    !isObject(value) || Object.keys(value).every((name) => inner(name, place, run, undefined));
}

function members(maker: Maker, schema: JsonObject): Evaluate | undefined {
  const named = new Map<string, Evaluate>();
  for (const [name, each] of entries(schema['properties'] ?? {})) {
    named.set(name, make(maker, each));
  }
  const patterns = entries(schema['patternProperties'] ?? {}).map(
    ([source, each]) => [maker.patternOf(source), make(maker, each)] as const,
  );
  const hasOthers = has(schema, 'additionalProperties');
  if (named.size === 0 && patterns.length === 0 && !hasOthers) return undefined;
  const others = schema['additionalProperties'];
  const other = make(maker, others ?? true);
  return (value, place, run, out) => {
    if (!isObject(value)) return true;
    let holds = true;
    for (const [name, member] of Object.entries(value)) {
      if (!holds && !run.isFull) return false;
      const fitting = patterns.flatMap(([pattern, each]) => (pattern.test(name) ? [each] : []));
      const own = named.get(name);
      const judges = own === undefined ? fitting : [own, ...fitting];
      if (judges.length === 0 && !hasOthers) continue;
      out?.members.add(name);
      const at = inside(place, name);
      if (judges.length > 0) holds = all(judges, member, at, run, undefined) && holds;
      else if (others === false) holds = strange(run, 'additionalProperties', at, member);
      else holds = other(member, at, run, undefined) && holds;
    }
    return holds;
  };
}

const strange = (run: Run, keyword: string, at: Place, member: unknown): false =>
  fail(run, keyword, at, () => 'no such member', shown(member));

function unevaluatedItems(maker: Maker, schema: JsonObject): Evaluate | undefined {
  if (!has(schema, 'unevaluatedItems')) return undefined;
  const given = schema['unevaluatedItems'];
  const inner = make(maker, given);
  return (value, place, run, out) => {
    if (!Array.isArray(value) || out === undefined) return true;
    for (let nth = out.itemsBefore; nth < value.length; nth += 1) {
      if (out.items.has(nth)) continue;
      const at = inside(place, nth);
      const item: unknown = value[nth];
      if (given === false) {
        return fail(run, 'unevaluatedItems', at, () => 'no such item', shown(item));
      }
      if (!inner(item, at, run, undefined)) return false;
    }
    out.itemsBefore = value.length;
    return true;
  };
}

function unevaluatedMembers(maker: Maker, schema: JsonObject): Evaluate | undefined {
  if (!has(schema, 'unevaluatedProperties')) return undefined;
  const given = schema['unevaluatedProperties'];
  const inner = make(maker, given);
  return (value, place, run, out) => {
    if (!isObject(value) || out === undefined || out.allMembers) return true;
    let holds = true;
    for (const [name, member] of Object.entries(value)) {
      if (out.members.has(name)) continue;
      const at = inside(place, name);
      holds =
        (given === false
          ? strange(run, 'unevaluatedProperties', at, member)
          : inner(member, at, run, undefined)) && holds;
      if (!holds && !run.isFull) return false;
    }
    out.allMembers = true;
    return holds;
  };
}

/** In the order in which reasons are shown; the last ones read what all others evaluated. */
const PARTS: readonly Make[] = [
  ...[reference, assertions, negated, anyOf, oneOf, allOf, conditional],
  ...[ofItems, contains, dependents, propertyNames, members],
];
const LAST_PARTS: readonly Make[] = [unevaluatedItems, unevaluatedMembers];
