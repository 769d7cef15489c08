import type { components } from '../../../generated/types.ts';
import { unitsOf } from '../format.ts';
import type { Economics, Task } from '../types.ts';

type Amend = components['schemas']['TasksAmendRequest'];

const KINDS = ['reward', 'deadline', 'lease', 'clarification', 'split'] as const;
export type Kind = (typeof KINDS)[number];

/** A change of the terms as a person types it. */
export interface AmendDraft {
  readonly kind: string;
  /** A reward, and the part of the worker, in USDC. */
  readonly amount: string;
  /** Seconds by which the deadline is later. */
  readonly later: string;
  readonly lease: string;
  readonly renew: string;
  readonly text: string;
}

export const EMPTY_AMEND: AmendDraft = {
  kind: '',
  amount: '',
  later: '86400',
  lease: '86400',
  renew: '',
  text: '',
};

const HOLDING = ['claimed', 'waiting', 'accepted'];

/** Lists what this account may change or propose now, by the state of the task; nothing to outsiders. */
export function changesOf(task: Task, own: string | undefined): readonly Kind[] {
  const isRequester = own !== undefined && task.requester === own;
  const holds = task.workers.some(({ worker, state }) => worker === own && HOLDING.includes(state));
  if ((!isRequester && !holds) || task.chain !== undefined) return [];
  const isPaid = task.reward !== undefined;
  const waits = task.workers.some(({ state }) => state === 'waiting');
  switch (task.state) {
    case 'open':
      return isRequester && !waits
        ? KINDS.filter((kind) => isPossible(kind, task) && kind !== 'split')
        : [];
    case 'held':
      return KINDS.filter((kind) => isPossible(kind, task));
    case 'delivered':
    case 'disputed':
      return isPaid ? ['split'] : [];
    case 'accepted':
    case 'paid':
    case 'refunded':
    case 'withdrawn':
    case 'expired':
      return [];
  }
}

function isPossible(kind: Kind, { reward, mode }: Task): boolean {
  if (kind === 'lease') return mode === 'exclusive';
  return (kind !== 'reward' && kind !== 'split') || reward !== undefined;
}

/** The money that the parties can divide: the judges keep what they have earned. */
export function divisibleOf({ posted, held, earmarked }: Economics): bigint {
  const whole = held === undefined ? BigInt(posted) : BigInt(held.amount);
  return whole - BigInt(earmarked?.judges ?? '0');
}

/** The body of the call without its author; undefined while a value is missing. */
export function amendOf(
  draft: AmendDraft,
  { deadline }: Pick<Task, 'deadline'>,
  divisible: bigint,
): Pick<Amend, 'change' | 'split'> | undefined {
  const { kind, amount, later, lease, renew, text } = draft;
  const units = unitsOf(amount);
  switch (kind) {
    case 'reward':
      return units === undefined ? undefined : { change: { rewardAmount: units } };
    case 'deadline': {
      const at = new Date(Date.parse(deadline) + Number(later) * 1000);
      return { change: { deadline: at.toISOString() } };
    }
    case 'lease':
      return {
        change: {
          leaseSeconds: Number(lease),
          ...(renew !== '' && { renewForSeconds: Number(renew) }),
        },
      };
    case 'clarification':
      return text.trim() === '' ? undefined : { change: { clarification: text.trim() } };
    case 'split':
      if (units === undefined || BigInt(units) > divisible) return undefined;
      return { split: { workerAmount: units, refundAmount: `${divisible - BigInt(units)}` } };
    default:
      return undefined;
  }
}
