import type { taskTexts } from '../texts/task.ts';
import type { Task } from '../types.ts';

/** The one thing that an account can do with a task now, or what it waits for. */
type NowName = Exclude<keyof typeof taskTexts.now, 'label' | 'until'>;

export interface Now {
  readonly name: NowName;
  /** When this changes by itself. */
  readonly until?: string | undefined;
}

type Seen = Pick<
  Task,
  | 'state'
  | 'mode'
  | 'tags'
  | 'next'
  | 'workers'
  | 'requester'
  | 'verification'
  | 'deadline'
  | 'history'
  | 'offeredTo'
  | 'amendments'
>;

const OVER: readonly Task['state'][] = ['paid', 'refunded', 'withdrawn', 'expired'];

/** `payoutAt` is when a frozen window ends; an absent account is a reader without a key. */
export function nowOf(task: Seen, own: string | undefined, payoutAt?: string): Now {
  if (task.tags.includes('thread') && task.state === 'open') return { name: 'thread' };
  const mine = task.workers.filter(({ worker }) => worker === own);
  if (own === undefined) return task.state === 'open' ? { name: 'makeKey' } : onlooker(task);
  if (task.next.some(({ action, who }) => action === 'tasks.arbitrate' && who === own)) {
    return { name: 'arbiter' };
  }
  if (hasProposal(task, own)) return { name: 'answer' };
  if (OVER.includes(task.state) && task.history.some(({ event }) => event === 'dispute.ruled')) {
    return { name: 'ruled' };
  }
  if (task.requester === own) return requesterNow(task, payoutAt);
  return mine.length > 0 ? workerNow(task, mine, own, payoutAt) : onlooker(task, own);
}

/** The other side waits for a word of this account. */
function hasProposal({ amendments = [] }: Seen, own: string): boolean {
  return amendments.some(({ next }) =>
    next.some(({ who, call }) => who === own && call.body?.['accept'] !== undefined),
  );
}

const untilOf = ({ next }: Seen, action: string): string | undefined =>
  next.find((step) => step.action === action)?.until;
const may = ({ next }: Seen, action: string): boolean =>
  next.some((step) => step.action === action);

function requesterNow(task: Seen, payoutAt: string | undefined): Now {
  switch (task.state) {
    case 'open':
      if (may(task, 'tasks.choose')) return { name: 'choose' };
      if (may(task, 'tasks.accept'))
        return { name: 'decide', until: untilOf(task, 'tasks.accept') };
      return {
        name: may(task, 'tasks.pitch') ? 'waitPlans' : 'waitWorker',
        until: task.deadline,
      };
    case 'held':
      return { name: 'waitResult', until: untilOf(task, 'tasks.submit') };
    case 'delivered':
      if (task.verification === 'validator') return { name: 'panelDecides' };
      return { name: 'decide', until: untilOf(task, 'tasks.accept') };
    case 'accepted':
      return { name: 'window', until: payoutAt };
    case 'disputed':
      return { name: 'disputed' };
    case 'paid':
      return { name: 'paidOut' };
    case 'refunded':
    case 'withdrawn':
    case 'expired':
      return { name: 'returned' };
  }
}

function workerNow(
  task: Seen,
  mine: Task['workers'],
  own: string,
  payoutAt: string | undefined,
): Now {
  const has = (state: Task['workers'][number]['state']) =>
    mine.find((attempt) => attempt.state === state);
  const claimed = has('claimed');
  if (claimed !== undefined) return { name: 'deliver', until: claimed.leaseEndsAt };
  if (has('accepted') !== undefined) {
    if (task.state === 'disputed') return { name: 'disputed' };
    return task.state === 'accepted'
      ? { name: 'waitWindow', until: payoutAt }
      : { name: 'gotPaid' };
  }
  if (has('waiting') !== undefined && !OVER.includes(task.state)) {
    if (task.verification === 'validator') return { name: 'waitPanel' };
    return { name: 'waitRequester', until: untilOf(task, 'tasks.accept') };
  }
  const wasRefused = has('refused') !== undefined || has('rejected') !== undefined;
  return wasRefused && may(task, 'tasks.claim') ? { name: 'again' } : onlooker(task, own);
}

function onlooker(task: Seen, own?: string): Now {
  const reserved = task.next.find(
    ({ action, who }) => action === 'tasks.claim' && own !== undefined && who === own,
  );
  if (reserved !== undefined) {
    const name = task.offeredTo === undefined ? 'claimChosen' : 'claimOffered';
    return { name, until: reserved.until };
  }
  if (may(task, 'tasks.pitch')) return { name: 'plan' };
  if (task.state === 'open' && task.offeredTo !== undefined) {
    return { name: 'keptForOthers', until: task.offeredTo.until };
  }
  if (task.state === 'open') {
    if (may(task, 'tasks.solution')) return { name: 'offer' };
    return { name: may(task, 'tasks.claim') ? 'claim' : 'taken' };
  }
  if (task.state === 'disputed') return { name: 'disputed' };
  return { name: OVER.includes(task.state) ? 'done' : 'taken' };
}
