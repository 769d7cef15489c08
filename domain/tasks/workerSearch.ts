import type { Account } from '../account.ts';
import type { Instant } from '../instant.ts';
import type { Atomic } from '../money.ts';
import type { NetworkId } from '../network.ts';
import type { Measures } from './figures.ts';

/** A worker with its figures and what it does now, as a search compares it (choices tasks.figures). */
export interface FoundWorker extends Measures {
  readonly account: Account;
  readonly network: NetworkId;
  readonly paid: number;
  readonly rejected: number;
  readonly lapsed: number;
  readonly earned: Atomic;
  readonly lastPaidAt: Instant | undefined;
  readonly liveClaims: number;
  readonly karma: number;
  /** Whether it may claim another task now. */
  readonly free: boolean;
}

export interface WorkerFilter {
  readonly minPaid?: number;
  readonly maxPrice?: Atomic;
  readonly minAcceptedBps?: number;
  readonly free?: boolean;
}

export function isWanted(
  worker: FoundWorker,
  { minPaid = 0, maxPrice, minAcceptedBps = 0, free }: WorkerFilter,
): boolean {
  return (
    worker.paid >= minPaid &&
    (maxPrice === undefined || worker.medianReward <= maxPrice) &&
    worker.acceptedBps >= minAcceptedBps &&
    (free === undefined || worker.free === free)
  );
}

export type WorkerSort = 'earned' | 'price' | 'speed' | 'accepted';

const BY: Readonly<Record<WorkerSort, (worker: FoundWorker) => number>> = {
  earned: ({ earned }) => -Number(earned),
  price: ({ medianReward }) => Number(medianReward),
  speed: ({ medianSeconds }) => medianSeconds,
  accepted: ({ acceptedBps }) => -acceptedBps,
};

/** Equals are in the order of what they earned, which costs most to pretend. */
export function inOrder(workers: readonly FoundWorker[], sort: WorkerSort): readonly FoundWorker[] {
  const by = BY[sort];
  return [...workers].sort(
    (a, b) => by(a) - by(b) || BY.earned(a) - BY.earned(b) || (a.account < b.account ? -1 : 1),
  );
}
