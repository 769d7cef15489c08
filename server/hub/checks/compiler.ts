import { Ajv } from 'ajv';
import type { Options, ValidateFunction } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { fullFormats } from 'ajv-formats/dist/formats.js';
import { RE2JS } from 're2js';
import { checkRule } from '../../../domain/acceptance/checkRule.ts';
import type { Pattern } from '../../../domain/acceptance/checkSchema.ts';
import { judge } from '../../../domain/acceptance/judge.ts';
import { badRule, REFUSAL_ITEMS_MAX } from '../../../domain/acceptance/rule.ts';
import type {
  AcceptanceRule,
  JsonSchemaRule,
  RuleRefusal,
  Verdict,
} from '../../../domain/acceptance/rule.ts';
import { draftOf, FORMATS } from '../../../domain/acceptance/schemaKeywords.ts';
import { identity, measure } from '../../../domain/acceptance/values.ts';
import { explain } from './explain.ts';

/**
 * Rules to judges. Loaded inside a check worker alone: it turns strangers' schemas into code. Every
 * pattern runs on RE2 in linear time, never on the engine's own expressions (choices
 * acceptance.running).
 */
export interface CompiledRule {
  readonly ok: true;
  /** Its memory, in characters of rule text; an instruction of a pattern counts for four. */
  readonly weight: number;
  /** Stops at the first reason of each schema. */
  judge(result: unknown): Verdict;
  /** The same verdict with up to ten reasons; the plain one again when listing costs too much. */
  judgeInFull(result: unknown): Verdict;
}

/** Schema values times result values up to which every reason is listed: it bounds their memory. */
const DETAIL_WORK_MAX = 200_000;

/** RE2 instructions of all patterns of a rule together; each takes some 700 bytes (measured). */
const PATTERN_PROGRAM_MAX = 10_000;
const CHARS_PER_INSTRUCTION = 4;

interface Schema {
  readonly rule: JsonSchemaRule;
  readonly nodes: number;
  readonly validate: ValidateFunction;
  full?: ValidateFunction;
}

/** Compiles the JSON value of a rule; a refusal points at the part that offends. */
export function compileRule(value: unknown): CompiledRule | RuleRefusal {
  const check = checkRule(value);
  if (!('ok' in check)) return check;
  const patterns = compilePatterns(check.patterns);
  if ('refused' in patterns) return patterns;
  const schemas = new Map<JsonSchemaRule, Schema>();
  for (const { rule, pointer } of schemaRules(check.rule, '')) {
    try {
      const { nodes } = measure(rule.schema, Infinity, Infinity);
      schemas.set(rule, { rule, nodes, validate: compileSchema(rule, patterns, false) });
    } catch (error) {
      if (!(error instanceof Error) || error instanceof RangeError) throw error;
      return badRule(`${pointer}/schema`, error.message);
    }
  }
  return compiled(check.rule, schemas, patterns);
}

function compiled(
  rule: AcceptanceRule,
  schemas: ReadonlyMap<JsonSchemaRule, Schema>,
  patterns: Patterns,
): CompiledRule {
  const schemaOf = (part: JsonSchemaRule): Schema => {
    const schema = schemas.get(part);
    if (schema === undefined) throw new TypeError('a schema of this rule was not compiled');
    return schema;
  };
  const run = (result: unknown, full: boolean): Verdict => {
    const { nodes } = measure(result, DETAIL_WORK_MAX, Infinity);
    return judge(rule, result, (part) => {
      const schema = schemaOf(part);
      const listed = full && schema.nodes * nodes <= DETAIL_WORK_MAX;
      const validate = listed
        ? (schema.full ??= compileSchema(part, patterns, true))
        : schema.validate;
      return validate(result) === true ? [] : explain(validate.errors ?? [], result);
    });
  };
  return {
    ok: true,
    weight: weigh(rule, patterns),
    judge: (result) => run(result, false),
    judgeInFull: (result) => run(result, true),
  };
}

function schemaRules(
  rule: AcceptanceRule,
  pointer: string,
): readonly { readonly rule: JsonSchemaRule; readonly pointer: string }[] {
  if (rule.kind === 'json_schema') return [{ rule, pointer }];
  if (rule.kind !== 'all') return [];
  return rule.of.flatMap((part, at) => schemaRules(part, `${pointer}/of/${at}`));
}

