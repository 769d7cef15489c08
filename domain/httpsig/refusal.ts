import { defined } from '../defined.ts';
/**
 * The reasons of Authentication 9 that a verifier can find without a database; `wrong-owner` and
 * `replayed` are the server's. A detail names one thing, so a caller mends one thing at a time.
 */
export type RefusalReason =
  'unsigned' | 'incomplete-coverage' | 'digest-mismatch' | 'stale' | 'unknown-key';

export interface Refusal {
  readonly reason: RefusalReason;
  readonly detail: string;
  /** The component the refusal is about, as a signature would list it. */
  readonly component?: string;
}

export function refusal(reason: RefusalReason, detail: string, component?: string): Refusal {
  return { reason, detail, ...defined({ component }) };
}

export function notCovered(component: string): string {
  return `the signature does not cover "${component}"`;
}
