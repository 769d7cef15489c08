import type { Reader } from '../connection.ts';
import { advance, type HighWaterMark } from '../ledger/highWaterMark.ts';
import { registeredChecks } from './areas.ts';
import { differencesOf, type Difference } from './check.ts';

/**
 * The same invariants over what is new since the last look, for a hub that looks every minute: the
 * accounts as they are, and the journal from where the last look ended (choices ledger.freeze).
 */
export interface Recheck {
  readonly differences: readonly Difference[];
  /** Where the next look begins. */
  readonly mark: HighWaterMark;
}

/** Looks at everything when there is no mark yet. Reads one snapshot. */
export async function recheck(db: Reader, mark?: HighWaterMark): Promise<Recheck> {
  const next = await advance(db, mark);
  const { current, journal, newEntries } = await registeredChecks(db);
  const ofJournal =
    mark === undefined
      ? await differencesOf(db, journal)
      : await differencesOf(db, newEntries, [mark.auditedUpTo]);
  return { differences: [...ofJournal, ...(await differencesOf(db, current))], mark: next };
}
