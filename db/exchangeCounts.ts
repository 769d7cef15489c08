import type { Instant } from '../domain/instant.ts';
import * as column from './columns.ts';
import { linkOf, statement, type Reader } from './connection.ts';

/** The current activity of the exchange; calls between linked accounts are left out. */
export interface ExchangeCounts {
  readonly accounts: number;
  readonly tasksOpen: number;
  readonly calls: number;
  readonly callsOk: number;
  readonly validatorsSeated: number;
  readonly disputesOpen: number;
}

const COUNTS = statement(`
  SELECT (SELECT count(DISTINCT account) FROM keys) AS accounts,
    (SELECT count(*) FROM tasks WHERE state = 'open') AS tasks_open,
    (SELECT count(*) FROM tasks WHERE state = 'disputed') AS disputes_open,
    (SELECT count(*) FROM seats WHERE state = 'seated') AS seated,
    (SELECT count(*) FROM call_attempts WHERE linked = 0 AND by_rule = 0 AND at > ?) AS calls,
    (SELECT count(*) FROM call_attempts WHERE linked = 0 AND at > ? AND ended = 'ok') AS calls_ok`);

/** Calls are those since a moment. */
export async function exchangeCounts(db: Reader, since: Instant): Promise<ExchangeCounts> {
  const row = column.one(await linkOf(db).rows(COUNTS, [since, since]));
  if (row === undefined) throw new Error('a count has a row');
  return {
    accounts: column.whole(row, 'accounts'),
    tasksOpen: column.whole(row, 'tasks_open'),
    calls: column.whole(row, 'calls'),
    callsOk: column.whole(row, 'calls_ok'),
    validatorsSeated: column.whole(row, 'seated'),
    disputesOpen: column.whole(row, 'disputes_open'),
  };
}
