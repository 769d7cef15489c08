import fc from 'fast-check';
import type { Schema } from './schema.ts';

/** Text, numbers and free JSON: ordinary ones, the ends of their ranges, and awkward ones. */
const LENGTH_USUAL_MAX = 40;
const LENGTH_WHOLE_MAX = 4_000;
const SAFE_MAX = 1_000_000_000;

/** Text that databases, templates and terminals are known to stumble over. */
const ODD = ['\u0001', "';--", '%_\\', '\u202eabc', '\ufeff', '<b>&', '{{x}}', '🏴‍☠️'];

/** PostgreSQL stores no U+0000 in text, so the hub refuses it. */
const isPlain = (text: string): boolean => !text.includes('\0');

/** Text of a string schema; its code points are counted as the document counts them. */
export function textOf(schema: Schema): fc.Arbitrary<string> {
  const { minLength = 0, maxLength = Infinity, pattern, format } = schema;
  const fits = (text: string): boolean => {
    const { length } = Array.from(text);
    return length >= minLength && length <= maxLength && isPlain(text);
  };
  if (format === 'uri') return fc.webUrl({ validSchemes: ['https'] }).filter(fits);
  if (format === 'date-time') return moments;
  if (pattern !== undefined) return fc.stringMatching(new RegExp(pattern)).filter(fits);
  const max = Math.min(maxLength, Math.max(minLength, LENGTH_USUAL_MAX));
  const ends = [minLength, Math.min(maxLength, LENGTH_WHOLE_MAX)].map((n) => 'x'.repeat(n));
  const odd = ODD.filter(fits);
  return fc.oneof(
    { weight: 4, arbitrary: fc.string({ minLength, maxLength: max }) },
    { weight: 2, arbitrary: fc.string({ unit: 'binary', minLength, maxLength: max }).filter(fits) },
    { weight: 2, arbitrary: fc.constantFrom(...ends, ...odd) },
  );
}

const moments = fc
  .date({ min: new Date('2020-01-01'), max: new Date('2040-01-01'), noInvalidDate: true })
  .map((date) => date.toISOString());

export function numbersOf(type: 'integer' | 'number', schema: Schema): fc.Arbitrary<number> {
  // Beyond 2^53 two readers differ, so the hub takes no such number (RFC 7493 2.2).
  const min = Math.max(schema.minimum ?? -SAFE_MAX, Number.MIN_SAFE_INTEGER);
  const max = Math.min(schema.maximum ?? SAFE_MAX, Number.MAX_SAFE_INTEGER);
  if (type === 'integer') return fc.oneof(fc.integer({ min, max }), fc.constantFrom(min, max));
  // JSON writes -0 as 0, so the hub could not distinguish them.
  return fc.double({ min, max, noNaN: true, noDefaultInfinity: true }).map((value) => value + 0);
}

/** JSON that any reader understands alike: no number outside the safe range, no odd key. */
export const freeJson: fc.Arbitrary<unknown> = fc.letrec((tie) => ({
  leaf: fc.oneof(
    fc.string(),
    fc.string({ unit: 'binary', maxLength: 12 }).filter(isPlain),
    fc.integer({ min: -SAFE_MAX, max: SAFE_MAX }),
    fc.boolean(),
    fc.constant(null),
  ),
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    tie('leaf'),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(fc.stringMatching(/^[a-z$. ]{0,8}$/), tie('value'), { maxKeys: 3 }),
  ),
})).value;
