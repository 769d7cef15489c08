import type { KeyId } from '../account.ts';
import { defined } from '../defined.ts';
import { sha256Hex } from '../digest.ts';
import { iso, type Instant } from '../instant.ts';
import { minuteIso, minuteOf, minutesAfter, MINUTE_MS, type Minute } from './minute.ts';
import { NO_DIGEST, signObject, type Sign, type SignedObject } from './signedObject.ts';

/**
 * The chain of pulses (choices time.pulses): one for each minute, never two, never one for a minute
 * that is not over, and never one for a minute long gone. Missing minutes are stated, not filled.
 */
export interface ClockState {
  readonly source: 'system' | 'ntp' | 'roughtime';
  readonly synced: boolean;
  readonly errorMs: number;
}
type GapCause = 'down' | 'clock-step' | 'unknown';
export interface Gap {
  readonly from: string;
  readonly to: string;
  readonly minutes: number;
  readonly cause: GapCause;
}
interface PulseBody {
  readonly v: 1;
  readonly chain: string;
  readonly seq: number;
  readonly minute: string;
  readonly issuedAt: string;
  readonly prev: string;
  readonly root: string;
  readonly leaves: number;
  readonly gap: Gap | null;
  readonly clock: ClockState;
  readonly random: string;
  readonly nextCommit: string;
  readonly keyId: KeyId;
  readonly nextKeyId?: KeyId;
}
export type Pulse = SignedObject<PulseBody>;

export interface Head {
  readonly seq: number;
  readonly minute: Minute;
  readonly issuedAt: Instant;
  readonly digest: string;
}

export interface Progress {
  readonly beganAt: Instant;
  readonly head: Head | undefined;
}

/** The start of a process, and the last step of its clock. */
export interface Witness {
  readonly since: Instant;
  /** The minute in which its clock landed after a step; undefined while none was seen. */
  readonly landedIn: Minute | undefined;
}

/**
 * The minute whose pulse is due: the one just ended. A hub that restarts within a minute loses
 * none; a minute over which the clock stepped has no honest 60 seconds, so the first after a step
 * is that of its landing. Undefined for a minute that has its pulse or that no process ran through,
 * and for a clock behind the newest pulse.
 */
export function dueMinute(
  now: Instant,
  { head, beganAt }: Progress,
  { since, landedIn }: Witness,
): Minute | undefined {
  const ended = minutesAfter(minuteOf(now), -1);
  if (landedIn !== undefined && ended < landedIn) return undefined;
  if (head !== undefined) {
    return ended <= head.minute || now <= head.issuedAt ? undefined : ended;
  }
  // The first start may have read a clock that was ahead and was set right since.
  const first = Math.min(minuteOf(beganAt), minuteOf(since), landedIn ?? Infinity);
  return ended < first ? undefined : ended;
}

/** The minutes without a pulse before `due`, and why they have none; null when there are none. */
export function gapBefore(
  due: Minute,
  head: Head | undefined,
  { since, landedIn }: Witness,
): Gap | null {
  if (head === undefined) return null;
  const from = minutesAfter(head.minute, 1);
  const minutes = (due - from) / MINUTE_MS;
  if (minutes === 0) return null;
  const stepped = landedIn !== undefined && landedIn > from && landedIn <= due;
  // A pulse is issued in the minute after its own, so a process that began later could not.
  const down = since >= from + 2 * MINUTE_MS;
  return {
    from: minuteIso(from),
    to: minuteIso(minutesAfter(due, -1)),
    minutes,
    cause: stepped ? 'clock-step' : down ? 'down' : 'unknown',
  };
}

export interface PulseParts {
  readonly chain: string;
  readonly minute: Minute;
  readonly issuedAt: Instant;
  readonly head: Head | undefined;
  readonly root: Uint8Array;
  readonly leaves: number;
  readonly gap: Gap | null;
  readonly clock: ClockState;
  /** The bytes that the head committed to; 32 zeros when there is none. */
  readonly random: Uint8Array;
  /** The bytes that the next pulse will show. */
  readonly nextRandom: Uint8Array;
  readonly keyId: KeyId;
  /** The key that signs the pulses after this one, when it changes. */
  readonly nextKeyId: KeyId | undefined;
}

export function makePulse(parts: PulseParts, sign: Sign): Pulse {
  const { head, minute, issuedAt, nextKeyId } = parts;
  const body: PulseBody = {
    v: 1,
    chain: parts.chain,
    seq: head === undefined ? 0 : head.seq + 1,
    minute: minuteIso(minute),
    issuedAt: iso(issuedAt),
    prev: head?.digest ?? NO_DIGEST,
    root: hex(parts.root),
    leaves: parts.leaves,
    gap: parts.gap,
    clock: parts.clock,
    random: hex(parts.random),
    nextCommit: sha256Hex(parts.nextRandom),
    keyId: parts.keyId,
    ...defined({ nextKeyId }),
  };
  return signObject('pulse', body, sign);
}

function hex(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('hex');
}
