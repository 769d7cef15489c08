import type { StatementEntry } from '../../db/ledger/statement.ts';
import type { KeyId } from '../../domain/account.ts';
import { defined } from '../../domain/defined.ts';
import { iso } from '../../domain/instant.ts';
import type { components } from '../../generated/types.ts';
import { kindOf, type Happening } from './events.ts';

type Schemas = components['schemas'];

export function presentEntry(entry: StatementEntry): Schemas['StatementEntry'] {
  const { seq, direction, reason, counterparty, ref, memo, transferId } = entry;
  return {
    seq,
    at: iso(entry.at),
    direction,
    reason,
    amount: `${entry.amount}`,
    balanceAfter: `${entry.balanceAfter}`,
    heldAfter: `${entry.heldAfter}`,
    spendableAfter: `${entry.spendableAfter}`,
    ...defined({ counterparty }),
    ref,
    ...defined({ memo }),
    transferId,
  };
}

/** An event of an account, as `wallet.events` and the webhooks of the account have it. */
export function presentHappening(happening: Happening): Schemas['AccountEvent'] {
  if (happening.is === 'entry') {
    const { network, entry } = happening;
    return { kind: kindOf(happening), at: iso(entry.at), network, entry: presentEntry(entry) };
  }
  const { kind, at, subjectId, attemptId, ref, state, actor } = happening.event;
  return {
    kind,
    at: iso(at),
    ...aboutOf(kind, subjectId, ref),
    ...defined({ attemptId, state, actor }),
  };
}

type About = Partial<Schemas['AccountEvent']>;

/** Returns the subject of an event, under the member name of its kind. */
function aboutOf(kind: string, subjectId: string, ref: string | undefined): About {
  const [area = ''] = kind.split('.', 1);
  switch (area) {
    case 'listing':
    case 'report':
      return { agentId: subjectId, ...defined({ reportId: ref }) };
    case 'hosted':
      return { agentId: subjectId, ...defined({ callId: ref }) };
    case 'market':
      return { marketId: subjectId };
    case 'table':
      return { tableId: subjectId };
    case 'webhook':
      return { webhookId: subjectId };
    case 'policy':
    case 'key':
      return { keyId: subjectId as KeyId };
    case 'approval':
      return { keyId: subjectId as KeyId, ...defined({ approvalId: ref }) };
    case 'judge':
      return { taskId: subjectId, ...defined({ roundId: ref }) };
    case 'pitch':
      return { taskId: subjectId, ...defined({ until: ref }) };
    default:
      return { taskId: subjectId, ...defined({ commentId: ref }) };
  }
}
