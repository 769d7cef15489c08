import { instant, seconds, type Instant, type Seconds } from './instant.ts';

/** Windows of figures (choices discovery.figures). One above 90 days is lowered to `90d`. */
export interface Window {
  /** The window that is used, such as `24h`. */
  readonly name: string;
  readonly length: Seconds;
}

const GRAMMAR = /^([1-9][0-9]{0,3})(m|h|d)$/;
const SECONDS_OF: Readonly<Record<string, number>> = { m: 60, h: 3600, d: 86_400 };
const LONGEST: Window = { name: '90d', length: seconds(90 * 86_400) };

/** Throws RangeError (a bug: the contract refuses bad input) unless it is a number and a unit. */
export function windowOf(text: string): Window {
  const match = GRAMMAR.exec(text);
  const unit = SECONDS_OF[match?.[2] ?? ''];
  if (match === null || unit === undefined) throw new RangeError(`not a window: ${text}`);
  const length = seconds(Number(match[1]) * unit);
  return length > LONGEST.length ? LONGEST : { name: text, length };
}

/** When the window that ends at `to` begins. */
export function startOf({ length }: Window, to: Instant): Instant {
  return instant(to - length * 1000);
}
