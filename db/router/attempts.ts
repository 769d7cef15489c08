import type { Instant } from '../../domain/instant.ts';
import type { AttemptEnd } from '../../domain/router/receipt.ts';
import * as columns from '../batch/columns.ts';
import type { RowIn } from '../batch/table.ts';
import { writeObject } from '../batch/writeObject.ts';
import * as column from '../columns.ts';
import { linkOf, statement, type Reader, type Row } from '../connection.ts';
import type { Table } from '../batch/need.ts';
import { table } from '../batch/table.ts';
import { CALLS } from './calls.ts';

export const ATTEMPT_ROWS = table(
  'call_attempts',
  {
    callId: columns.text().key(),
    n: columns.integer().key(),
    listingId: columns.text(),
    operation: columns.text(),
    caller: columns.account(),
    /** The caller is the owner of the listing, or linked to it; such calls measure nothing. */
    linked: columns.flag(),
    /** Its answer broke the rule that the caller sent along. */
    byRule: columns.flag(),
    ended: columns.text<AttemptEnd>(),
    latencyMs: columns.integer(),
    at: columns.moment(),
  },
  { use: 'single', personal: { apart: 'parts of calls' } },
);
/** One candidate that was called, as the measurements of its listing count it. */
export type Attempt = Omit<RowIn<typeof ATTEMPT_ROWS>, 'n'>;

/** Candidates that were called. One call makes at most one attempt in a batch. */
export const CALL_ATTEMPTS: Table<string, Attempt> = {
  name: 'call_attempts',
  id: (callId) => callId,
  keyCells: (callId) => [callId],
  insert: writeObject('call_attempts', {
    statement: (rows) => `
      INSERT INTO call_attempts (${ATTEMPT_ROWS.columns.join(', ')})
      SELECT $0, (SELECT count(*) FROM call_attempts AS a WHERE a.call_id = $0), $1, $2, $3, $4:int,
        $5:int, $6, $7:int, $8:int FROM ${rows}`,
  }),
  // The statement counts the attempts of the call itself.
  inserted: (attempt) => ATTEMPT_ROWS.cells({ ...attempt, n: 0 }).toSpliced(1, 1),
  under: [CALLS],
};

/** How calls ended; `calls` is the sum of the five that follow. */
export interface Tally {
  readonly calls: number;
  readonly ok: number;
  readonly failed: number;
  readonly timedOut: number;
  readonly quoted: number;
  readonly keyNeeded: number;
  readonly callers: number;
  /** Answers that broke a rule of their caller, one for each caller and day; in no other figure. */
  readonly brokenRules: number;
  /** Milliseconds of served calls; absent when there were none. */
  readonly latencyMs?: { readonly p50: number; readonly p95: number };
}

const ENDED = (end: AttemptEnd, as: string): string =>
  `CAST(count(CASE WHEN by_rule = 0 AND ended = '${end}' THEN 1 END) AS INTEGER) AS ${as}`;
const DAY_MS = 86_400_000;
const COUNTS = `CAST(count(CASE WHEN by_rule = 0 THEN 1 END) AS INTEGER) AS calls,
  CAST(count(DISTINCT CASE WHEN by_rule = 0 THEN caller END) AS INTEGER) AS callers,
  CAST(count(DISTINCT CASE WHEN by_rule = 1 THEN caller || ' ' || (at / ${DAY_MS}) END) AS INTEGER)
    AS broken_rules,
  ${ENDED('ok', 'ok')}, ${ENDED('failed', 'failed')}, ${ENDED('timedOut', 'timed_out')},
  ${ENDED('quoted', 'quoted')}, ${ENDED('keyNeeded', 'key_needed')}`;
const OF_LISTING = 'FROM call_attempts WHERE listing_id = ? AND linked = 0 AND at > ?';

const TALLY = statement(`
  SELECT ${COUNTS}, min(at) AS first_at, max(at) AS last_at ${OF_LISTING}`);
const LINKED = statement(`
  SELECT CAST(count(*) AS INTEGER) AS calls FROM call_attempts
  WHERE listing_id = ? AND linked = 1 AND at > ?`);
/** As many operations as an answer shows. */
const OPERATIONS_MAX = 200;
const BY_OPERATION = statement(`
  SELECT operation, ${COUNTS} ${OF_LISTING}
  GROUP BY operation ORDER BY count(*) DESC, operation LIMIT ${OPERATIONS_MAX}`);
/** Percentiles are of the newest served calls; more of them would say the same. */
const LATENCIES_MAX = 10_000;
const LATENCIES = statement(`
  SELECT operation, latency_ms ${OF_LISTING} AND ended = 'ok'
  ORDER BY at DESC LIMIT ${LATENCIES_MAX}`);

export interface Measured {
  readonly tally: Tally;
  readonly firstAt?: Instant;
  readonly lastAt?: Instant;
  readonly linked: number;
  readonly operations: readonly { readonly operation: string; readonly tally: Tally }[];
}

/** Outcomes of calls since a moment; those by accounts linked to the owner are only counted. */
export async function measured(db: Reader, listingId: string, since: Instant): Promise<Measured> {
  const values = [listingId, since];
  const link = linkOf(db);
  const latencies = await link.rows(LATENCIES, values);
  const [sum] = await link.rows(TALLY, values);
  const [own] = await link.rows(LINKED, values);
  if (sum === undefined || own === undefined) throw new Error('a query of sums has a row');
  const [firstAt, lastAt] = [column.timeOrNull(sum, 'first_at'), column.timeOrNull(sum, 'last_at')];
  const operations = (await link.rows(BY_OPERATION, values)).map((row) => {
    const operation = column.text(row, 'operation');
    const of = latencies.filter((each) => each['operation'] === operation);
    return { operation, tally: tallyOf(row, of) };
  });
  return {
    tally: tallyOf(sum, latencies),
    ...(firstAt !== null && { firstAt }),
    ...(lastAt !== null && { lastAt }),
    linked: column.whole(own, 'calls'),
    operations,
  };
}

function tallyOf(row: Row, latencies: readonly Row[]): Tally {
  const sorted = latencies.map((each) => column.whole(each, 'latency_ms')).sort((a, b) => a - b);
  const [p50, p95] = [percentile(sorted, 0.5), percentile(sorted, 0.95)];
  return {
    calls: column.whole(row, 'calls'),
    ok: column.whole(row, 'ok'),
    failed: column.whole(row, 'failed'),
    timedOut: column.whole(row, 'timed_out'),
    quoted: column.whole(row, 'quoted'),
    keyNeeded: column.whole(row, 'key_needed'),
    callers: column.whole(row, 'callers'),
    brokenRules: column.whole(row, 'broken_rules'),
    ...(p50 !== undefined && p95 !== undefined && { latencyMs: { p50, p95 } }),
  };
}

/** The nearest rank: the smallest value that at least this share does not exceed. */
function percentile(sorted: readonly number[], share: number): number | undefined {
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)];
}
