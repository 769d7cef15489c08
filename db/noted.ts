import type { Account } from '../domain/account.ts';
import type { Instant } from '../domain/instant.ts';

/** An event that an account is notified of, in the transaction that causes it. */
export interface NotedEvent {
  readonly account: Account;
  readonly at: Instant;
  /** Such as `task.claimed`. */
  readonly kind: string;
  /** The task, listing, market or table that it is about, as the kind says. */
  readonly subjectId: string;
  readonly attemptId?: string;
  /** The comment, panel round, report, hosted call or moment that it is about. */
  readonly ref?: string;
  /** State of the task, market or table, or availability of the listing. */
  readonly state?: string;
  readonly actor?: Account;
}
