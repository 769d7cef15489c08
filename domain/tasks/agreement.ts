import type { Account } from '../account.ts';
import type { Instant } from '../instant.ts';
import type { Atomic } from '../money.ts';
import type { TaskState } from './model.ts';

/** Changes of the terms of a task after its publication (choices tasks.amendments). */
export interface TermChange {
  readonly rewardAmount?: Atomic;
  readonly deadline?: Instant;
  /** Added to the terms; what was agreed before stays as it is. */
  readonly clarification?: string;
  readonly leaseSeconds?: number;
  readonly renewForSeconds?: number;
}

/** How the parties divide the reward to end the work, before fees. */
export interface AgreedSplit {
  readonly workerAmount: Atomic;
  readonly refundAmount: Atomic;
}

export interface Amendment {
  readonly id: string;
  readonly taskId: string;
  readonly by: Account;
  /** The terms, the state and the claim that it was made on; on others it has lapsed. */
  readonly revision: number;
  readonly taskState: TaskState;
  readonly attemptId?: string;
  readonly change?: TermChange;
  readonly split?: AgreedSplit;
  readonly state: 'proposed' | 'applied' | 'refused' | 'withdrawn';
  readonly createdAt: Instant;
  readonly endedAt?: Instant;
  readonly endedBy?: Account;
  /** The terms that it led to; absent while it changed none. */
  readonly digest?: string;
}
