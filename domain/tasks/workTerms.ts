import type { Account } from '../account.ts';
import type { Instant, Seconds } from '../instant.ts';

/** How long a claim lasts without a renewal, and for how long after it one may be renewed. */
export interface LeaseTerms {
  readonly leaseSeconds: Seconds;
  readonly renewForSeconds: Seconds;
}

export interface Clarification {
  readonly at: Instant;
  readonly text: string;
}

/** The last report of a holder. */
export interface Progress {
  readonly percent?: number;
  readonly note?: string;
  readonly at: Instant;
}

/** The accounts that a task is offered to first, and what becomes of it after their time. */
export interface Invitation {
  readonly accounts: readonly Account[];
  readonly until: Instant;
  readonly then: 'open' | 'withdrawn';
}
