import { RE2JS } from 're2js';
import { checkSchema } from './checkSchema.ts';
import { evaluatorOf } from './evaluate.ts';
import { translatePattern } from './pattern.ts';
import type { Refusal, RuleRefusal } from './rule.ts';
import { openRun, refusalsOf } from './schemaRun.ts';

/** A schema that was checked and made; it judges as a check worker does. */
interface MadeSchema {
  readonly ok: true;
  /** The first reasons against a value, or up to ten of them; none when it holds. */
  reasons(value: unknown, isFull: boolean): readonly Refusal[];
}

export function madeSchema(schema: unknown): MadeSchema | RuleRefusal {
  const check = checkSchema(schema, '');
  if ('refused' in check) return check;
  const { draft, targets } = check;
  const patternOf = (source: string): RE2JS => {
    const translated = translatePattern(source);
    if (!translated.ok) throw new Error(translated.why);
    return RE2JS.compile(translated.text);
  };
  const holds = evaluatorOf(schema, { draft, targets, patternOf });
  return {
    ok: true,
    reasons(value, isFull) {
      const run = openRun(isFull);
      if (holds(value, undefined, run, undefined)) return [];
      const reasons = refusalsOf(run);
      if (reasons.length === 0) throw new Error('a value was refused without a reason');
      return reasons;
    },
  };
}
