import { checkRule } from '../acceptance/checkRule.ts';
import { translatePattern } from '../acceptance/pattern.ts';
import type { JsonObject } from '../jsonObject.ts';
import type { ListedSkill, Listing, Refunds } from './listing.ts';

/** A promise is listed only where answers can be held against it (choices router.refunds). */
export function whyNotJudged(schema: JsonObject): string | undefined {
  const check = checkRule({ kind: 'json_schema', schema });
  if (!('ok' in check)) return `${check.pointer.replace(/^\/schema/, '') || 'it'} ${check.why}`;
  for (const { source } of check.patterns) {
    const translated = translatePattern(source);
    if (!translated.ok) return translated.why;
  }
  return undefined;
}

/** Whether answers of a skill are held against its output schema. */
export function promises({ outputSchema }: Pick<ListedSkill, 'outputSchema'>): boolean {
  return outputSchema !== undefined && whyNotJudged(outputSchema) === undefined;
}

/** The word of the holder, as far as its tools let it be kept. */
export function refundsOf({
  refunds,
  skillsPromised,
}: Pick<Listing, 'refunds' | 'skillsPromised'>): Refunds {
  return refunds === 'output-schema' && skillsPromised === 0 ? 'none' : refunds;
}
