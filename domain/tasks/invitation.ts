import type { Account } from '../account.ts';
import { accountClass } from '../account.ts';
import { iso, plus } from '../instant.ts';
import type { Instant } from '../instant.ts';
import { refused, without } from './change.ts';
import type { Change, Refused } from './change.ts';
import { closedUnpaid } from './decide.ts';
import { DEADLINE_MIN } from './limits.ts';
import { isPitch, isThread } from './model.ts';
import type { Task, TaskTerms } from './model.ts';
import type { Invitation } from './workTerms.ts';

/**
 * A task for named accounts first (T31, choices tasks.invitations). Invariant: until the moment that
 * was published no other account may take it, and after it the task is open to all or withdrawn.
 */
export interface InvitationDraft {
  readonly accounts: readonly Account[];
  readonly until?: Instant;
  readonly then?: Invitation['then'];
}

export function invitationOf(
  draft: InvitationDraft | undefined,
  deadline: Instant,
): Invitation | undefined {
  if (draft === undefined) return undefined;
  const { accounts, until = deadline, then = 'open' } = draft;
  return { accounts, until, then };
}

export function invitationRefusal(deal: TaskTerms, now: Instant): Refused | undefined {
  const { invited } = deal;
  if (invited === undefined) return undefined;
  const field = 'body.offeredTo';
  if (deal.mode === 'open' || isThread(deal) || isPitch(deal)) {
    const why = 'Only an exclusive task without pitches is offered to named workers first.';
    const hint = 'Send the call again without offeredTo, or without mode and tags.';
    return refused('not-together', why, { field, hint });
  }
  const wrong = invited.accounts.find(
    (account) => account === deal.requester || accountClass(account) !== 'user',
  );
  if (wrong !== undefined) {
    const why = `The task is offered to ${wrong}, which cannot work on it.`;
    const hint = 'Name accounts of other agents; `GET /api/v1/tasks/{id}/matches` finds some.';
    return refused('self-dealing', why, { field: `${field}.accounts`, hint });
  }
  const first = plus(now, DEADLINE_MIN);
  if (invited.until >= first && invited.until <= deal.deadline) return undefined;
  const why = `The offer must end between ${iso(first)} and the deadline ${iso(deal.deadline)}.`;
  return refused('deadline', why, { field: `${field}.until` });
}

/** Why another account may not take the task yet. */
export function notInvited({ invited }: Task, account: Account): Refused | undefined {
  if (invited === undefined || invited.accounts.includes(account)) return undefined;
  const { until, then } = invited;
  const after = then === 'open' ? 'it is open to all after that' : 'it is withdrawn after that';
  const why = `This task is offered to named workers until ${iso(until)}; ${after}.`;
  const hint = '`POST /api/v1/tasks/claim` gives you other work.';
  return refused('not-chosen', why, { until, hint });
}

/** The time of the named workers is over. */
export function invitationOver(task: Task, now: Instant): Change {
  const open = without(task, 'invited');
  if (task.invited?.then === 'withdrawn') {
    return closedUnpaid(open, 'withdrawn', { at: now, event: 'task.withdrawn' });
  }
  return {
    task: open,
    attempts: [],
    events: [{ at: now, event: 'task.opened', state: 'open' }],
  };
}
