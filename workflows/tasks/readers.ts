import type { Account } from '../../domain/account.ts';
import type { Attempt, Task } from '../../domain/tasks/model.ts';
import type { Signer, Visitor } from '../../server/hub/call.ts';

/** The account that reads; undefined for a caller that proved none. */
export function readerOf(caller: Signer | Visitor): Account | undefined {
  return caller.kind === 'signer' ? caller.account : undefined;
}

/**
 * An undecided result is its parties' own: an outsider could offer it elsewhere, or here under
 * another name (threats.read-results). A refused one was never offered and stays its worker's. So do
 * size and digest, by which a short result is guessed.
 */
export function mayReadResult(
  { requester }: Task,
  { state, worker, payee }: Attempt,
  by: Account | undefined,
): boolean {
  if (state === 'waiting') return by !== undefined && [requester, worker, payee].includes(by);
  return state !== 'refused' || by === worker;
}
