import { LedgerFrozen } from '../../db/ledger/memory.ts';
import type { Hub } from './hub.ts';
import { logFailure } from './logFailure.ts';

/** A failure and the thing that it is about, as the log has them. */
export interface Failure {
  readonly failure: string;
  readonly [named: string]: string;
}

/**
 * Runs one piece of a job's work and logs a failure, so that one damaged task, loan or call does
 * not hold up the others. A frozen ledger was logged where it froze. Returns whether it was done.
 */
export async function apart(
  hub: Hub,
  { failure, ...named }: Failure,
  work: () => Promise<unknown>,
): Promise<boolean> {
  try {
    await work();
    return true;
  } catch (error) {
    if (!(error instanceof LedgerFrozen)) logFailure(hub.log, error, failure, named);
    return false;
  }
}
