import { REASONS } from '../notAsked.ts';
import { countsOf, unaskedBy, type Run } from '../results.ts';

/** The whole run for programs; its fields are described in `docs/conformance.md`. */
export function json(run: Run): string {
  const { results, ...rest } = run;
  const notAsked = unaskedBy(results).map(([reason, count]) => ({
    reason,
    says: REASONS[reason],
    count,
  }));
  return `${JSON.stringify({ ...rest, counts: countsOf(results), notAsked, results }, null, 2)}\n`;
}
