import { defined } from '../defined.ts';
import { instant, iso, type Instant } from '../instant.ts';
import type { Availability, Listing } from './listing.ts';

/**
 * Availability, uptime and verdicts of the last 30 days. The looks of a listing are stored as one
 * short text, newest last.
 */
export type ProbeVerdict = Exclude<Availability, 'unstable'>;

export interface PastProbe {
  readonly at: Instant;
  readonly verdict: ProbeVerdict;
  /** To the first answer of its protocol; 0 when there was none. */
  readonly latencyMs: number;
}

export interface Measured {
  readonly availability: Availability;
  readonly availabilityNote: string;
  readonly uptimeBps: number;
  readonly latencyMs: number;
}

const LETTERS: Readonly<Record<ProbeVerdict, string>> = {
  live: 'l',
  'not-speaking': 'n',
  unreachable: 'u',
  unknown: 'x',
};
const VERDICTS: readonly ProbeVerdict[] = ['live', 'not-speaking', 'unreachable', 'unknown'];
const KEPT_MS = 30 * 86_400_000;
const LOOKS_MAX = 160;
const ENTRY = /^([0-9a-z]{1,10})([lnux])([0-9a-z]{1,8})$/;
/** The looks that decide whether a listing is steady. */
const RECENT = 8;
/** A listing that failed may still be called while one of so many looks was answered. */
const LAST_HOPE = 3;

export function readProbes(text: string): readonly PastProbe[] {
  return text.split(',').flatMap((entry): readonly PastProbe[] => {
    const [, at = '', letter = '', ms = ''] = ENTRY.exec(entry) ?? [];
    const verdict = VERDICTS.find((each) => LETTERS[each] === letter);
    if (verdict === undefined) return [];
    return [{ at: instant(parseInt(at, 36)), verdict, latencyMs: parseInt(ms, 36) }];
  });
}

export function writeProbes(looks: readonly PastProbe[]): string {
  const entry = ({ at, verdict, latencyMs }: PastProbe): string =>
    `${at.toString(36)}${LETTERS[verdict]}${Math.round(latencyMs).toString(36)}`;
  return looks.map(entry).join(',');
}

/** Within this time one look counts, even if several were requested (choices registry.measured). */
const COUNTED_EVERY_MS = 20 * 60_000;

/** Whether a look counts now; otherwise callers and owners could add any number of them. */
export function counts(looks: readonly PastProbe[], { at }: PastProbe): boolean {
  const last = looks.at(-1);
  return last === undefined || at - last.at >= COUNTED_EVERY_MS;
}

/** The looks with one more, when it counts; those too old to count are gone. */
export function withProbe(looks: readonly PastProbe[], look: PastProbe): readonly PastProbe[] {
  if (!counts(looks, look)) return looks;
  return [...looks.filter(({ at }) => look.at - at < KEPT_MS), look].slice(-LOOKS_MAX);
}

/** How long the looks were made on which an uptime rests: 30 days at most. */
export function watchedSeconds({
  firstSeenAt,
  lastCheckedAt,
}: Pick<Listing, 'firstSeenAt' | 'lastCheckedAt'>): number {
  return Math.floor(Math.min(KEPT_MS, Math.max(0, lastCheckedAt - firstSeenAt)) / 1000);
}

/** How many looks saw each verdict in the 30 days before `now`. */
export function tallyOf(
  looks: readonly PastProbe[],
  now: Instant,
): Readonly<Record<ProbeVerdict, number>> {
  const tally = { live: 0, 'not-speaking': 0, unreachable: 0, unknown: 0 };
  for (const { at, verdict } of looks) if (now - at < KEPT_MS) tally[verdict] += 1;
  return tally;
}

/** When the tally of `now` loses its oldest look; undefined when it has none. */
export function tallyUntil(looks: readonly PastProbe[], now: Instant): Instant | undefined {
  const oldest = looks.find(({ at }) => now - at < KEPT_MS);
  return oldest && instant(oldest.at + KEPT_MS);
}

/** `says` is what the last look saw, for its sentence. */
export function measure(looks: readonly PastProbe[], says: string): Measured {
  const known = looks.filter(({ verdict }) => verdict !== 'unknown');
  const live = known.filter(({ verdict }) => verdict === 'live');
  return {
    ...standing(looks, known, says),
    uptimeBps: known.length === 0 ? 0 : Math.floor((live.length * 10_000) / known.length),
    latencyMs: median(live.slice(-RECENT).map(({ latencyMs }) => latencyMs)),
  };
}

function standing(
  looks: readonly PastProbe[],
  known: readonly PastProbe[],
  says: string,
): Pick<Measured, 'availability' | 'availabilityNote'> {
  // One inconclusive look says nothing against a listing that answered before.
  const isUnclear = looks.slice(-2).every(({ verdict }) => verdict === 'unknown');
  const last = known.at(-1);
  if (last === undefined || isUnclear) {
    return { availability: 'unknown', availabilityNote: `The last look was inconclusive: ${says}` };
  }
  const recent = known.slice(-RECENT);
  const answered = recent.filter(({ verdict }) => verdict === 'live').length;
  const counted = `${answered} of its last ${recent.length} look${recent.length === 1 ? '' : 's'}`;
  if (last.verdict === 'live') {
    // One miss in eight is the weather; two are a habit.
    const isSteady = recent.length - answered <= 1;
    return isSteady
      ? { availability: 'live', availabilityNote: `It answered ${counted}.` }
      : {
          availability: 'unstable',
          availabilityNote: `It answers in some looks only: ${counted}.`,
        };
  }
  const hope = known.slice(-LAST_HOPE).some(({ verdict }) => verdict === 'live');
  return {
    availability: hope ? 'unstable' : last.verdict,
    availabilityNote: `It answered ${counted}; the last one failed: ${says}`,
  };
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}

/** The results of the looks of one day in UTC. */
export interface ProbedDay {
  /** `2026-11-20`. */
  readonly day: string;
  /** Conclusive looks, and those of them that it answered. */
  readonly looks: number;
  readonly answered: number;
  /** Median of the answers in milliseconds; absent when there was none. */
  readonly latencyMs?: number;
}

/** The days on which there was a look, the newest first. */
export function daysOf(looks: readonly PastProbe[]): readonly ProbedDay[] {
  const days = new Map<string, PastProbe[]>();
  for (const look of looks) {
    const day = iso(look.at).slice(0, 'yyyy-mm-dd'.length);
    days.set(day, [...(days.get(day) ?? []), look]);
  }
  return [...days]
    .sort(([a], [b]) => (a < b ? 1 : -1))
    .map(([day, all]) => {
      const telling = all.filter(({ verdict }) => verdict !== 'unknown');
      const times = telling
        .filter(({ verdict }) => verdict === 'live')
        .map(({ latencyMs }) => latencyMs)
        .sort((a, b) => a - b);
      const median = times[Math.floor((times.length - 1) / 2)];
      return {
        day,
        looks: telling.length,
        answered: times.length,
        ...defined({ latencyMs: median }),
      };
    });
}
