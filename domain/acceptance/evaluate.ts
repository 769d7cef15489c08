import { isObject, type JsonObject } from '../jsonObject.ts';
import {
  contains,
  members,
  ofItems,
  propertyNames,
  unevaluatedItems,
  unevaluatedMembers,
} from './evaluateInside.ts';
import { all, entries, has, list } from './evaluateShared.ts';
import type { Evaluate, Make, Maker, SchemaContext } from './evaluateShared.ts';
import { ASSERTIONS, holdsMembers, namesOf, ofType, type Assertion } from './schemaAssertions.ts';
import { addEvaluated, fail, muted, nothingEvaluated, shown } from './schemaRun.ts';

/**
 * Evaluates a checked JSON Schema of 2020-12 or draft-07 (choices acceptance.evaluator). It makes no
 * code: a schema becomes a tree of closures, each of which returns whether a value holds and notes
 * in `out` what it evaluated. `out` is undefined where nothing asks for it.
 */
export function evaluatorOf(schema: unknown, context: SchemaContext): Evaluate {
  /** Schemas of this document that were made, so that a recursive one is made once. */
  const made = new Map<JsonObject, Evaluate>();
  const maker: Maker = {
    ...context,
    make(each) {
      if (!isObject(each)) return each === false ? never : always;
      const known = made.get(each);
      if (known !== undefined) return known;
      let own = never;
      made.set(each, (...given) => own(...given));
      own = makeObject(maker, each);
      return own;
    },
  };
  return maker.make(schema);
}

const always: Evaluate = () => true;
const never: Evaluate = (value, place, run) =>
  fail(run, 'false schema', place, () => 'no value', shown(value));

function makeObject(maker: Maker, schema: JsonObject): Evaluate {
  const type = has(schema, 'type') ? ofType(schema['type']) : undefined;
  const parts = PARTS.flatMap((part) => part(maker, schema) ?? []);
  const last = LAST_PARTS.flatMap((part) => part(maker, schema) ?? []);
  return (value, place, run, out) => {
    // Further faults of a value of the wrong type add nothing.
    if (type !== undefined && !type(value, place, run)) return false;
    const own = out === undefined && last.length === 0 ? undefined : nothingEvaluated();
    const holds = all(parts, value, place, run, own) && all(last, value, place, run, own);
    if (holds) addEvaluated(out, own);
    return holds;
  };
}

function assertions(maker: Maker, schema: JsonObject): Evaluate | undefined {
  const given = [...ASSERTIONS].flatMap(([name, assertion]): readonly Assertion[] =>
    has(schema, name) ? [assertion(schema[name], maker.patternOf)] : [],
  );
  if (given.length === 0) return undefined;
  return (value, place, run) => all(given, value, place, run, undefined);
}

function reference(maker: Maker, schema: JsonObject): Evaluate | undefined {
  return has(schema, '$ref') ? maker.make(maker.targets.get(schema)) : undefined;
}

function negated(maker: Maker, schema: JsonObject): Evaluate | undefined {
  if (!has(schema, 'not')) return undefined;
  const inner = maker.make(schema['not']);
  return (value, place, run) =>
    !muted(run, () => inner(value, place, run, undefined)) ||
    fail(run, 'not', place, () => 'no match of the schema in `not`', shown(value));
}

function allOf(maker: Maker, schema: JsonObject): Evaluate | undefined {
  if (!has(schema, 'allOf')) return undefined;
  const inner = list(schema['allOf']).map((each) => maker.make(each));
  return (value, place, run, out) => all(inner, value, place, run, out);
}

function anyOf(maker: Maker, schema: JsonObject): Evaluate | undefined {
  if (!has(schema, 'anyOf')) return undefined;
  const inner = list(schema['anyOf']).map((each) => maker.make(each));
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
  const inner = list(schema['oneOf']).map((each) => maker.make(each));
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
  const branch = (name: string): Evaluate => maker.make(has(schema, name) ? schema[name] : true);
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
    Array.isArray(each) ? holdsMembers('dependencies', namesOf(each)) : maker.make(each),
  ]);
  return (value, place, run, out) => {
    if (!isObject(value)) return true;
    const asked = parts.flatMap(([name, part]) => (Object.hasOwn(value, name) ? [part] : []));
    return all(asked, value, place, run, out);
  };
}

/** In the order in which reasons are shown; the last ones read what all others evaluated. */
const PARTS: readonly Make[] = [
  reference,
  assertions,
  negated,
  anyOf,
  oneOf,
  allOf,
  conditional,
  ofItems,
  contains,
  dependents,
  propertyNames,
  members,
];
const LAST_PARTS: readonly Make[] = [unevaluatedItems, unevaluatedMembers];
