import type { Rule } from '../types.ts';

/**
 * Conditions as a person types them, and the acceptance rule that they make. Every condition must
 * hold: checks of single places become one rule of fields, and several rules become one of all.
 */
export const CONDITION_KINDS = ['contains', 'any', 'equals', 'length', 'schema'] as const;
export type ConditionKind = (typeof CONDITION_KINDS)[number];

export interface Condition {
  readonly kind: ConditionKind;
  /** The place in the result that `equals` and `length` look at. */
  readonly path: string;
  /** Words one a line, a value, a number or a JSON Schema, by the kind. */
  readonly text: string;
}

export type ConditionFault = 'words' | 'number' | 'schema';
export interface BuiltRule {
  /** Undefined without conditions, and while one of them has a fault. */
  readonly rule: Rule | undefined;
  /** One for each condition, undefined where it has none. */
  readonly faults: readonly (ConditionFault | undefined)[];
}

type FieldCheck = Extract<Rule, { kind: 'fields' }>['checks'][number];
type Built =
  { readonly fault: ConditionFault } | { readonly check: FieldCheck } | { readonly rule: Rule };

export const NEW_CONDITION: Condition = { kind: 'contains', path: '', text: '' };
/** The contract's bound for `minLength`. */
const LENGTH_MAX = 1_000_000;

export function ruleOf(conditions: readonly Condition[]): BuiltRule {
  const built = conditions.map(buildOne);
  const faults = built.map((each) => ('fault' in each ? each.fault : undefined));
  if (faults.some((fault) => fault !== undefined)) return { rule: undefined, faults };
  const checks = built.flatMap((each) => ('check' in each ? [each.check] : []));
  const rules: readonly Rule[] = [
    ...(checks.length === 0 ? [] : [{ kind: 'fields' as const, checks }]),
    ...built.flatMap((each) => ('rule' in each ? [each.rule] : [])),
  ];
  return { rule: rules.length > 1 ? { kind: 'all', of: [...rules] } : rules[0], faults };
}

function buildOne({ kind, path, text }: Condition): Built {
  switch (kind) {
    case 'contains':
    case 'any': {
      const values = text.split('\n').filter((line) => line.trim() !== '');
      if (values.length === 0) return { fault: 'words' };
      return { rule: { kind: 'contains', ...(kind === 'any' && { mode: 'any' }), values } };
    }
    case 'equals':
      return { check: { path, equals: jsonOr(text, text) } };
    case 'length': {
      const minLength = /^\d{1,7}$/.test(text.trim()) ? Number(text) : LENGTH_MAX + 1;
      return minLength > LENGTH_MAX ? { fault: 'number' } : { check: { path, minLength } };
    }
    case 'schema': {
      const schema = jsonOr(text, undefined);
      return isRecord(schema) ? { rule: { kind: 'json_schema', schema } } : { fault: 'schema' };
    }
  }
}

/** The value that a text is as JSON, or what stands for a text that is none. */
export function jsonOr(text: string, otherwise: unknown): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return otherwise;
  }
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
