import { checkFiles } from './checkFiles.ts';
import { checkSchema } from './checkSchema.ts';
import type { Pattern } from './checkSchema.ts';
import { parsePath, pointerStep } from './path.ts';
import {
  ALL_NESTING_MAX,
  ALL_OF_MAX,
  badRule,
  RULE_BYTES_MAX,
  RULE_CHECKS_MAX,
  RULE_DEPTH_MAX,
  RULE_NODES_MAX,
  usesFiles,
} from './rule.ts';
import { type JsonObject, isObject } from '../jsonObject.ts';
import type { AcceptanceRule, FieldCheck, RuleRefusal } from './rule.ts';
import { measure } from './values.ts';

/**
 * The static check of a rule at publication (choices acceptance.limits). Invariant: a rule that
 * passes is within every limit, means something, and holds no member that is ignored.
 */
export type RuleCheck =
  | { readonly ok: true; readonly rule: AcceptanceRule; readonly patterns: readonly Pattern[] }
  | RuleRefusal;

interface Walk {
  readonly patterns: Pattern[];
  checks: number;
}

type Part = { readonly rule: AcceptanceRule; readonly refused?: never } | RuleRefusal;

const LONE_SURROGATE = /\\ud[89a-f][0-9a-f]{2}/;
const ESCAPED_BACKSLASH = /\\\\/g;
const KINDS = 'all, json_schema, fields, contains, files';

/** Checks anything that JSON can carry; `patterns` still have to compile in the engine. */
export function checkRule(value: unknown): RuleCheck {
  const tooBig = checkSize(value);
  if (tooBig !== undefined) return tooBig;
  const walk: Walk = { patterns: [], checks: 0 };
  const part = checkPart(walk, value, '', 1);
  if (part.refused !== undefined) return part;
  return { ok: true, rule: part.rule, patterns: walk.patterns };
}

function checkSize(value: unknown): RuleRefusal | undefined {
  const { nodes, depth } = measure(value, RULE_NODES_MAX, RULE_DEPTH_MAX);
  if (depth > RULE_DEPTH_MAX) return badRule('', `nests deeper than ${RULE_DEPTH_MAX} levels`);
  if (nodes > RULE_NODES_MAX) return badRule('', `has more than ${RULE_NODES_MAX} values`);
  const text = JSON.stringify(value);
  if (new TextEncoder().encode(text).length > RULE_BYTES_MAX) {
    return badRule('', `is larger than ${RULE_BYTES_MAX} bytes of JSON`);
  }
  // JSON.stringify escapes a surrogate only when it is alone; its digest could not be made again.
  const lone = LONE_SURROGATE.test(text.replace(ESCAPED_BACKSLASH, ''));
  return lone ? badRule('', 'holds a lone surrogate') : undefined;
}

function checkPart(walk: Walk, value: unknown, at: string, nesting: number): Part {
  if (!isObject(value)) return badRule(at, `a rule is an object with a kind: ${KINDS}`);
  switch (value['kind']) {
    case 'all':
      return checkAll(walk, value, at, nesting);
    case 'json_schema':
      return checkJsonSchema(walk, value, at);
    case 'fields':
      return checkFields(walk, value, at);
    case 'contains':
      return checkContains(walk, value, at);
    case 'files':
      return checkFiles(value, at, {
        strange: strangeMember,
        count: (more, where) => countChecks(walk, more, where),
        inner: (inner, where) => checkContents(walk, inner, where, nesting + 1),
      });
    default:
      return badRule(`${at}/kind`, `kind is one of ${KINDS}`);
  }
}

/** The contents of a file have no files of their own. */
function checkContents(walk: Walk, value: unknown, at: string, nesting: number): Part {
  if (nesting > ALL_NESTING_MAX + 1) {
    return badRule(at, `all rules nest at most ${ALL_NESTING_MAX} deep`);
  }
  const part = checkPart(walk, value, at, nesting);
  if (part.refused !== undefined || !usesFiles(part.rule)) return part;
  return badRule(at, 'is of another kind than files');
}

function checkAll(walk: Walk, value: JsonObject, at: string, nesting: number): Part {
  const strange = strangeMember(value, ['kind', 'of'], at);
  if (strange !== undefined) return strange;
  const parts = value['of'];
  if (!isList(parts) || parts.length < 1 || parts.length > ALL_OF_MAX) {
    return badRule(`${at}/of`, `is a list of 1 to ${ALL_OF_MAX} rules`);
  }
  if (nesting > ALL_NESTING_MAX) {
    return badRule(at, `all rules nest at most ${ALL_NESTING_MAX} deep`);
  }
  const rules: AcceptanceRule[] = [];
  for (const [index, inner] of parts.entries()) {
    const part = checkPart(walk, inner, `${at}/of/${index}`, nesting + 1);
    if (part.refused !== undefined) return part;
    rules.push(part.rule);
  }
  return { rule: { kind: 'all', of: rules } };
}

