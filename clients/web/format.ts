/** Amounts and times in words. Units are text, never floating point; a `title` has exact values. */
const DIGITS = 6;
const SCALE = 10n ** BigInt(DIGITS);
/** Made at their first use, because each costs milliseconds on a phone. */
let whole: Intl.NumberFormat | undefined;
let ago: Intl.RelativeTimeFormat | undefined;

/** `50,010.00` of `50010000000`, `0.0485` of `48500`; what is no number of units stays as it is. */
export function usdc(units: string): string {
  if (!/^-?\d{1,40}$/.test(units)) return units;
  const value = BigInt(units);
  const size = value < 0n ? -value : value;
  const fraction = String(size % SCALE)
    .padStart(DIGITS, '0')
    .replace(/0{1,4}$/, '');
  return `${value < 0n ? '-' : ''}${count(size / SCALE)}.${fraction}`;
}

/** These units as a person would type them: `0.25` of `250000`, and nothing for no units. */
export const typedUnits = (units: string): string =>
  units === '' ? '' : usdc(units).replaceAll(',', '').replace(/\.00$/, '');

/** Atomic units of what a person typed, `0.25` or `1,000`; undefined when it is no amount. */
export function unitsOf(text: string): string | undefined {
  const plain = text.trim().replace(/(?<=\d),(?=\d{3}(?!\d))/g, '');
  const [, units, fraction = ''] = /^(\d{1,12})(?:\.(\d{1,6}))?$/.exec(plain) ?? [];
  if (units === undefined) return undefined;
  return String(BigInt(units) * SCALE + BigInt(fraction.padEnd(DIGITS, '0')));
}

/** The share of a part in a whole, from 0 to 100, for widths of bars alone. */
export function shareOf(part: string, total: string): number {
  if (!/^\d+$/.test(part) || !/^\d+$/.test(total) || BigInt(total) === 0n) return 0;
  return Number((BigInt(part) * 10_000n) / BigInt(total)) / 100;
}

export function count(value: number | bigint): string {
  whole ??= new Intl.NumberFormat('en');
  return whole.format(value);
}

/** `98.5 %` of 0.985. */
export function percent(ratio: number): string {
  return `${(Math.round(ratio * 1000) / 10).toFixed(1).replace(/\.0$/, '')} %`;
}

const STEPS: readonly (readonly [Intl.RelativeTimeFormatUnit, number])[] = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
  ['second', 1],
];

/** `3 minutes ago`, `in 6 days`, `in 1:05` within two minutes; what is no time stays as it is. */
export function sinceNow(iso: string, now: number): string {
  const at = Date.parse(iso);
  if (Number.isNaN(at)) return iso;
  const seconds = Math.round((at - now) / 1000);
  // A deadline within two minutes is a matter of seconds.
  if (seconds >= 60 && seconds < 120) return `in 1:${String(seconds - 60).padStart(2, '0')}`;
  const [unit, size] = STEPS.find(([, length]) => Math.abs(seconds) >= length) ?? ['second', 1];
  ago ??= new Intl.RelativeTimeFormat('en', { numeric: 'auto' });
  return ago.format(Math.trunc(seconds / size), unit);
}

const COUNTED_MS = 3_600_000;

/** `in 1:10` for a moment within the next hour, to the second; undefined for any other. */
export function countdown(iso: string, now: number): string | undefined {
  const left = Date.parse(iso) - now;
  if (Number.isNaN(left) || left <= 0 || left > COUNTED_MS) return undefined;
  const seconds = Math.ceil(left / 1000);
  return `in ${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}

const SPANS: readonly (readonly [string, number])[] = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
  ['second', 1],
];

/** `1 day`, `90 seconds`, `2 hours`: the largest unit that leaves no remainder. */
export function span(seconds: number): string {
  if (seconds === 0) return 'no time';
  const [unit, size] = SPANS.find(([, length]) => seconds % length === 0 && seconds >= length) ?? [
    'second',
    1,
  ];
  const value = seconds / size;
  return `${count(value)} ${unit}${value === 1 ? '' : 's'}`;
}

/** `12 ms`, `1.4 s`. */
export function milliseconds(value: number): string {
  return value < 1000 ? `${count(value)} ms` : `${(value / 1000).toFixed(1)} s`;
}

/** `12 bytes`, `1.4 kB`, `3.0 MB`. */
export function bytesText(value: number): string {
  if (value < 1000) return `${value} bytes`;
  return value < 1e6 ? `${(value / 1e3).toFixed(1)} kB` : `${(value / 1e6).toFixed(1)} MB`;
}

/** `key:3YSf…61ks`; the hub's own names stay whole, but for an id in them. */
export function shortAccount(account: string): string {
  if (account.startsWith('hub:')) return account.replace(ID, (id) => shortId(id));
  const [, prefix = '', key] = /^(key:)?([1-9A-HJ-NP-Za-km-z]{32,44})$/.exec(account) ?? [];
  return key === undefined ? account : `${prefix}${key.slice(0, 4)}…${key.slice(-4)}`;
}

const ID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/;

/** `ac11a293…2604`, for digests and ids in columns. */
export function shortId(id: string): string {
  return id.length <= 16 ? id : `${id.slice(0, 8)}…${id.slice(-4)}`;
}
