import type { Account } from '../../domain/account.ts';
import type { Instant } from '../../domain/instant.ts';
import type { TransferId } from '../../domain/ledger/transfer.ts';
import type { TaskState } from '../../domain/tasks/model.ts';

/** A row of the history of a task, which is only ever added to, gapless per task. */
export interface RecordedEvent {
  readonly seq: number;
  readonly at: Instant;
  readonly event: string;
  readonly state: TaskState;
  readonly actor?: Account;
  readonly attemptId?: string;
  readonly transferId?: TransferId;
  readonly note?: string;
}
