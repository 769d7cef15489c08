/** Where a plot puts its axes and values. Nothing here draws. */
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

/** One moment of a plot with a value for each of its series; undefined where nothing was measured. */
export interface Sample {
  /** In milliseconds since 1970. */
  readonly at: number;
  readonly values: readonly (number | undefined)[];
}

/** Returns round values around both ends, in about `intervals` steps of at least `smallest`. */
export function valueTicks(
  low: number,
  high: number,
  { intervals = 4, smallest = 0 } = {},
): readonly number[] {
  const top = high > low ? high : low + (smallest || 1);
  const raw = (top - low) / intervals;
  const size = 10 ** Math.floor(Math.log10(raw));
  const round = [1, 2, 2.5, 5, 10].map((part) => part * size).find((step) => step >= raw * 0.999);
  const step = Math.max(round ?? raw, smallest);
  const first = Math.floor(low / step);
  const last = Math.ceil(top / step - 1e-9);
  return Array.from({ length: last - first + 1 }, (_, place) =>
    Number(((first + place) * step).toPrecision(12)),
  );
}

const STEPS = [
  5_000,
  15_000,
  MINUTE,
  5 * MINUTE,
  15 * MINUTE,
  HOUR,
  3 * HOUR,
  6 * HOUR,
  12 * HOUR,
  DAY,
  2 * DAY,
  3 * DAY,
  5 * DAY,
  10 * DAY,
  30 * DAY,
  90 * DAY,
];

export interface TimeTick {
  readonly at: number;
  readonly label: string;
}

/** Round moments between two, at most as many as fit, in UTC as the hub counts its days. */
export function timeTicks(from: number, until: number, most: number): readonly TimeTick[] {
  const length = Math.max(1, until - from);
  const step = STEPS.find((each) => length / each <= most) ?? length;
  if (step >= 30 * DAY) return monthTicks(from, until, Math.ceil(step / (30 * DAY)));
  const ticks: TimeTick[] = [];
  for (let at = Math.ceil(from / step) * step; at <= until; at += step) {
    ticks.push({ at, label: momentText(at, { isDay: step >= DAY || at % DAY === 0, step }) });
  }
  return ticks;
}

/** The first day of every so many months. */
function monthTicks(from: number, until: number, months: number): readonly TimeTick[] {
  const begin = new Date(from);
  const year = begin.getUTCFullYear();
  const ticks: TimeTick[] = [];
  for (let nth = Math.floor(begin.getUTCMonth() / months) * months; ; nth += months) {
    const at = Date.UTC(year, nth);
    if (at > until) return ticks;
    if (at >= from) ticks.push({ at, label: month(at) });
  }
}

/** A format is made at its first use, because each costs milliseconds on a phone. */
function formatOf(locale: string, options: Intl.DateTimeFormatOptions): (at: number) => string {
  let made: Intl.DateTimeFormat | undefined;
  return (at) => {
    made ??= new Intl.DateTimeFormat(locale, { timeZone: 'UTC', ...options });
    return made.format(at);
  };
}

const month = formatOf('en', { month: 'short', year: 'numeric' });
const day = formatOf('en', { month: 'short', day: 'numeric' });
const clock = formatOf('en-GB', { hour: '2-digit', minute: '2-digit' });
const seconds = formatOf('en-GB', { timeStyle: 'medium' });

function momentText(at: number, { isDay = false, step = MINUTE } = {}): string {
  if (isDay) return day(at);
  return (step < MINUTE ? seconds : clock)(at);
}

/** The shortest month, which columns of months have as their width. */
export const MONTH_MS = 28 * DAY;

/** `Nov 2026` of a month, `Nov 25` of a whole day, otherwise `Nov 25, 14:00 UTC`. */
export function sampleText(at: number, bucketMs = 0): string {
  if (bucketMs >= MONTH_MS) return month(at);
  return bucketMs >= DAY ? day(at) : `${day(at)}, ${clock(at)} UTC`;
}

/** The sample that is nearest to a moment; samples are in order of time. */
export function nearest(samples: readonly Sample[], at: number): number {
  let best = 0;
  samples.forEach((sample, place) => {
    const before = samples[best];
    if (before !== undefined && Math.abs(sample.at - at) < Math.abs(before.at - at)) best = place;
  });
  return best;
}

/**
 * Returns the samples of a range. The value before it is carried over its beginning, so that a step
 * line starts where it stood.
 */
export function within(samples: readonly Sample[], from: number, until: number): readonly Sample[] {
  const inside = samples.filter(({ at }) => at >= from && at <= until);
  const before = samples.findLast(({ at }) => at < from);
  return before === undefined || inside[0]?.at === from
    ? inside
    : [{ ...before, at: from }, ...inside];
}
