import { isObject, type JsonObject } from '../jsonObject.ts';
import type { PatternOf } from './schemaAssertions.ts';
import type { Draft } from './schemaKeywords.ts';
import type { Evaluated, Place, Run } from './schemaRun.ts';

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

export interface Maker extends SchemaContext {
  make(schema: unknown): Evaluate;
}

/** Makes one keyword of a schema; undefined when the schema has none of it. */
export type Make = (maker: Maker, schema: JsonObject) => Evaluate | undefined;

/** All parts hold; the first that does not ends it, unless every reason is wanted. */
export function all(
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

export const has = (schema: JsonObject, name: string): boolean => Object.hasOwn(schema, name);
export const list = (given: unknown): readonly unknown[] => (Array.isArray(given) ? given : []);
export const entries = (given: unknown): readonly (readonly [string, unknown])[] =>
  isObject(given) ? Object.entries(given) : [];
export const inside = (place: Place | undefined, step: string | number): Place => ({
  parent: place,
  step,
});