function compileSchema(
  rule: JsonSchemaRule,
  patterns: Patterns,
  allErrors: boolean,
): ValidateFunction {
  // Both name the document; references are fragments only, so without them they mean the same.
  const keywords = Object.entries(rule.schema).filter(([name]) => !DOCUMENT_NAMES.has(name));
  const options: Options = { ...OPTIONS, allErrors, code: { regExp: linearEngine(patterns) } };
  const ajv = draftOf(rule.schema) === 'draft-07' ? new Ajv(options) : new Ajv2020(options);
  ajv.removeKeyword('uniqueItems');
  ajv.addKeyword({
    keyword: 'uniqueItems',
    type: 'array',
    schemaType: 'boolean',
    // The validator's own compares each pair: quadratic on a list of mixed items.
    compile: (wanted: boolean) => (items: readonly unknown[]) => !wanted || distinct(items),
  });
  return ajv.compile(Object.fromEntries(keywords));
}

const DOCUMENT_NAMES: ReadonlySet<string> = new Set(['$id', '$schema']);

function distinct(items: readonly unknown[]): boolean {
  const seen = new Set<string>();
  for (const item of items) {
    const text = identity(item);
    if (seen.has(text)) return false;
    seen.add(text);
  }
  return true;
}

/** `checkRule` has validated the schema, so the validator's own meta-schema is not needed. */
const OPTIONS: Options = {
  meta: false,
  validateSchema: false,
  strict: false,
  strictSchema: true,
  strictNumbers: true,
  allowMatchingProperties: true,
  // `constructor` and its like are missing unless the result really holds them.
  ownProperties: true,
  // Inlining would write a schema out once for every reference to it.
  inlineRefs: false,
  logger: false,
  formats: Object.fromEntries(FORMATS.map((name) => [name, fullFormats[name]])),
};

type RegExpEngine = NonNullable<NonNullable<Options['code']>['regExp']>;
interface LinearPattern {
  readonly size: number;
  test(text: string): boolean;
  toString(): string;
}
type Patterns = ReadonlyMap<string, LinearPattern>;

/** The walk of `checkRule` met every pattern a validator can ask for, so none is made here. */
function linearEngine(patterns: Patterns): RegExpEngine {
  const find = (source: string): LinearPattern => {
    const pattern = patterns.get(source);
    if (pattern === undefined) throw new TypeError(`a pattern nobody checked: ${source}`);
    return pattern;
  };
  return Object.assign(find, { code: 'linear' });
}

function compilePatterns(listed: readonly Pattern[]): Patterns | RuleRefusal {
  const patterns = new Map<string, LinearPattern>();
  let program = 0;
  for (const { pointer, source } of listed) {
    if (patterns.has(source)) continue;
    try {
      const pattern = RE2JS.compile(RE2JS.translateRegExp(source));
      const size = pattern.programSize();
      program += size;
      // The validator shares one pattern among all that print alike, so each prints its source.
      patterns.set(source, { size, test: (text) => pattern.test(text), toString: () => source });
    } catch (error) {
      if (!(error instanceof Error) || error instanceof RangeError) throw error;
      return badRule(pointer, `is no RE2 pattern: ${error.message}`);
    }
    if (program > PATTERN_PROGRAM_MAX) {
      return badRule(pointer, 'the patterns of this rule are too large together; repeat less');
    }
  }
  return patterns;
}

function weigh(rule: AcceptanceRule, patterns: Patterns): number {
  let weight = JSON.stringify(rule).length;
  for (const { size } of patterns.values()) weight += CHARS_PER_INSTRUCTION * size;
  return weight;
}

/** Makes the first stranger's schema pay for its own compilation alone, not for a cold start. */
export function warmUp(): void {
  const schema = { type: 'object', properties: { a: { type: 'string', pattern: '^a' } } };
  const rule = compileRule({ kind: 'json_schema', schema });
  if ('ok' in rule) rule.judgeInFull({ a: 'b', list: Array.from({ length: REFUSAL_ITEMS_MAX }) });
}
