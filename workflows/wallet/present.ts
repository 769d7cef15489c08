import type { StatementEntry } from '../../db/ledger/statement.ts';
import type { KeyId } from '../../domain/account.ts';
import type { Schemas } from '../kernel/answered.ts';
import { kindOf, type Happening } from './events.ts';

export function presentEntry(entry: StatementEntry): Schemas['StatementEntry'] {
  const { seq, direction, reason, counterparty, ref, memo, transferId } = entry;
  return {
    seq,
    at: entry.at,
    direction,
    reason,
    amount: entry.amount,
    balanceAfter: entry.balanceAfter,
    heldAfter: entry.heldAfter,
    spendableAfter: entry.spendableAfter,
    counterparty,
    ref,
    memo,
    transferId,
  };
}

/** An event of an account, as `wallet.events` and the webhooks of the account have it. */
export function presentHappening(happening: Happening): Schemas['AccountEvent'] {
  if (happening.is === 'entry') {
    const { network, entry } = happening;
    return { kind: kindOf(happening), at: entry.at, network, entry: presentEntry(entry) };
  }
  const { event, unread } = happening;
  const { kind, at, subjectId, attemptId, ref, state, actor } = event;
  return {
    kind,
    at,
    ...aboutOf(kind, subjectId, ref),
    attemptId,
    state,
    actor,
    unread,
  };
}

type About = Partial<Schemas['AccountEvent']>;

/** Returns the subject of an event, under the member name of its kind. */
function aboutOf(kind: string, subjectId: string, ref: string | undefined): About {
  const [area = ''] = kind.split('.', 1);
  switch (area) {
    case 'listing':
    case 'report':
      return { agentId: subjectId, reportId: ref };
    case 'hosted':
      return { agentId: subjectId, callId: ref };
    case 'space':
      return { spaceId: subjectId };
    case 'market':
      return { marketId: subjectId };
    case 'table':
      return { tableId: subjectId, until: ref };
    case 'webhook':
      return { webhookId: subjectId };
    case 'policy':
    case 'key':
      return { keyId: subjectId as KeyId };
    case 'approval':
      return { keyId: subjectId as KeyId, approvalId: ref };
    case 'judge':
      return { taskId: subjectId, roundId: ref };
    case 'pitch':
    case 'lease':
    case 'dispute':
    case 'task':
      return { taskId: subjectId, until: ref };
    default:
      return { taskId: subjectId, commentId: ref };
  }
}