function checkJsonSchema(walk: Walk, value: JsonObject, at: string): Part {
  const strange = strangeMember(value, ['kind', 'schema', 'description'], at);
  if (strange !== undefined) return strange;
  const { schema, description } = value;
  if (description !== undefined && typeof description !== 'string') {
    return badRule(`${at}/description`, 'is a string');
  }
  const check = checkSchema(schema, `${at}/schema`);
  if (!('ok' in check)) return check;
  if (!isObject(schema)) return badRule(`${at}/schema`, 'is a JSON Schema object');
  walk.patterns.push(...check.patterns);
  const described = description === undefined ? {} : { description };
  return { rule: { kind: 'json_schema', schema, ...described } };
}

function checkFields(walk: Walk, value: JsonObject, at: string): Part {
  const strange = strangeMember(value, ['kind', 'checks'], at);
  if (strange !== undefined) return strange;
  const items = value['checks'];
  if (!isList(items) || items.length < 1) {
    return badRule(`${at}/checks`, 'is a list of one or more checks');
  }
  const crowded = countChecks(walk, items.length, `${at}/checks`);
  if (crowded !== undefined) return crowded;
  const checks: FieldCheck[] = [];
  for (const [index, item] of items.entries()) {
    const check = checkField(item, `${at}/checks/${index}`);
    if ('refused' in check) return check;
    checks.push(check);
  }
  return { rule: { kind: 'fields', checks } };
}

function checkField(item: unknown, at: string): FieldCheck | RuleRefusal {
  const says = 'a check is {path, equals} or {path, minLength}';
  if (!isObject(item)) return badRule(at, says);
  const { path, minLength } = item;
  if (typeof path !== 'string') return badRule(`${at}/path`, 'is a string');
  const parsed = parsePath(path);
  if (parsed.steps === undefined) return badRule(`${at}/path`, parsed.why);
  const strange = strangeMember(item, ['path', 'equals', 'minLength'], at);
  if (strange !== undefined) return strange;
  const equality = Object.hasOwn(item, 'equals');
  if (equality === Object.hasOwn(item, 'minLength')) return badRule(at, says);
  if (equality) return { path, equals: item['equals'] };
  if (typeof minLength !== 'number' || !Number.isSafeInteger(minLength) || minLength < 0) {
    return badRule(`${at}/minLength`, 'is a whole number from 0');
  }
  return { path, minLength };
}

function checkContains(walk: Walk, value: JsonObject, at: string): Part {
  const strange = strangeMember(value, ['kind', 'mode', 'values'], at);
  if (strange !== undefined) return strange;
  const { mode, values: listed } = value;
  if (mode !== undefined && mode !== 'all' && mode !== 'any') {
    return badRule(`${at}/mode`, 'is all (the default) or any');
  }
  if (!isList(listed) || listed.length < 1) {
    return badRule(`${at}/values`, 'is a list of one or more strings');
  }
  const crowded = countChecks(walk, listed.length, `${at}/values`);
  if (crowded !== undefined) return crowded;
  const values: string[] = [];
  for (const [index, item] of listed.entries()) {
    if (typeof item !== 'string' || item === '') {
      return badRule(`${at}/values/${index}`, 'is a string that is not empty');
    }
    values.push(item);
  }
  return { rule: { kind: 'contains', ...(mode !== undefined && { mode }), values } };
}

/** The limit holds for the rule as a whole: a list per branch would multiply it by twenty. */
function countChecks(walk: Walk, more: number, at: string): RuleRefusal | undefined {
  walk.checks += more;
  if (walk.checks <= RULE_CHECKS_MAX) return undefined;
  return badRule(at, `a rule has at most ${RULE_CHECKS_MAX} checks and values in all`);
}

function strangeMember(
  value: JsonObject,
  known: readonly string[],
  at: string,
): RuleRefusal | undefined {
  const strange = Object.keys(value).find((key) => !known.includes(key));
  if (strange === undefined) return undefined;
  return badRule(at + pointerStep(strange), `is not known here; known are ${known.join(', ')}`);
}

function isList(value: unknown): value is readonly unknown[] {
  return Array.isArray(value);
}
