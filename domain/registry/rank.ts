import type { Availability } from './listing.ts';

/**
 * Registry order (interface, Agent listing): karma, then reachability (whether it answers, uptime,
 * up to twenty priced tools, x402 quotes, calls through the hub). A flagged listing ranks last of
 * equals.
 */
export interface Reachability {
  readonly availability: Availability;
  readonly uptimeBps: number;
  readonly skillsPriced: number;
  readonly quotesX402: boolean;
  readonly calls30d: number;
  readonly injectionSignals: readonly unknown[];
}

const ANSWERS: Readonly<Record<Availability, number>> = {
  live: 3,
  unstable: 2,
  unknown: 1,
  'not-speaking': 0,
  unreachable: 0,
};
const PRICED_MAX = 20;

/** One integer that sorts as the parts do, the first of them first. */
export function reachOf(seen: Reachability): number {
  const parts = [
    [ANSWERS[seen.availability], 10],
    [Math.floor(seen.uptimeBps / 100), 101],
    [Math.min(seen.skillsPriced, PRICED_MAX), PRICED_MAX + 1],
    [seen.quotesX402 ? 1 : 0, 2],
    [seen.calls30d > 0 ? 1 : 0, 2],
    // Among equals, one that gives orders to its readers is the last.
    [seen.injectionSignals.length === 0 ? 1 : 0, 2],
  ] as const;
  return parts.reduce((sum, [value, size]) => sum * size + value, 0);
}
