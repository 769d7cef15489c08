import { need, type Need } from '../../db/batch/need.ts';
import type { Decider } from '../../db/batch/transaction.ts';
import { consumeNonce, NONCES, type Nonce } from '../../db/nonces.ts';
import type { Writer } from '../../db/store.ts';
import type { KeyId } from '../../domain/account.ts';
import type { Instant } from '../../domain/instant.ts';
import { refuse } from './errors.ts';

/**
 * The nonce of a signed request, which the first transaction in its caller's name takes with what
 * the request does. It stays taken when that refuses.
 */
export interface Admission {
  readonly nonce: Nonce;
  /** Refuses a caller that was banned since its request came. */
  readonly mayAct: () => void;
  /** Set after the commit that holds the nonce. */
  taken: boolean;
}

export function admissionNeeds(admission: Admission | undefined): readonly Need[] {
  return admission === undefined || admission.taken ? [] : [need(NONCES, admission.nonce)];
}

/** Takes the nonce, or refuses the request as a replay. */
export function admit(db: Decider, admission: Admission | undefined, at: Instant): void {
  if (admission === undefined) return;
  admission.mayAct();
  if (admission.taken) return;
  if (db.find(NONCES, admission.nonce) !== undefined) refuseReplayed();
  db.put(NONCES, admission.nonce, { ...admission.nonce, seenAt: at });
  db.afterCommit(() => (admission.taken = true));
}

/** The same in a unit of single statements. */
export async function admitIn(
  tx: Writer,
  admission: Admission | undefined,
  at: Instant,
): Promise<void> {
  if (admission === undefined) return;
  admission.mayAct();
  if (admission.taken) return;
  const { keyId, nonce } = admission.nonce;
  if (!(await consumeNonce(tx, keyId, nonce, at))) refuseReplayed();
  tx.afterCommit(() => (admission.taken = true));
}

interface NonceTaker {
  consumeNonce(keyId: KeyId, nonce: string): Promise<boolean>;
}

/** Takes it before the unit, for work that begins earlier and cannot be taken back. */
export async function admitNow(
  { callers }: { readonly callers: NonceTaker },
  { admission }: { readonly kind: string; readonly admission?: Admission | undefined },
): Promise<void> {
  if (admission === undefined || admission.taken) return;
  const isFresh = await callers.consumeNonce(admission.nonce.keyId, admission.nonce.nonce);
  admission.taken = true;
  if (!isFresh) refuseReplayed();
}

export function refuseReplayed(): never {
  refuse('replayed', { error: 'This nonce was used before with this key.' });
}
