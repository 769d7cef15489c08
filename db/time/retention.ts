import type { Instant } from '../../domain/instant.ts';
import { linkOf, statement, type Writer } from '../connection.ts';

/** Leaves are kept 90 days (Limits); pulses and their roots for ever. */
export const RETENTION_MS = 90 * 24 * 60 * 60_000;

/** Leaves that one unit drops; the rest goes with the next one. */
export const RETIRED_AT_ONCE_MAX = 10_000;
/** A read that began when a minute was still shown must find it whole. */
const GRACE_MS = 60_000;

// The leaves of a minute without a pulse are still to be hashed, however old they are.
const LEAVES = statement(`DELETE FROM time_leaves WHERE (digest, minute) IN (
  SELECT digest, minute FROM time_leaves WHERE minute < ?
    AND minute NOT IN (SELECT minute FROM time_minutes WHERE pulse_seq IS NULL)
    LIMIT ${RETIRED_AT_ONCE_MAX})
  RETURNING 1 AS gone`);
const TILES = statement(`DELETE FROM time_tiles WHERE pulse_seq <=
  (SELECT seq FROM time_pulses WHERE minute < ? ORDER BY minute DESC LIMIT 1)`);

/** Drops leaves and tiles that are past retention; answers how many leaves, at most 10,000. */
export async function retireLeaves(tx: Writer, now: Instant): Promise<number> {
  const before = now - RETENTION_MS - GRACE_MS;
  await linkOf(tx).rows(TILES, [before]);
  return (await linkOf(tx).rows(LEAVES, [before])).length;
}
