import type { Account } from '../account.ts';
import type { Instant } from '../instant.ts';

/** The faults of a listing that can be reported, in the words of the contract. */
export type ReportReason = 'inaccurate' | 'broken' | 'overcharges' | 'hostile' | 'impersonates';

/** A report of an account against a listing; it takes nothing away (choices registry.reporting). */
export interface ListingReport {
  readonly id: string;
  readonly listingId: string;
  readonly reporter: Account;
  readonly reason: ReportReason;
  /** Absent when nothing was written, and once it is withdrawn. */
  readonly text?: string;
  readonly at: Instant;
  readonly withdrawnAt?: Instant;
  readonly answer?: ReportAnswer;
}

export interface ReportAnswer {
  readonly text: string;
  readonly by: Account;
  readonly at: Instant;
}
