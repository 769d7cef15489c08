import type { StoredChain } from '../../db/chains/chains.ts';
import type { CommitmentId } from '../../domain/ledger/transfer.ts';
import type { TaskAggregate } from '../../domain/task/model.ts';
import type { SettlementResult } from './settle.ts';
import type { Account } from '../../domain/account.ts';
import type { Instant } from '../../domain/instant.ts';
import type { Change } from '../../domain/task/change.ts';

/** A task with what the database keeps beside it. */
export interface Loaded {
  readonly aggregate: TaskAggregate;
  readonly holdId?: CommitmentId;
  readonly events: number;
  /** The chain that it is a step of, locked. */
  readonly chain?: StoredChain;
}

export interface Committed extends Loaded {
  readonly settlement: SettlementResult;
}

/** Who caused a change, and when. */
export interface CommitCause {
  readonly actor: Account | 'hub';
  readonly at: Instant;
  /** What holds the reward of a task that opens as a step of a chain. */
  readonly holdId?: CommitmentId;
}

/** A decision about a task on its way into the database. */
export interface TaskCommit extends CommitCause {
  /** The task before the decision; absent when it is published. */
  readonly before: Loaded | undefined;
  readonly change: Change;
  /** The task after the decision. */
  readonly aggregate: TaskAggregate;
}
