import type { Account } from '../account.ts';
import type { Instant } from '../instant.ts';
import type { AgreedSplit, Amendment, TermChange } from './agreement.ts';
import { changedTerms, holderOf, inWords, isStale } from './amendment.ts';
import { refused } from './change.ts';
import type { Refused } from './change.ts';
import { leaseOf, leaseRefusal, renewalRefusal } from './lease.ts';
import { AMENDMENTS_MAX, CLARIFICATIONS_MAX, REWARD_MIN } from './limits.ts';
import { undecided } from './model.ts';
import type { Task, TaskAggregate } from './model.ts';
import { divisibleOf } from './plan.ts';
import { deadlineRefusal, rewardRefusal } from './publish.ts';
import { sharesRefusal } from './shares.ts';

/** Why a change of the terms is refused, in order of precedence (choices tasks.amendments). */
export function notParty(aggregate: TaskAggregate, by: Account): Refused | undefined {
  const holder = holderOf(aggregate);
  if (by === aggregate.task.requester || by === holder?.account) return undefined;
  const why = 'Only the requester and the worker who holds the task change its terms.';
  return refused('not-a-party', why);
}

export function otherRevision(task: Task, revision: number | undefined): Refused | undefined {
  if (revision === undefined || revision === task.terms.revision) return undefined;
  const why = `You read revision ${revision} of the terms; they are at revision ${task.terms.revision} now.`;
  return refused('wrong-state', why, { field: 'body.revision', hint: readAgain(task) });
}

function readAgain({ id }: Task): string {
  return `\`GET /api/v1/tasks/${id}\` shows the terms, their \`terms.revision\` and the \`amendments\`; read them and decide again.`;
}

export function tooMany(task: Task): Refused | undefined {
  if (task.amendments < AMENDMENTS_MAX) return undefined;
  const why = `A task takes ${AMENDMENTS_MAX} changes and proposals, and this one had them.`;
  const hint = 'Finish this task under its terms, or publish another with `POST /api/v1/tasks`.';
  return refused('wrong-state', why, { hint });
}

export function requestRefusal(
  aggregate: TaskAggregate,
  { change, split }: { readonly change?: TermChange; readonly split?: AgreedSplit },
  now: Instant,
): Refused | undefined {
  if ((change === undefined) === (split === undefined)) {
    const why = 'A proposal has either `change` or `split`, and exactly one of them.';
    return refused('not-together', why, { field: 'body' });
  }
  return split === undefined
    ? changeRefusal(aggregate, change ?? {}, now)
    : splitRefusal(aggregate, split);
}

function changeRefusal(
  aggregate: TaskAggregate,
  change: TermChange,
  now: Instant,
): Refused | undefined {
  const { task } = aggregate;
  return (
    notChanging(aggregate) ??
    noChange(task, change, now) ??
    rewardChange(task, change) ??
    clarificationChange(task, change) ??
    timeChange(task, change, now)
  );
}

/** Results that wait were made under the terms as they are, by more workers than one. */
function notChanging(aggregate: TaskAggregate): Refused | undefined {
  const { task } = aggregate;
  if (task.chain !== undefined) {
    const why = 'The terms of a step are those of its chain, which holds the money of all steps.';
    const hint = `\`GET /api/v1/chains/${task.chain.id}\` shows the chain.`;
    return refused('wrong-state', why, { hint });
  }
  if (undecided(aggregate).length > 0) {
    const why = 'A result waits under these terms: decide about it before you change them.';
    return refused('solutions-pending', why);
  }
  if (task.state === 'open' || task.state === 'held') return undefined;
  return refused('wrong-state', `This task is ${task.state}; its terms do not change any more.`);
}

/** A change to the same terms would be their next revision, on which every proposal lapses. */
function noChange(task: Task, change: TermChange, now: Instant): Refused | undefined {
  const { clarification, rewardAmount } = change;
  const after = changedTerms(task, change, now);
  const [lease, before] = [leaseOf(after), leaseOf(task)];
  const isSame =
    clarification === undefined &&
    (rewardAmount ?? task.reward?.amount) === task.reward?.amount &&
    after.deadline === task.deadline &&
    lease.leaseSeconds === before.leaseSeconds &&
    lease.renewForSeconds === before.renewForSeconds;
  if (!isSame) return undefined;
  const why = 'The task has these terms already, so nothing would change.';
  return refused('wrong-state', why, { field: 'body.change', hint: readAgain(task) });
}

function rewardChange(task: Task, { rewardAmount: amount }: TermChange): Refused | undefined {
  if (amount === undefined) return undefined;
  const field = 'body.change.rewardAmount';
  if (task.reward === undefined) {
    const hint = 'Publish a paid task with `POST /api/v1/tasks`, and withdraw this one.';
    return refused('wrong-state', 'This task is unpaid, so no reward can change.', { field, hint });
  }
  const reward = { ...task.reward, amount };
  const { places, undecided: silence } = task.shares ?? {};
  const shares = task.shares && {
    ...(places === undefined ? { split: true } : { places }),
    ...(silence !== undefined && { undecided: silence }),
  };
  return rewardRefusal({ reward }, field) ?? sharesRefusal(shares, { ...task, reward });
}

