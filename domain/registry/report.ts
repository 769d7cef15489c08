import type { Account } from '../account.ts';
import type { Instant } from '../instant.ts';

/** The faults of a listing that can be reported, in the words of the contract. */
const REPORT_REASONS = ['inaccurate', 'broken', 'overcharges', 'hostile', 'impersonates'] as const;
export type ReportReason = (typeof REPORT_REASONS)[number];

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

/** The answer of the listing's holder. */
export interface ReportAnswer {
  readonly text: string;
  readonly by: Account;
  readonly at: Instant;
}
