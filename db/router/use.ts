import { instant, type Instant } from '../../domain/instant.ts';
import { linkOf, statement, type Writer } from '../connection.ts';

/**
 * Calls and distinct callers of listings in 30 days, without accounts linked to the owner and
 * without answers that broke a rule of their caller.
 */
export const USE_MS = 30 * 86_400_000;

const COUNTED = `SELECT listing_id, count(*) AS calls, count(DISTINCT caller) AS callers
  FROM call_attempts WHERE linked = 0 AND by_rule = 0 AND at > ? GROUP BY listing_id`;
const REFRESH = statement(`
  UPDATE listings SET
    calls_30d = now_used.calls, callers_30d = now_used.callers,
    reach = reach + CASE WHEN now_used.calls > 0 THEN 1 ELSE 0 END
      - CASE WHEN calls_30d > 0 THEN 1 ELSE 0 END
  FROM (
    SELECT l.id, coalesce(c.calls, 0) AS calls, coalesce(c.callers, 0) AS callers
    FROM (SELECT id FROM listings WHERE calls_30d > 0
      UNION SELECT listing_id FROM call_attempts WHERE linked = 0 AND by_rule = 0 AND at > ?) AS l
    LEFT JOIN (${COUNTED}) AS c ON c.listing_id = l.id
  ) AS now_used
  WHERE listings.id = now_used.id
    AND (calls_30d <> now_used.calls OR callers_30d <> now_used.callers)`);

/** Counts again, and writes the listings whose figures differ. */
export async function refreshUse(tx: Writer, now: Instant): Promise<void> {
  const since = instant(now - USE_MS);
  await linkOf(tx).rows(REFRESH, [since, since]);
}
