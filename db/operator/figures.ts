import type { Instant } from '../../domain/instant.ts';
import { one, text, whole, wholeOrNull } from '../columns.ts';
import { linkOf, statement, type Reader } from '../connection.ts';

export interface Figures {
  /** Transfers that no sealed block covers yet. */
  readonly unsealed: number;
  /** Milliseconds since the oldest of them; 0 when there is none. */
  readonly unsealedMs: number;
  /** Minutes between the first pulse and the newest one that have none. */
  readonly minutesMissed: number;
  /** Milliseconds since the newest pulse, negative for one of the future; undefined before the first. */
  readonly pulseAgeMs: number | undefined;
  readonly crawlsDue: number;
  /** Listings by availability. */
  readonly listings: ReadonlyMap<string, number>;
  /** Tasks by state. */
  readonly tasks: ReadonlyMap<string, number>;
  /** The number of router attempts in the last hour, by their outcome. */
  readonly calls: ReadonlyMap<string, number>;
}

const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;
const SCALARS = statement(`
  SELECT (SELECT coalesce(max(seq), 0) FROM transfers)
      - (SELECT coalesce(max(to_seq), 0) FROM seals) AS unsealed,
    (SELECT at FROM transfers WHERE seq > (SELECT coalesce(max(to_seq), 0) FROM seals)
      ORDER BY seq LIMIT 1) AS unsealed_since,
    (SELECT count(*) FROM crawl_targets WHERE next_look_at <= ?) AS due,
    (SELECT coalesce(max(seq), 0) FROM time_pulses) AS pulses,
    (SELECT coalesce(max(minute) - min(minute), 0) FROM time_pulses) AS span,
    (SELECT coalesce(max(issued_at), -1) FROM time_pulses) AS issued`);
const LISTINGS = statement('SELECT availability AS name, count(*) AS n FROM listings GROUP BY 1');
const TASKS = statement('SELECT state AS name, count(*) AS n FROM tasks GROUP BY 1');
const CALLS = statement(
  'SELECT ended AS name, count(*) AS n FROM call_attempts WHERE at > ? GROUP BY 1',
);

export async function operatorFigures(db: Reader, now: Instant): Promise<Figures> {
  const link = linkOf(db);
  const row = one(await link.rows(SCALARS, [now]));
  if (row === undefined) throw new Error('a count has a row');
  const counted = async (which: typeof TASKS, values: readonly number[] = []) =>
    new Map((await link.rows(which, values)).map((each) => [text(each, 'name'), whole(each, 'n')]));
  const issued = Number(row['issued']);
  const since = wholeOrNull(row, 'unsealed_since') ?? now;
  return {
    unsealed: Math.max(0, whole(row, 'unsealed')),
    unsealedMs: Math.max(0, now - since),
    minutesMissed: whole(row, 'span') / MINUTE_MS - whole(row, 'pulses'),
    pulseAgeMs: issued < 0 ? undefined : now - issued,
    crawlsDue: whole(row, 'due'),
    listings: await counted(LISTINGS),
    tasks: await counted(TASKS),
    calls: await counted(CALLS, [now - HOUR_MS]),
  };
}
