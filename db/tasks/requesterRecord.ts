import type { Account } from '../../domain/account.ts';
import type { NetworkId } from '../../domain/network.ts';
import * as column from '../columns.ts';
import { linkOf, statement } from '../connection.ts';
import type { Reader } from '../connection.ts';

/** How a requester treated the rewarded work it published on one network, newest tasks first. */
export interface RequesterRecord {
  readonly posted: number;
  readonly paid: number;
  /** Tasks with a result that waits now, or that ended with none of its results decided. */
  readonly undecided: number;
  /** From delivery to acceptance or rejection, in milliseconds; absent until there was one. */
  readonly medianMsToDecide?: number;
  readonly disputesLost: number;
}

/** Tasks, decided results and lost disputes that are read at most, so that the page stays fast. */
const LOOKED_AT_MAX = 500;

/** CROSS JOIN keeps SQLite at those tasks: it would walk all attempts ever made, newest first. */
const RECORD = statement(`
  WITH recent AS (
    SELECT id, state, verification FROM tasks
     WHERE requester = ? AND network = ? AND reward IS NOT NULL ORDER BY id DESC LIMIT ?),
  took AS (
    SELECT attempts.ended_at - attempts.delivered_at AS ms
      FROM recent CROSS JOIN attempts
     WHERE attempts.task_id = recent.id
       AND recent.verification = 'requester' AND attempts.state IN ('accepted', 'rejected')
       AND attempts.delivered_at IS NOT NULL AND attempts.ended_at IS NOT NULL
     ORDER BY recent.id DESC, attempts.id DESC LIMIT ?),
  ranked AS (
    SELECT ms, ROW_NUMBER() OVER (ORDER BY ms) AS place, COUNT(*) OVER () AS total FROM took),
  lost AS (
    SELECT 1 AS one FROM karma_entries WHERE subject = ? AND reason = 'dispute.lost' LIMIT ?)
  SELECT (SELECT COUNT(*) FROM recent) AS posted,
    (SELECT COUNT(*) FROM recent WHERE state = 'paid') AS paid,
    (SELECT COUNT(*) FROM recent WHERE EXISTS (
      SELECT 1 FROM attempts WHERE attempts.task_id = recent.id AND (attempts.state = 'waiting'
        OR (attempts.state = 'superseded' AND recent.state = 'expired')))) AS undecided,
    (SELECT ms FROM ranked WHERE place = (total + 1) / 2) AS median_ms,
    (SELECT COUNT(*) FROM lost) AS lost`);

export async function requesterRecord(
  db: Reader,
  requester: Account,
  network: NetworkId,
): Promise<RequesterRecord> {
  const values = [requester, network, LOOKED_AT_MAX, LOOKED_AT_MAX, requester, LOOKED_AT_MAX];
  const row = column.one(await linkOf(db).rows(RECORD, values)) ?? {};
  const medianMsToDecide = column.wholeOrNull(row, 'median_ms');
  return {
    posted: Number(row['posted']),
    paid: Number(row['paid']),
    undecided: Number(row['undecided']),
    ...(medianMsToDecide !== null && { medianMsToDecide }),
    disputesLost: Number(row['lost']),
  };
}
