import type { JsonObject } from '../jsonObject.ts';

/**
 * The shapes and limits of an acceptance rule. Invariant: each rule here passed `checkRule`, so
 * judging meets no unknown shape, keyword or size. A rule that cannot be exact is refused at
 * publication, not guessed at judging.
 */
export type AcceptanceRule = AllRule | JsonSchemaRule | FieldsRule | ContainsRule | FilesRule;

interface AllRule {
  readonly kind: 'all';
  readonly of: readonly AcceptanceRule[];
}

export interface JsonSchemaRule {
  readonly kind: 'json_schema';
  readonly schema: JsonObject;
  readonly description?: string;
}

export type FieldCheck =
  | { readonly path: string; readonly equals: unknown }
  | { readonly path: string; readonly minLength: number };

interface FieldsRule {
  readonly kind: 'fields';
  readonly checks: readonly FieldCheck[];
}

interface ContainsRule {
  readonly kind: 'contains';
  /** Absent means `all`. */
  readonly mode?: 'all' | 'any';
  readonly values: readonly string[];
}

/** One file by its name, or every file without one. */
export interface FileCheck {
  readonly name?: string;
  readonly mediaTypes?: readonly string[];
  readonly minBytes?: number;
  readonly maxBytes?: number;
  /** Judges the file as JSON; of another kind than `files`. */
  readonly contents?: AcceptanceRule;
}

export interface FilesRule {
  readonly kind: 'files';
  readonly min?: number;
  readonly max?: number;
  readonly checks?: readonly FileCheck[];
}

/** Choices acceptance.limits. Bytes: UTF-8 of the JSON; depth: containers; nodes: values. */
export const RULE_BYTES_MAX = 32 * 1024;
export const RULE_DEPTH_MAX = 32;
export const RULE_NODES_MAX = 2_000;
export const RULE_CHECKS_MAX = 50;
export const ALL_NESTING_MAX = 4;
export const ALL_OF_MAX = 20;
export const PATTERN_CHARS_MAX = 512;
/** RE2 instructions times characters read, over all patterns of a rule on one result. */
export const PATTERN_WORK_MAX = 64_000_000;

/** How many subschemas one value may have to pass through before the check steps into a member. */
export const SCHEMA_EXPANSION_MAX = 20_000;

/** A result nested deeper than this passes no rule: every check walks it in bounded stack. */
export const RESULT_DEPTH_MAX = 64;

export const REFUSAL_ITEMS_MAX = 10;
export const GOT_CHARS_MAX = 80;

export interface RuleRefusal {
  readonly refused: 'bad-acceptance';
  /** JSON Pointer into the rule, of the part that offends. */
  readonly pointer: string;
  readonly why: string;
}

export interface Refusal {
  /** JSON Pointer into the result; the empty text is the whole result. */
  readonly path: string;
  readonly rule: string;
  readonly expected: string;
  readonly got: string;
  readonly text: string;
}

export type Verdict =
  { readonly accepted: true } | { readonly accepted: false; readonly refused: readonly Refusal[] };

export function badRule(pointer: string, why: string): RuleRefusal {
  return { refused: 'bad-acceptance', pointer, why };
}

/** The rules right inside of a rule. */
export function rulesInside(rule: AcceptanceRule): readonly AcceptanceRule[] {
  if (rule.kind === 'all') return rule.of;
  return rule.kind === 'files' ? (rule.checks ?? []).flatMap((each) => each.contents ?? []) : [];
}

/** Whether judging needs the compiler, which lives in a worker only. */
export function usesSchema(rule: AcceptanceRule): boolean {
  return rule.kind === 'json_schema' || rulesInside(rule).some(usesSchema);
}

/** Whether a rule asks for files, which only a result of a task has. */
export function usesFiles(rule: AcceptanceRule): boolean {
  return rule.kind === 'files' || rulesInside(rule).some(usesFiles);
}
