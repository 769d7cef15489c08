import { isMultipleOf } from '../decimal.ts';
import { isObject, type JsonObject } from '../jsonObject.ts';
import { matchesFormat } from './formats.ts';
import { codePoints } from './judge.ts';
import { atBound } from './refusal.ts';
import type { FORMATS } from './schemaKeywords.ts';
import { fail, NOTHING, shown, type Place, type Run } from './schemaRun.ts';
import { identity, jsonEqual, preview } from './values.ts';

/** Keywords that judge a value without any subschema. A keyword of another type always holds. */
export type Assertion = (value: unknown, place: Place | undefined, run: Run) => boolean;
interface Matcher {
  test(text: string): boolean;
}
/** Returns the compiled form of a pattern of the rule. */
export type PatternOf = (source: string) => Matcher;

type Make = (given: unknown, patternOf: PatternOf) => Assertion;
const ENUM_CHARS_MAX = 160;

function holdsType(value: unknown, type: unknown): boolean {
  switch (type) {
    case 'null':
      return value === null;
    case 'array':
      return Array.isArray(value);
    case 'object':
      return isObject(value);
    case 'integer':
      return Number.isInteger(value);
    default:
      return typeof value === type;
  }
}

const ofNumber =
  (keyword: string, says: string, holds: (value: number, given: number) => boolean): Make =>
  (given) => {
    const limit = Number(given);
    return (value, place, run) =>
      typeof value !== 'number' ||
      holds(value, limit) ||
      fail(run, keyword, place, () => `${says} ${limit}`, shown(value));
  };

/** Doubles are ordered as the shortest decimals that mean them, so these comparisons are exact. */
const ofCount =
  (
    keyword: string,
    bound: 'at least' | 'at most',
    unit: string,
    count: (value: unknown) => number | undefined,
  ): Make =>
  (given) => {
    const limit = Number(given);
    return (value, place, run) => {
      const found = count(value);
      const holds = found === undefined || (bound === 'at least' ? found >= limit : found <= limit);
      return holds || fail(run, keyword, place, () => atBound(bound, limit, unit), shown(value));
    };
  };

const characters = (value: unknown): number | undefined =>
  typeof value === 'string' ? codePoints(value) : undefined;
const items = (value: unknown): number | undefined =>
  Array.isArray(value) ? value.length : undefined;
const members = (value: unknown): number | undefined =>
  isObject(value) ? Object.keys(value).length : undefined;

/** In the order in which they are evaluated. */
export const ASSERTIONS: ReadonlyMap<string, Make> = new Map<string, Make>([
  ['maximum', ofNumber('maximum', '<=', (value, limit) => value <= limit)],
  ['minimum', ofNumber('minimum', '>=', (value, limit) => value >= limit)],
  ['exclusiveMaximum', ofNumber('exclusiveMaximum', '<', (value, limit) => value < limit)],
  ['exclusiveMinimum', ofNumber('exclusiveMinimum', '>', (value, limit) => value > limit)],
  ['multipleOf', ofNumber('multipleOf', 'multiple of', isMultipleOf)],
  ['maxLength', ofCount('maxLength', 'at most', 'character', characters)],
  ['minLength', ofCount('minLength', 'at least', 'character', characters)],
  ['pattern', ofPattern],
  ['format', ofFormat],
  ['const', ofConst],
  ['enum', ofEnum],
  ['maxItems', ofCount('maxItems', 'at most', 'item', items)],
  ['minItems', ofCount('minItems', 'at least', 'item', items)],
  ['uniqueItems', ofUnique],
  ['maxProperties', ofCount('maxProperties', 'at most', 'member', members)],
  ['minProperties', ofCount('minProperties', 'at least', 'member', members)],
  ['required', (given) => holdsMembers('required', namesOf(given))],
  ['dependentRequired', ofDependentRequired],
]);

export function ofType(given: unknown): Assertion {
  const types = [given].flat();
  return (value, place, run) =>
    types.some((type) => holdsType(value, type)) ||
    fail(run, 'type', place, () => `type ${types.join(' or ')}`, shown(value));
}

function ofPattern(given: unknown, patternOf: PatternOf): Assertion {
  const source = String(given);
  const pattern = patternOf(source);
  return (value, place, run) =>
    typeof value !== 'string' ||
    pattern.test(value) ||
    fail(run, 'pattern', place, () => `a match of ${preview(source)}`, shown(value));
}

function ofFormat(given: unknown): Assertion {
  const format = given as (typeof FORMATS)[number];
  return (value, place, run) =>
    typeof value !== 'string' ||
    matchesFormat(format, value) ||
    fail(run, 'format', place, () => `format ${format}`, shown(value));
}

function ofConst(given: unknown): Assertion {
  return (value, place, run) =>
    jsonEqual(given, value) || fail(run, 'const', place, shown(given), shown(value));
}

function ofEnum(given: unknown): Assertion {
  const choices = given as readonly unknown[];
  const says = (): string => `one of ${preview(choices, ENUM_CHARS_MAX)}`;
  return (value, place, run) =>
    choices.some((choice) => jsonEqual(choice, value)) ||
    fail(run, 'enum', place, says, shown(value));
}

function ofUnique(given: unknown): Assertion {
  return (value, place, run) =>
    given !== true ||
    !Array.isArray(value) ||
    isDistinct(value) ||
    fail(run, 'uniqueItems', place, () => 'no item twice', shown(value));
}

/** Linear, whatever the items are. */
function isDistinct(given: readonly unknown[]): boolean {
  const seen = new Set<string>();
  return given.every((item) => seen.size !== seen.add(identity(item)).size);
}

export function holdsMembers(keyword: string, names: readonly string[]): Assertion {
  return (value, place, run) => {
    if (!isObject(value)) return true;
    let holds = true;
    for (const name of names) {
      if (Object.hasOwn(value, name)) continue;
      const missing = { parent: place, step: name };
      holds = fail(
        run,
        keyword,
        missing,
        () => 'a value',
        () => NOTHING,
      );
      if (!run.isFull) break;
    }
    return holds;
  };
}

function ofDependentRequired(given: unknown): Assertion {
  const parts = Object.entries(given as JsonObject).map(
    ([name, names]) => [name, holdsMembers('dependentRequired', namesOf(names))] as const,
  );
  return (value, place, run) =>
    !isObject(value) ||
    parts.every(([name, holds]) => !Object.hasOwn(value, name) || holds(value, place, run));
}

export function namesOf(given: unknown): readonly string[] {
  return given as readonly string[];
}
