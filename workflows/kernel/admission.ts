import { need, type Need } from '../../db/batch/need.ts';
import type { Decider } from '../../db/batch/transaction.ts';
import { consumeNonce, NONCES, type Nonce } from '../../db/nonces.ts';
import { KEY_POLICIES, ruleOf } from '../../db/wallet/policies.ts';
import type { Store, Writer } from '../../db/store.ts';
import type { Account, KeyId } from '../../domain/account.ts';
import type { Instant } from '../../domain/instant.ts';
import type { Clock } from './clock.ts';
import { refuse } from './errors.ts';
import type { Ruling } from './keyRuling.ts';

/** The nonce of a signed request. The caller's first transaction takes it, even if it refuses. */
export interface Admission extends Ruling {
  readonly nonce: Nonce;
  /** Refuses a caller that was banned since its request came. */
  readonly mayAct: () => void;
  /** Whether the call may wait between its units of work, so that each of them judges its key. */
  readonly waits: boolean;
  /** Set after the commit that holds the nonce. */
  taken: boolean;
  /** The account for which the policy of the key let the call pass; a key may join another. */
  judgedFor?: Account;
}

interface Admitted {
  readonly keyId: KeyId;
  readonly account: Account;
  readonly admission?: Admission | undefined;
}

/** The policy of the key is read with the rest, since what it spends is counted there. */
export function admissionNeeds({ keyId, account, admission }: Admitted): readonly Need[] {
  const policy = need(KEY_POLICIES, { keyId, account });
  return admission === undefined || admission.taken
    ? [policy]
    : [need(NONCES, admission.nonce), policy];
}

/** Takes the nonce, or refuses the request as a replay, or for the policy of its key. */
export function admit(db: Decider, { keyId, account, admission }: Admitted, at: Instant): void {
  if (admission === undefined) return;
  admission.mayAct();
  if (admission.waits || admission.judgedFor !== account) {
    admission.judge(db.find(KEY_POLICIES, { keyId, account }), at);
    db.afterCommit(() => (admission.judgedFor = account));
  }
  if (admission.taken) return;
  if (db.find(NONCES, admission.nonce) !== undefined) refuseReplayed();
  db.put(NONCES, admission.nonce, { ...admission.nonce, seenAt: at });
  db.afterCommit(() => (admission.taken = true));
}

/** The same in a unit of single statements. */
export async function admitIn(
  tx: Writer,
  { keyId, account, admission }: Admitted,
  at: Instant,
): Promise<void> {
  if (admission === undefined) return;
  admission.mayAct();
  if (admission.waits || admission.judgedFor !== account) {
    admission.judge(await ruleOf(tx, keyId, account), at);
    tx.afterCommit(() => (admission.judgedFor = account));
  }
  if (admission.taken) return;
  if (!(await consumeNonce(tx, keyId, admission.nonce.nonce, at))) refuseReplayed();
  tx.afterCommit(() => (admission.taken = true));
}

/** Refuses the answer of a read that waited, to a key that ended or was limited meanwhile. */
export async function judgeAgain(
  { store, clock }: { readonly store: Store; readonly clock: Clock },
  caller: { readonly kind: string; readonly keyId?: KeyId; readonly account?: Account },
  ruling: Ruling | undefined,
): Promise<void> {
  const { keyId, account } = caller;
  if (keyId === undefined || account === undefined || ruling === undefined) return;
  ruling.judge(await store.readOne((db) => ruleOf(db, keyId, account)), clock.now());
}

interface NonceTaker {
  consumeNonce(nonce: Nonce, ruling: Ruling): Promise<boolean>;
}

/** Takes a nonce for itself, or refuses the request as a replay. */
export async function takeNonce(
  { callers }: { readonly callers: NonceTaker },
  { keyId, nonce }: Nonce,
  ruling: Ruling,
): Promise<void> {
  if (!(await callers.consumeNonce({ keyId, nonce }, ruling))) refuseReplayed();
}

/** Takes it before the unit, for work that begins earlier and cannot be taken back. */
export async function admitNow(
  { callers }: { readonly callers: NonceTaker },
  { admission }: { readonly kind: string; readonly admission?: Admission | undefined },
): Promise<void> {
  if (admission === undefined || admission.taken) return;
  const isFresh = await callers.consumeNonce(admission.nonce, admission);
  admission.taken = true;
  if (!isFresh) refuseReplayed();
  admission.judgedFor = admission.account;
}

export function refuseReplayed(): never {
  refuse('replayed', { error: 'This nonce was used before with this key.' });
}
