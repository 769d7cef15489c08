import { shorten } from '../text.ts';
import type { Refusal } from './rule.ts';

/** Why a result does not pass. */
const PLACE_CHARS_MAX = 200;
export const EXPECTED_CHARS_MAX = 200;

/** One line a worker can act on: `/items: expected at least 3 items, got 1 (fields.minLength)`. */
export function refusal(path: string, rule: string, expected: string, got: string): Refusal {
  const place = path === '' ? 'result' : shorten(path, PLACE_CHARS_MAX);
  const short = { expected: shorten(expected, EXPECTED_CHARS_MAX), got };
  const text = `${place}: expected ${short.expected}, got ${got} (${rule})`;
  return { path, rule, ...short, text };
}

export function atBound(bound: 'at least' | 'at most', limit: number, unit: string): string {
  return `${bound} ${limit} ${unit}${limit === 1 ? '' : 's'}`;
}
