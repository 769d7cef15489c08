import { filesReasons, type JudgedFile } from './files.ts';
import { lookup, parsePath, pointerOf } from './path.ts';
import { REFUSAL_ITEMS_MAX, RESULT_DEPTH_MAX } from './rule.ts';
import type { AcceptanceRule, FieldCheck, JsonSchemaRule, Refusal, Verdict } from './rule.ts';
import { containsText, normalText } from './text.ts';
import { jsonEqual, measure, preview, stringLeaves } from './values.ts';
import { atBound, EXPECTED_CHARS_MAX, refusal } from './refusal.ts';

/**
 * Judges a result by a rule (choices acceptance.kinds). Invariant: the verdict depends on the two
 * alone, every step is linear in their sizes, and a refusal has at most ten reasons.
 */
export type SchemaJudge = (rule: JsonSchemaRule, result: unknown) => readonly Refusal[];

const ACCEPTED: Verdict = { accepted: true };
const NOTHING = 'nothing';

/** Judges a checked rule; `bySchema` answers for the json_schema rules in it. */
export function judge(
  rule: AcceptanceRule,
  result: unknown,
  bySchema: SchemaJudge,
  files: readonly JudgedFile[] = [],
): Verdict {
  const deep = tooDeep(result);
  if (deep !== undefined) return { accepted: false, refused: [deep] };
  const refused = reasons(rule, judging(result, files, bySchema)).slice(0, REFUSAL_ITEMS_MAX);
  return refused.length === 0 ? ACCEPTED : { accepted: false, refused };
}

/** A result no rule judges: the answer is the same whatever the rule says. */
export function tooDeep(result: unknown): Refusal | undefined {
  const { depth } = measure(result, Infinity, RESULT_DEPTH_MAX);
  if (depth <= RESULT_DEPTH_MAX) return undefined;
  return refusal('', 'result.depth', `at most ${RESULT_DEPTH_MAX} levels of nesting`, 'more');
}

interface Judging {
  readonly result: unknown;
  readonly files: readonly JudgedFile[];
  readonly resultText: () => string;
  readonly bySchema: SchemaJudge;
}

function judging(result: unknown, files: readonly JudgedFile[], bySchema: SchemaJudge): Judging {
  let text: string | undefined;
  const resultText = (): string => (text ??= normalText(stringLeaves(result).join('\n')));
  return { result, files, resultText, bySchema };
}

function reasons(rule: AcceptanceRule, of: Judging): readonly Refusal[] {
  const { result, resultText, bySchema } = of;
  switch (rule.kind) {
    case 'all': {
      const found: Refusal[] = [];
      for (const part of rule.of) {
        if (found.length >= REFUSAL_ITEMS_MAX) break;
        found.push(...reasons(part, of));
      }
      return found;
    }
    case 'json_schema':
      return bySchema(rule, result);
    case 'fields':
      return rule.checks.flatMap((check) => fieldReason(check, result) ?? []);
    case 'contains':
      return containsReasons(rule.values, rule.mode ?? 'all', resultText());
    case 'files':
      return filesReasons(rule, of.files, (inner, value) => {
        const deep = tooDeep(value);
        return deep === undefined ? reasons(inner, judging(value, [], bySchema)) : [deep];
      });
  }
}

function fieldReason(check: FieldCheck, result: unknown): Refusal | undefined {
  const { steps } = parsePath(check.path);
  if (steps === undefined) throw new TypeError(`an unchecked path: ${check.path}`);
  const found = lookup(result, steps);
  const path = pointerOf(steps);
  if ('equals' in check) {
    if (found !== undefined && jsonEqual(check.equals, found.value)) return undefined;
    const got = found === undefined ? NOTHING : preview(found.value);
    return refusal(path, 'fields.equals', preview(check.equals), got);
  }
  const { minLength } = check;
  if (typeof found?.value === 'string') {
    const length = codePoints(found.value);
    if (length >= minLength) return undefined;
    return tooShort(path, minLength, 'character', length);
  }
  if (Array.isArray(found?.value)) {
    const { length } = found.value;
    return length >= minLength ? undefined : tooShort(path, minLength, 'item', length);
  }
  const got = found === undefined ? NOTHING : preview(found.value);
  const expected = `text or a list with a length of at least ${minLength}`;
  return refusal(path, 'fields.minLength', expected, got);
}

function tooShort(path: string, minimum: number, unit: string, length: number): Refusal {
  return refusal(path, 'fields.minLength', atBound('at least', minimum, unit), String(length));
}

export function codePoints(text: string): number {
  let count = 0;
  for (let at = 0; at < text.length; count += 1) {
    at += (text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1;
  }
  return count;
}

function containsReasons(
  values: readonly string[],
  mode: 'all' | 'any',
  text: string,
): readonly Refusal[] {
  const missing = values.filter((value) => !containsText(text, normalText(value)));
  const got = text === '' ? 'no text' : preview(text);
  if (mode === 'all') {
    const quoted = missing.map((value) => `text that contains ${preview(value)}`);
    return quoted.map((expected) => refusal('', 'contains.all', expected, got));
  }
  if (missing.length < values.length) return [];
  const choices = preview(values, EXPECTED_CHARS_MAX);
  return [refusal('', 'contains.any', `text that contains one of ${choices}`, got)];
}
