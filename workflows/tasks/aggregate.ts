import type { KnownTask } from '../../db/tasks/taskRow.ts';
import type { Account } from '../../domain/account.ts';
import type { Instant } from '../../domain/instant.ts';
import type { CommitmentId } from '../../domain/ledger/transfer.ts';
import type { Change } from '../../domain/tasks/change.ts';
import type { TaskAggregate } from '../../domain/tasks/model.ts';
import type { SettlementResult } from './settle.ts';

export interface Committed extends KnownTask {
  readonly settlement: SettlementResult;
}

/** Who caused a change, and when. */
export interface CommitCause {
  readonly actor: Account | 'hub';
  readonly at: Instant;
  /** The commitment that holds the reward of a task that opens as a step of a chain. */
  readonly holdId?: CommitmentId;
  /** How many tasks the worker may hold, of a claim. */
  readonly claimsMax?: number;
}

/** A decision about a task on its way into the database. */
export interface TaskCommit extends CommitCause {
  /** The task before the decision; absent when it is published. */
  readonly before: KnownTask | undefined;
  readonly change: Change;
  readonly aggregate: TaskAggregate;
}
