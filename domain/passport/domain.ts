import type { KeyId } from '../account.ts';
import { plus, seconds, type Instant } from '../instant.ts';
import { PROOF_METHODS, type ProofMethod } from './proof.ts';

/**
 * Proved domains (choices passport.domains): the `host[:port]` of an origin, with one holder. It
 * moves only when a fresh look shows the holder's proof gone; inconclusive looks never count.
 */
export interface ProvedDomain {
  readonly domain: string;
  readonly keyId: KeyId;
  readonly origin: string;
  readonly method: ProofMethod;
  readonly provedAt: Instant;
  readonly lastConfirmedAt: Instant;
  readonly nextCheckAt: Instant;
  /** When the proof was first found gone; absent while it stands. */
  readonly missingSince?: Instant;
}

/** One place that was asked for a proof; `keys` is empty unless it was read. */
export interface ProofLook {
  readonly method: ProofMethod;
  readonly asked: string;
  readonly state: 'read' | 'absent' | 'malformed' | 'unreachable';
  readonly keys: readonly KeyId[];
  /** The start of what was seen. */
  readonly seen?: string;
  readonly durationMs: number;
}

export type LookOutcome = 'found' | 'other-key' | 'absent' | 'malformed' | 'unreachable';

const CONFIRM_EVERY = seconds(86_400);
const MISSING_EVERY = seconds(6 * 3_600);
/** A proof that is gone for this long lets go of the domain and of its listings. */
const MISSING_MAX_MS = 7 * 86_400_000;

/** Returns the outcome of a look for the key that is asked about; without one any key will do. */
export function outcomeFor(look: ProofLook, key: KeyId | undefined): LookOutcome {
  if (look.state !== 'read') return look.state;
  if (look.keys.length === 0) return 'absent';
  return key === undefined || look.keys.includes(key) ? 'found' : 'other-key';
}

/** How the looks prove the key, by the way it was proved before when that still stands. */
export function provedBy(
  looks: readonly ProofLook[],
  key: KeyId,
  before?: ProofMethod,
): ProofMethod | undefined {
  const methods = looks
    .filter((look) => outcomeFor(look, key) === 'found')
    .map(({ method }) => method);
  if (before !== undefined && methods.includes(before)) return before;
  return PROOF_METHODS.find((method) => methods.includes(method));
}

/** Returns a held domain after a look at its proofs; undefined releases it. */
export function afterLook(
  held: ProvedDomain,
  looks: readonly ProofLook[],
  now: Instant,
): ProvedDomain | undefined {
  const method = provedBy(looks, held.keyId, held.method);
  const { missingSince: since, ...stands } = held;
  if (method !== undefined) {
    return { ...stands, method, lastConfirmedAt: now, nextCheckAt: plus(now, CONFIRM_EVERY) };
  }
  const nextCheckAt = plus(now, MISSING_EVERY);
  if (!isGone(held, looks)) return { ...held, nextCheckAt };
  const missingSince = since ?? now;
  if (now - missingSince >= MISSING_MAX_MS) return undefined;
  return { ...stands, nextCheckAt, missingSince };
}

/** No look found the holder's key, and where it was confirmed last could be read. */
function isGone(held: ProvedDomain, looks: readonly ProofLook[]): boolean {
  if (provedBy(looks, held.keyId) !== undefined) return false;
  const look = looks.find(({ method }) => method === held.method);
  return look !== undefined && look.state !== 'unreachable';
}

export interface Check {
  readonly domain: string;
  readonly origin: string;
  readonly looks: readonly ProofLook[];
  /** The key that a signer asked to have recorded. */
  readonly asked?: KeyId;
}

export interface Ruling {
  /** Absent when the domain has no holder after the check. */
  readonly holder?: ProvedDomain;
  /** It changed hands or was released: listings of the former holder have none now. */
  readonly left: boolean;
  /** The asked key is proved, but the holder's proof is found too, or the look is inconclusive. */
  readonly contested: boolean;
}

export function rule(held: ProvedDomain | undefined, check: Check, now: Instant): Ruling {
  const { domain, origin, looks, asked } = check;
  const method = asked && provedBy(looks, asked);
  const isNew = asked !== undefined && method !== undefined && held?.keyId !== asked;
  if (isNew && (held === undefined || isGone(held, looks))) {
    const nextCheckAt = plus(now, CONFIRM_EVERY);
    const times = { provedAt: now, lastConfirmedAt: now, nextCheckAt };
    const holder = { domain, keyId: asked, origin, method, ...times };
    return { holder, left: held !== undefined, contested: false };
  }
  if (held === undefined) return { left: false, contested: false };
  const holder = afterLook(held, looks, now);
  if (holder === undefined) return { left: true, contested: false };
  return { holder, left: false, contested: isNew };
}

/**
 * Returns whether one check found the asked key beside the holder's. Each key signed a check of its
 * own and the owner of the domain published both, so the two are one party (choices tasks.linked).
 */
export function namesBoth({ holder }: Pick<Ruling, 'holder'>, { asked, looks }: Check): boolean {
  if (holder === undefined || asked === undefined || holder.keyId === asked) return false;
  return [holder.keyId, asked].every((keyId) => provedBy(looks, keyId) !== undefined);
}
