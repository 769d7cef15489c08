import type { Account } from '../account.ts';
import { defined } from '../defined.ts';
import { earliest } from '../instant.ts';
import type { Instant } from '../instant.ts';
import { atomic } from '../money.ts';
import { changedTerms, helpsOnly, holderOf, inWords, raises } from './amendment.ts';
import type { AgreedSplit, Amendment, TermChange } from './agreement.ts';
import type { Amended } from './amendment.ts';
import {
  notOpen,
  notParty,
  notTheirs,
  onlyBetter,
  otherRevision,
  raiseAlone,
  requestRefusal,
  tooMany,
} from './amendRefusals.ts';
import { closed, refused } from './change.ts';
import type { EventName, MoneyStep, Refused } from './change.ts';
import { renewedLeaseEnd } from './lease.ts';
import { isThread } from './model.ts';
import type { Attempt, Task, TaskAggregate } from './model.ts';

/**
 * Changes by consent (T29, T30, choices tasks.amendments). Invariant: nothing that a holder could
 * lose by happens without its word, each word is of one revision of the terms, and an account that
 * pays more than was held has signed that very call.
 */
export interface Proposal {
  readonly id: string;
  readonly change?: TermChange;
  readonly split?: AgreedSplit;
  /** The revision that the caller read, if it says so. */
  readonly revision?: number;
}

export function propose(
  aggregate: TaskAggregate,
  by: Account,
  request: Proposal,
  now: Instant,
): Amended | Refused {
  const { task } = aggregate;
  const refusal =
    notParty(aggregate, by) ??
    otherRevision(task, request.revision) ??
    tooMany(task) ??
    requestRefusal(aggregate, request, now);
  if (refusal !== undefined) return refusal;
  const { id, change, split } = request;
  const holder = holderOf(aggregate);
  const amendment: Amendment = {
    id,
    taskId: task.id,
    by,
    revision: task.terms.revision,
    taskState: task.state,
    ...defined({ attemptId: holder?.attempt?.id, change, split }),
    state: 'proposed',
    createdAt: now,
  };
  const isOwn = by === task.requester && change !== undefined;
  const worse = change !== undefined && !helpsOnly(task, change);
  if (worse && task.mode === 'open' && !isThread(task)) return onlyBetter();
  const counted = { ...aggregate, task: { ...task, amendments: task.amendments + 1 } };
  if (isOwn && (holder === undefined || !worse)) {
    return apply(counted, amendment, by, now);
  }
  if (isOwn && raises(task, change)) return raiseAlone();
  return amended(counted.task, amendment, { event: 'task.change-proposed', by, now });
}

/** The word of the other party: the change happens, or it is over. */
export function answer(
  aggregate: TaskAggregate,
  by: Account,
  request: {
    readonly amendment: Amendment | undefined;
    readonly word: 'accept' | 'refuse' | 'withdraw';
    readonly revision?: number;
  },
  now: Instant,
): Amended | Refused {
  const { amendment, word, revision } = request;
  const { task } = aggregate;
  const field = `body.${word}`;
  const stranger = notParty(aggregate, by);
  if (stranger !== undefined) return stranger;
  if (amendment === undefined) {
    return refused('not-found', 'This task has no such proposal.', { field });
  }
  const refusal = notOpen(amendment, aggregate) ?? notTheirs(amendment, by, word);
  if (refusal !== undefined) return refusal;
  if (word !== 'accept') {
    const ended = { ...amendment, endedAt: now, endedBy: by };
    return word === 'refuse'
      ? amended(task, { ...ended, state: 'refused' }, { event: 'task.change-refused', by, now })
      : amended(
          task,
          { ...ended, state: 'withdrawn' },
          { event: 'task.change-withdrawn', by, now },
        );
  }
  return (
    otherRevision(task, revision) ??
    requestRefusal(aggregate, amendment, now) ??
    apply(aggregate, amendment, by, now)
  );
}

function apply(
  aggregate: TaskAggregate,
  amendment: Amendment,
  by: Account,
  now: Instant,
): Amended | Refused {
  const ended: Amendment = { ...amendment, state: 'applied', endedAt: now, endedBy: by };
  if (amendment.split !== undefined) return parted(aggregate, ended, amendment.split, now);
  const changed = changedTerms(aggregate.task, amendment.change ?? {}, now);
  const attempt = holderOf(aggregate)?.attempt;
  const grown = (changed.reward?.amount ?? 0n) - (aggregate.task.reward?.amount ?? 0n);
  const money = grown === 0n ? undefined : moneyOf(grown);
  return {
    ...amended(
      changed,
      { ...ended, digest: changed.terms.digest },
      { event: 'task.amended', by, now },
    ),
    attempts: attempt === undefined ? [] : [underTerms(changed, attempt, amendment, now)],
    ...defined({ money }),
  };
}

function moneyOf(grown: bigint): MoneyStep {
  return grown > 0n ? { step: 'raise', by: atomic(grown) } : { step: 'lower', by: atomic(-grown) };
}

/** The claim is of the new terms from now on; its lease follows them and never the other way. */
function underTerms(task: Task, held: Attempt, { change }: Amendment, now: Instant): Attempt {
  const attempt: Attempt = { ...held, termsDigest: task.terms.digest };
  if (held.state !== 'claimed' || held.leaseEndsAt === undefined) return attempt;
  const isLonger = change?.leaseSeconds !== undefined || change?.renewForSeconds !== undefined;
  const until = isLonger ? renewedLeaseEnd(task, held, now) : held.leaseEndsAt;
  return { ...attempt, leaseEndsAt: earliest(until, task.deadline) };
}

/** The parties end the work, or their dispute, and divide what is held (T30). */
function parted(
  aggregate: TaskAggregate,
  amendment: Amendment,
  { workerAmount: amount }: AgreedSplit,
  now: Instant,
): Amended | Refused {
  const { task, dispute } = aggregate;
  const attempt = holderOf(aggregate)?.attempt;
  if (attempt === undefined) return refused('wrong-state', 'No worker holds this task.');
  const by = amendment.endedBy ?? amendment.by;
  const reason = `ended by agreement: ${inWords(amendment)}`;
  if (task.state === 'disputed' && dispute !== undefined) {
    const state = amount > 0n ? 'paid' : 'refunded';
    return {
      ...amended({ ...task, state }, amendment, { event: 'dispute.settled', by, now }),
      money: { step: 'part', from: 'payout', attempt, amount },
      dispute: { ...dispute, state: 'void', settledBy: amendment.id, endedAt: now },
    };
  }
  return {
    ...amended({ ...task, state: 'withdrawn' }, amendment, { event: 'task.settled', by, now }),
    attempts: [closed(attempt, 'superseded', now, reason)],
    money: { step: 'part', from: 'task', attempt, amount },
  };
}

/** The change of a task that an amendment makes or ends, with its line in the history. */
function amended(
  task: Task,
  amendment: Amendment,
  { event, by, now }: { readonly event: EventName; readonly by: Account; readonly now: Instant },
): Amended {
  const { attemptId } = amendment;
  const about = { actor: by, ...defined({ attemptId }), note: inWords(amendment) };
  return {
    task,
    attempts: [],
    events: [{ at: now, event, state: task.state, ...about }],
    amendment,
  };
}
