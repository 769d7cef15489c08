import type { Account } from '../account.ts';
import { defined } from '../defined.ts';
import { earliest, iso, wholeSecond } from '../instant.ts';
import type { Instant } from '../instant.ts';
import type { Amendment, TermChange } from './agreement.ts';
import type { Change } from './change.ts';
import { leaseOf, leaseTerms } from './lease.ts';
import { acceptedAttempt, claimed, undecided } from './model.ts';
import type { Attempt, Task, TaskAggregate } from './model.ts';
import type { LegalAction } from './next.ts';
import { digestOf } from './publish.ts';

export interface Amended extends Change {
  readonly amendment: Amendment;
}

/** The account beside the requester whose consent a change needs. */
export interface Holder {
  readonly account: Account;
  readonly attempt?: Attempt;
}

/** The holder of a task; undefined while it is free or several may work on it. */
export function holderOf(aggregate: TaskAggregate): Holder | undefined {
  const { task } = aggregate;
  switch (task.state) {
    case 'held':
      return holderBy(claimed(aggregate));
    case 'delivered':
      return holderBy(undecided(aggregate)[0]);
    case 'accepted':
    case 'disputed':
      return holderBy(acceptedAttempt(aggregate));
    case 'open':
      return task.reserved === undefined ? undefined : { account: task.reserved.for };
    case 'paid':
    case 'refunded':
    case 'withdrawn':
    case 'expired':
      return undefined;
  }
}

function holderBy(attempt: Attempt | undefined): Holder | undefined {
  return attempt && { account: attempt.worker, attempt };
}

/** A proposal is of the very terms, state and claim that its author read. */
export function isStale(amendment: Amendment, aggregate: TaskAggregate): boolean {
  const { task } = aggregate;
  return (
    amendment.revision !== task.terms.revision ||
    amendment.taskState !== task.state ||
    amendment.attemptId !== holderOf(aggregate)?.attempt?.id
  );
}

/** Derives the state of an amendment from its task, so that no notice is needed when it lapses. */
export function amendmentState(
  amendment: Amendment,
  aggregate: TaskAggregate,
): Amendment['state'] | 'lapsed' {
  const isOpen = amendment.state === 'proposed';
  return isOpen && isStale(amendment, aggregate) ? 'lapsed' : amendment.state;
}

/** Whether the worker can only gain: more money, more time, and no word that was not there. */
export function helpsOnly(task: Task, change: TermChange): boolean {
  const now = leaseOf(task);
  return (
    change.clarification === undefined &&
    (change.rewardAmount ?? rewardOf(task)) >= rewardOf(task) &&
    (change.deadline ?? task.deadline) >= task.deadline &&
    (change.leaseSeconds ?? now.leaseSeconds) >= now.leaseSeconds &&
    (change.renewForSeconds ?? now.renewForSeconds) >= now.renewForSeconds
  );
}

export function raises(task: Task, { rewardAmount }: TermChange): boolean {
  return rewardAmount !== undefined && rewardAmount > rewardOf(task);
}

function rewardOf({ reward }: Task): bigint {
  return reward?.amount ?? 0n;
}

/** The terms as they become, under the next revision and its digest. */
export function changedTerms(task: Task, change: TermChange, now: Instant): Task {
  const { rewardAmount, clarification, leaseSeconds, renewForSeconds } = change;
  const deadline = change.deadline === undefined ? task.deadline : wholeSecond(change.deadline);
  const lease = leaseTerms({ ...task.lease, ...defined({ leaseSeconds, renewForSeconds }) });
  const clarifications = [
    ...(task.clarifications ?? []),
    ...(clarification === undefined ? [] : [{ at: now, text: clarification }]),
  ];
  const { reward, reserved, invited } = task;
  const agreed: Task = {
    ...task,
    deadline,
    ...defined({ lease }),
    ...(clarifications.length > 0 && { clarifications }),
    ...(reward && rewardAmount !== undefined && { reward: { ...reward, amount: rewardAmount } }),
    ...(invited && { invited: { ...invited, until: earliest(invited.until, deadline) } }),
    ...(reserved && { reserved: { ...reserved, until: earliest(reserved.until, deadline) } }),
  };
  const revision = task.terms.revision + 1;
  return { ...agreed, terms: { digest: digestOf(task.id, agreed, revision), revision } };
}

/** The history names the figures; the text of a clarification is in the terms. */
export function inWords({ change, split }: Pick<Amendment, 'change' | 'split'>): string {
  if (split !== undefined) {
    return `${split.workerAmount} to the worker, ${split.refundAmount} back`;
  }
  const { rewardAmount, deadline, leaseSeconds, renewForSeconds, clarification } = change ?? {};
  return [
    ...(rewardAmount === undefined ? [] : [`reward ${rewardAmount}`]),
    ...(deadline === undefined ? [] : [`deadline ${iso(deadline)}`]),
    ...(leaseSeconds === undefined ? [] : [`lease ${leaseSeconds} seconds`]),
    ...(renewForSeconds === undefined ? [] : [`renewals for ${renewForSeconds} seconds`]),
    ...(clarification === undefined ? [] : ['a clarification']),
  ].join(', ');
}

/** The calls that end an open proposal: a word of the other party, or its author's own. */
export function answers(amendment: Amendment, aggregate: TaskAggregate): readonly LegalAction[] {
  if (amendmentState(amendment, aggregate) !== 'proposed') return [];
  const { requester } = aggregate.task;
  const holder = holderOf(aggregate)?.account;
  const other = amendment.by === requester ? holder : requester;
  const call = (who: Account, word: string, note?: string): LegalAction => ({
    action: 'tasks.amend',
    who,
    verb: 'amendments',
    body: { by: who, [word]: amendment.id },
    ...defined({ note }),
  });
  return [
    ...(other === undefined
      ? []
      : [call(other, 'accept', `Agrees: ${inWords(amendment)}.`), call(other, 'refuse')]),
    call(amendment.by, 'withdraw'),
  ];
}
