import { RE2JS } from 're2js';
import { checkRule } from '../../../domain/acceptance/checkRule.ts';
import { checkSchema, type Pattern } from '../../../domain/acceptance/checkSchema.ts';
import { evaluatorOf } from '../../../domain/acceptance/evaluate.ts';
import type { Evaluate } from '../../../domain/acceptance/evaluateShared.ts';
import type { JudgedFile } from '../../../domain/acceptance/files.ts';
import { judge } from '../../../domain/acceptance/judge.ts';
import { translatePattern } from '../../../domain/acceptance/pattern.ts';
import {
  badRule,
  PATTERN_WORK_MAX,
  REFUSAL_ITEMS_MAX,
  rulesInside,
} from '../../../domain/acceptance/rule.ts';
import type {
  AcceptanceRule,
  JsonSchemaRule,
  Refusal,
  RuleRefusal,
  Verdict,
} from '../../../domain/acceptance/rule.ts';
import { openRun, refusalsOf } from '../../../domain/acceptance/schemaRun.ts';
import { measure } from '../../../domain/acceptance/values.ts';

/**
 * Compiled rules, which are in check workers alone, where a rule that takes long can be ended.
 * Every pattern runs on RE2 in linear time (choices acceptance.running).
 */
export interface CompiledRule {
  readonly ok: true;
  /** Its memory, in characters of rule text; an instruction of a pattern counts for four. */
  readonly weight: number;
  /** RE2 instructions of all patterns together. */
  readonly patternInstructions: number;
  /** Stops at the first reason of each schema. Throws WorkSpent when its patterns read too much. */
  judge(result: unknown, files?: readonly JudgedFile[]): Verdict;
  /** The same verdict with up to ten reasons; the plain one again when listing costs too much. */
  judgeInFull(result: unknown, files?: readonly JudgedFile[]): Verdict;
}

/** The patterns of the rule have read more of one result than their budget allows. */
export class WorkSpent extends Error {
  override readonly name = 'WorkSpent';
}

/** Schema values times result values up to which every reason is listed: it bounds their memory. */
const DETAIL_WORK_MAX = 200_000;

/** RE2 instructions of all patterns of a rule together; each takes some 700 bytes (measured). */
const PATTERN_PROGRAM_MAX = 10_000;
const CHARS_PER_INSTRUCTION = 4;

interface Schema {
  readonly nodes: number;
  readonly holds: Evaluate;
}

/** Compiles the JSON value of a rule; a refusal points at the part that offends. */
export function compileRule(value: unknown): CompiledRule | RuleRefusal {
  const check = checkRule(value);
  if (!('ok' in check)) return check;
  const patterns = compilePatterns(check.patterns);
  if ('refused' in patterns) return patterns;
  const schemas = new Map(
    schemaRules(check.rule).map((rule) => [rule, compileSchema(rule, patterns)]),
  );
  return compiled(check.rule, schemas, patterns);
}

function compiled(
  rule: AcceptanceRule,
  schemas: ReadonlyMap<JsonSchemaRule, Schema>,
  patterns: Patterns,
): CompiledRule {
  const run = (full: boolean, result: unknown, files: readonly JudgedFile[] = []): Verdict => {
    patterns.spent = 0;
    const bySchema = (part: JsonSchemaRule, value: unknown): readonly Refusal[] => {
      const schema = schemas.get(part);
      if (schema === undefined) throw new TypeError('a schema of this rule was not compiled');
      const { nodes } = measure(value, DETAIL_WORK_MAX, Infinity);
      const evaluation = openRun(full && schema.nodes * nodes <= DETAIL_WORK_MAX);
      if (schema.holds(value, undefined, evaluation, undefined)) return [];
      return refusalsOf(evaluation);
    };
    return judge(rule, result, bySchema, files);
  };
  return {
    ok: true,
    weight: weigh(rule, patterns.instructions),
    patternInstructions: patterns.instructions,
    judge: (result, files) => run(false, result, files),
    judgeInFull(result, files) {
      try {
        return run(true, result, files);
      } catch (error) {
        if (error instanceof WorkSpent) return run(false, result, files);
        throw error;
      }
    },
  };
}

function schemaRules(rule: AcceptanceRule): readonly JsonSchemaRule[] {
  return rule.kind === 'json_schema' ? [rule] : rulesInside(rule).flatMap(schemaRules);
}

function compileSchema({ schema }: JsonSchemaRule, patterns: Patterns): Schema {
  const check = checkSchema(schema, '');
  if ('refused' in check) throw new TypeError('a schema that checkRule took');
  const patternOf = (source: string): LinearPattern => {
    const pattern = patterns.bySource.get(source);
    if (pattern === undefined) throw new TypeError(`an unchecked pattern: ${source}`);
    return pattern;
  };
  const { draft, targets } = check;
  const { nodes } = measure(schema, Infinity, Infinity);
  return { nodes, holds: evaluatorOf(schema, { draft, targets, patternOf }) };
}

interface LinearPattern {
  test(text: string): boolean;
}

interface Patterns {
  readonly bySource: ReadonlyMap<string, LinearPattern>;
  readonly instructions: number;
  /** Instructions times characters that were read of the result which is judged now. */
  spent: number;
}

function compilePatterns(listed: readonly Pattern[]): Patterns | RuleRefusal {
  const bySource = new Map<string, LinearPattern>();
  const patterns = { bySource, instructions: 0, spent: 0 };
  for (const { pointer, source } of listed) {
    if (bySource.has(source)) continue;
    const translated = translatePattern(source);
    if (!translated.ok) return badRule(pointer, translated.why);
    try {
      const pattern = RE2JS.compile(translated.text);
      const size = pattern.programSize();
      patterns.instructions += size;
      const test = (text: string): boolean => {
        patterns.spent += size * text.length;
        if (patterns.spent > PATTERN_WORK_MAX) throw new WorkSpent();
        return pattern.test(text);
      };
      bySource.set(source, { test });
    } catch (error) {
      if (!(error instanceof Error) || error instanceof RangeError) throw error;
      return badRule(pointer, `is no RE2 pattern: ${error.message}`);
    }
    if (patterns.instructions > PATTERN_PROGRAM_MAX) {
      return badRule(pointer, 'the patterns of this rule are too large together; repeat less');
    }
  }
  return patterns;
}

function weigh(rule: AcceptanceRule, instructions: number): number {
  return JSON.stringify(rule).length + CHARS_PER_INSTRUCTION * instructions;
}

/** Spares the first untrusted schema the cold start: it pays for its own compilation alone. */
export function warmUp(): void {
  const schema = { type: 'object', properties: { a: { type: 'string', pattern: '^a' } } };
  const rule = compileRule({ kind: 'json_schema', schema });
  if ('ok' in rule) rule.judgeInFull({ a: 'b', list: Array.from({ length: REFUSAL_ITEMS_MAX }) });
}
