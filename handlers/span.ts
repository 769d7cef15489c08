import { iso, type Instant } from '../domain/instant.ts';
import { refuse } from '../workflows/kernel/errors.ts';

/** A stretch of time that a list is asked for: from its first moment, up to before its last. */
export interface Span {
  readonly from: Instant | undefined;
  readonly to: Instant | undefined;
}

/** Refuses a stretch that ends before it begins, which would answer an empty list in silence. */
export function spanOf({ from, to }: Span): Span {
  if (from === undefined || to === undefined || from < to) return { from, to };
  return refuse('not-together', {
    error: `query.from ${iso(from)} is not before query.to ${iso(to)}.`,
    hint: 'Send `from` before `to`, or leave one of them out.',
    field: 'query.to',
  });
}
