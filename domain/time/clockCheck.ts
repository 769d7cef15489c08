import { STEP_MS } from './steps.ts';

/** From this difference on the operator is warned; it is what a step is (choices time.checked). */
export const OFF_MS = STEP_MS;
/** From this difference on a process signs no time and is not ready. */
export const WRONG_MS = 30_000;

/** One comparison of the clock of a process. */
export interface ClockReading {
  /** `database`, `files`, `pulse` or the host of a peer. */
  readonly reference: string;
  readonly kind: 'database' | 'files' | 'pulse' | 'peer';
  /** Milliseconds by which the clock of this process is ahead; negative when it is behind. */
  readonly aheadMs: number;
  /** How exact the comparison is: half a round trip, and what the reference rounds off. */
  readonly errorMs: number;
}

/** A clock that was read once, by the clock of this process that only runs forward. */
export interface ReadClock extends Pick<ClockReading, 'reference' | 'kind' | 'errorMs'> {
  /** Milliseconds since 1970 when `elapsedMs` of this process was 0. */
  readonly zero: number;
}

/** Compares now with clocks that were read before, so that a clock that was set since differs. */
export function readingsOf(
  clocks: readonly ReadClock[],
  { now, elapsedMs }: { readonly now: number; readonly elapsedMs: number },
): readonly ClockReading[] {
  return clocks.map(({ zero, ...rest }) => ({ ...rest, aheadMs: now - (zero + elapsedMs) }));
}

export interface ClockVerdict {
  readonly state: 'right' | 'off' | 'wrong';
  readonly readings: readonly ClockReading[];
  /** Names the references that differ; undefined when none does. */
  readonly text: string | undefined;
}

/**
 * Judges the clock of a process. The database and the file system of the hub count by themselves,
 * and peers when two of them and more than half agree, because one peer may be wrong. A pulse of
 * the future counts unless a database or a peer confirms this clock: then the chain is what is ahead.
 */
export function judgeClock(readings: readonly ClockReading[]): ClockVerdict {
  const off = readings.filter((each) => differsBy(each) > OFF_MS);
  const peers = readings.filter(({ kind }) => kind === 'peer');
  const isWrong = (reading: ClockReading): boolean => {
    if (differsBy(reading) <= WRONG_MS) return false;
    if (reading.kind === 'pulse') return !isConfirmed(readings);
    if (reading.kind !== 'peer') return true;
    const alike = peers.filter(
      (peer) =>
        differsBy(peer) > WRONG_MS && Math.sign(peer.aheadMs) === Math.sign(reading.aheadMs),
    );
    return alike.length > 1 && alike.length * 2 > peers.length;
  };
  const state = off.some(isWrong) ? 'wrong' : off.length > 0 ? 'off' : 'right';
  return { state, readings, text: off.length === 0 ? undefined : off.map(textOf).join(', ') };
}

function isConfirmed(readings: readonly ClockReading[]): boolean {
  return readings.some(
    (each) => (each.kind === 'database' || each.kind === 'peer') && differsBy(each) <= OFF_MS,
  );
}

/** The least difference that the comparison proves. */
function differsBy({ aheadMs, errorMs }: ClockReading): number {
  return Math.max(0, Math.abs(aheadMs) - errorMs);
}

function textOf({ reference, aheadMs }: ClockReading): string {
  const seconds = Math.round(Math.abs(aheadMs) / 1000);
  return `${seconds} s ${aheadMs > 0 ? 'ahead of' : 'behind'} ${reference}`;
}
