import type { Brand } from './brand.ts';

/** A moment: milliseconds since the epoch, UTC. ISO 8601 on the wire, INTEGER in the database. */
export type Instant = Brand<number, 'Instant'>;

export type Seconds = Brand<number, 'Seconds'>;

const ISO_GRAMMAR =
  /^(\d{4}-\d{2}-\d{2})T(?:[01]\d|2[0-3]):\d{2}:\d{2}(?:\.\d{1,9})?(?:Z|[+-]\d{2}:\d{2})$/;

export function instant(ms: number): Instant {
  if (!Number.isSafeInteger(ms)) throw new RangeError(`not an instant: ${ms}`);
  return ms as Instant;
}

/** Parses an ISO 8601 time with a zone; undefined for other text, and for a day that never comes. */
export function parseInstant(text: string): Instant | undefined {
  const day = ISO_GRAMMAR.exec(text)?.[1];
  const ms = Date.parse(text);
  if (day === undefined || Number.isNaN(ms)) return undefined;
  // Date rolls 30 February over into March.
  return new Date(day).toISOString().startsWith(day) ? (ms as Instant) : undefined;
}

export function iso(at: Instant): string {
  return new Date(at).toISOString();
}

export function seconds(value: number): Seconds {
  if (!Number.isSafeInteger(value) || value < 0) throw new RangeError(`not a duration: ${value}`);
  return value as Seconds;
}

export function plus(at: Instant, duration: Seconds): Instant {
  return (at + duration * 1000) as Instant;
}

/** Seconds since the epoch, without what is left of one, as JWTs and signatures have them. */
export function unixSeconds(at: Instant): number {
  return Math.floor(at / 1000);
}

export function wholeSecond(at: Instant): Instant {
  return instant(unixSeconds(at) * 1000);
}

export function earliest(a: Instant, b: Instant): Instant {
  return a < b ? a : b;
}
