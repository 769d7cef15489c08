import type { AcceptanceRule, RuleRefusal } from '../../domain/acceptance/rule.ts';
import { refuse } from '../../server/errors.ts';

/** The rule that compiled; refuses with `bad-acceptance`, and the place in it, when none did. */
export function ruleIn(
  compiled: { readonly ok: true; readonly rule: AcceptanceRule } | RuleRefusal,
  field = 'body.acceptance',
): AcceptanceRule {
  if (!('refused' in compiled)) return compiled.rule;
  return refuse('bad-acceptance', {
    error: `The acceptance rule cannot be judged: ${compiled.why}.`,
    field: `${field}${compiled.pointer}`,
  });
}
