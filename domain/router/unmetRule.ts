import { lookup, parsePath, pointerOf } from '../acceptance/path.ts';
import type { AcceptanceRule, Refusal } from '../acceptance/rule.ts';
import { stringLeaves } from '../acceptance/values.ts';
import { shorten } from '../text.ts';

/**
 * Reports why an answer that is not handed over breaks its caller's rule (choices router.refunds).
 * Invariant: the report has no value and no member name of the answer unless the rule has it too.
 */
const PLACE_CHARS_MAX = 200;

/** Each pair of a path and a rule once: their number would count strange members. */
export function withoutAnswer(
  rule: AcceptanceRule,
  answer: unknown,
  refused: readonly Refusal[],
): readonly Refusal[] {
  const names = namesIn(rule);
  const reports = new Map<string, Refusal>();
  for (const { path, rule: broken } of refused) {
    const report = reportOf(writtenPart(path, answer, names), broken);
    reports.set(report.text, report);
  }
  return [...reports.values()];
}

function reportOf(path: string, rule: string): Refusal {
  const place = path === '' ? 'result' : shorten(path, PLACE_CHARS_MAX);
  const text = `${place} breaks ${rule}`;
  return { path, rule, expected: 'what your rule asks for', got: 'not shown', text };
}

/** The part of a path before the first name that only the answer has. */
function writtenPart(path: string, answer: unknown, names: ReadonlySet<string>): string {
  const shown: string[] = [];
  let value = answer;
  for (const step of parsePath(path).steps ?? []) {
    // A number is a place only in a list; in an object it is a name like any other.
    if (!Array.isArray(value) && !names.has(step)) break;
    shown.push(step);
    value = lookup(value, [step])?.value;
  }
  return pointerOf(shown);
}

/** Every name that the rule could mean: its member names, its texts and the steps of its paths. */
function namesIn(rule: AcceptanceRule): ReadonlySet<string> {
  const texts = stringLeaves(rule);
  return new Set([...memberNames(rule), ...texts, ...texts.flatMap(stepsOf)]);
}

const stepsOf = (path: string): readonly string[] => parsePath(path).steps ?? [];

function memberNames(root: unknown): readonly string[] {
  if (typeof root !== 'object' || root === null) return [];
  const inner = Object.values(root).flatMap(memberNames);
  return Array.isArray(root) ? inner : [...Object.keys(root), ...inner];
}
