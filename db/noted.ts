import type { Account } from '../domain/account.ts';
import type { Instant } from '../domain/instant.ts';

/** Something that an account is told of, in the transaction that makes it so. */
export interface NotedEvent {
  readonly account: Account;
  readonly at: Instant;
  /** Such as `task.claimed`. */
  readonly kind: string;
  readonly taskId: string;
  readonly attemptId?: string;
  /** The comment or panel round that it is about. */
  readonly ref?: string;
  /** State of the task. */
  readonly state?: string;
  readonly actor?: Account;
}
