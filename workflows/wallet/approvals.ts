import { noteEvent } from '../../db/wallet/accountEvents.ts';
import { approvalOf, decideApproval, type Approval } from '../../db/wallet/approvals.ts';
import type { Writer } from '../../db/store.ts';
import type { Account, KeyId } from '../../domain/account.ts';
import type { Instant } from '../../domain/instant.ts';
import { refuse } from '../kernel/errors.ts';

export interface Decision {
  readonly account: Account;
  readonly id: string;
  readonly state: 'approved' | 'rejected';
  readonly by: KeyId;
  readonly at: Instant;
}

/**
 * Decides a call that waits. The row changes only from the state that was read, so of an approval
 * and a rejection at once one counts; a rejection also takes an unused approval back.
 */
export async function decideCall(
  tx: Writer,
  { account, id, state, by, at }: Decision,
): Promise<Approval> {
  const found = await approvalOf(tx, account, id, at);
  if (found === undefined) {
    return refuse('not-found', {
      error: `No pending action ${id} waits in this account, or it has lapsed.`,
      hint: `GET /api/v1/wallet/${account}/approvals lists the pending ones.`,
      field: 'path.id',
    });
  }
  if (found.state === state) return found;
  const mayChange = found.state === 'open' || (found.state === 'approved' && state === 'rejected');
  const decided = mayChange ? await decideApproval(tx, found, { state, at, by }) : undefined;
  if (decided === undefined) {
    return refuse('decided', {
      error: `This call was ${mayChange ? 'decided meanwhile' : `${found.state} before`}.`,
      hint: `GET /api/v1/wallet/${account}/approvals shows how it was decided.`,
      field: 'path.id',
    });
  }
  const event = { at, kind: `approval.${state}` as const, subjectId: decided.keyId, ref: id };
  noteEvent(tx, [account], { ...event, actor: account });
  return decided;
}