function clarificationChange(task: Task, { clarification }: TermChange): Refused | undefined {
  if (clarification === undefined) return undefined;
  if ((task.clarifications ?? []).length < CLARIFICATIONS_MAX) return undefined;
  const why = `A task takes ${CLARIFICATIONS_MAX} clarifications, and this one has them.`;
  const hint = `Say it in the thread: \`POST /api/v1/tasks/${task.id}/comments\`.`;
  return refused('wrong-state', why, { field: 'body.change.clarification', hint });
}

function timeChange(task: Task, change: TermChange, now: Instant): Refused | undefined {
  const { deadline, leaseSeconds, renewForSeconds } = change;
  const isTimed = [deadline, leaseSeconds, renewForSeconds].some((part) => part !== undefined);
  if (!isTimed) return undefined;
  const after = changedTerms(task, change, now);
  const late =
    deadline === undefined
      ? undefined
      : deadlineRefusal(after.deadline, now, 'body.change.deadline');
  if (late !== undefined) return late;
  const isNew =
    leaseSeconds !== undefined || (renewForSeconds !== undefined && task.lease === undefined);
  return isNew ? leaseRefusal(after, now, 'body.change') : renewalRefusal(after, 'body.change');
}

function splitRefusal(
  aggregate: TaskAggregate,
  { workerAmount, refundAmount }: AgreedSplit,
): Refused | undefined {
  const { task } = aggregate;
  const whole = divisibleOf(task);
  const field = 'body.split';
  if (whole === undefined) {
    return refused('wrong-state', 'This task is unpaid, so there is nothing to divide.', { field });
  }
  const isHeld = task.state === 'held' || task.state === 'delivered';
  if (task.state !== 'disputed' && !(isHeld && task.chain === undefined)) {
    const why = `This task is ${task.state}; the parties divide the reward of held, delivered or disputed work.`;
    const hint = `\`GET /api/v1/tasks/${task.id}\` has in \`next\` what may be done now.`;
    return refused('wrong-state', why, { field, hint });
  }
  if (workerAmount + refundAmount !== whole) {
    const sum = workerAmount + refundAmount;
    const why = `The two amounts add up to ${sum}; they must add up to ${whole}, the reward without what judges have earned.`;
    const hint = `Send workerAmount and refundAmount that add up to exactly ${whole}.`;
    return refused('bad-shares', why, { field, hint });
  }
  if (workerAmount === 0n || workerAmount >= REWARD_MIN) return undefined;
  const why = `The least part of a worker is ${REWARD_MIN} atomic units, or 0.`;
  return refused('reward-too-small', why, { field: 'body.split.workerAmount' });
}

/** Work on an open task goes on unseen, so no worker could be asked (choices tasks.amendments). */
export function onlyBetter(): Refused {
  const why = 'Any worker may be at an open task now, so its terms change for the better alone.';
  const hint = 'Raise the reward or extend the deadline, or withdraw the task and publish another.';
  return refused('wrong-mode', why, { field: 'body.change', hint });
}

/** Money that was not held before leaves by a call that its owner signs, and by no other. */
export function raiseAlone(): Refused {
  const why =
    'A raise happens at once, without the consent of the worker; the rest of this change needs it.';
  const hint = 'Send the raise as a change of its own, and the rest as another.';
  return refused('not-together', why, { field: 'body.change.rewardAmount', hint });
}

export function notOpen(amendment: Amendment, aggregate: TaskAggregate): Refused | undefined {
  const { task } = aggregate;
  if (amendment.state !== 'proposed') {
    return refused('decided', `This proposal was ${amendment.state} already.`);
  }
  if (!isStale(amendment, aggregate)) return undefined;
  const then = `revision ${amendment.revision} of the ${amendment.taskState} task`;
  const why = `This proposal (${inWords(amendment)}) was made on ${then}; now it is ${task.state} at revision ${task.terms.revision}, so the proposal has lapsed.`;
  return refused('wrong-state', why, { hint: readAgain(task) });
}

/** An author takes a proposal back, and the other party accepts or refuses it. */
export function notTheirs(
  amendment: Amendment,
  by: Account,
  word: 'accept' | 'refuse' | 'withdraw',
): Refused | undefined {
  const isAuthor = amendment.by === by;
  if (isAuthor === (word === 'withdraw')) return undefined;
  const why = isAuthor
    ? 'You made this proposal, so the other party accepts or refuses it.'
    : `Only ${amendment.by}, who made this proposal, withdraws it.`;
  const other = isAuthor ? 'withdraw' : 'refuse';
  return refused('not-a-party', why, {
    field: `body.${word}`,
    hint: `Send its id as \`${other}\` instead.`,
  });
}
