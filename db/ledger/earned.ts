import type { Account } from '../../domain/account.ts';
import type { Instant } from '../../domain/instant.ts';
import type { Reason } from '../../domain/ledger/reasons.ts';
import type { Atomic } from '../../domain/money.ts';
import * as column from '../columns.ts';
import { linkOf, statement, type Reader, type Row } from '../connection.ts';
import type { Place } from './accounts.ts';
import { reason } from './statement.ts';

/** The earnings of work, without payments between linked accounts (choices tasks.linked). */
export interface Earned {
  /** Earnings from work in atomic units, without the fees of the next two members. */
  readonly paidNet: bigint;
  readonly hubFees: bigint;
  readonly judgesFees: bigint;
  readonly tasksPaid: number;
  /** Different accounts that were paid. */
  readonly workers: number;
  /** Rewarded tasks that ended, and those of them that paid. */
  readonly ended: number;
  readonly filled: number;
}

export interface Payout {
  readonly at: Instant;
  readonly to: Account;
  /** The display name of its passport, which its owner wrote. */
  readonly name?: string;
  readonly net: Atomic;
  readonly reason: Reason;
  readonly transferId: string;
  readonly task?: { readonly id: string; readonly title: string };
}

/** The terms of the index `entries_earned`; a query that has them all reads nothing else. */
const EARNED = `e.delta > 0 AND e.reason IN ('task.reward', 'task.fee.hub', 'task.fee.judges',
      'dispute.arbiter', 'bonus.welcome', 'call.charge')`;
const ENDED = `('paid', 'refunded', 'withdrawn', 'expired')`;

/** Whether two accounts share a proof, or one holds the other's own key, at the given moment. */
const linked = (a: string, b: string): string => `(${a} = ${b} OR EXISTS (SELECT 1 FROM keys AS k
    WHERE k.bound_at <= ? AND ((k.key_id = substr(${b}, 5) AND k.account = ${a})
       OR (k.key_id = substr(${a}, 5) AND k.account = ${b})))
  OR EXISTS (SELECT 1 FROM account_links AS p JOIN account_links AS o ON o.shared = p.shared
    WHERE p.account = ${a} AND o.account = ${b} AND p.at <= ? AND o.at <= ?))`;

const ENTRIES = `entries AS e JOIN accounts AS a ON a.id = e.account_id
    JOIN transfers AS t ON t.seq = e.transfer_seq
    LEFT JOIN tasks ON t.ref_kind = 'task' AND tasks.id = t.ref_id
    LEFT JOIN attempts AS w ON w.id = tasks.accepted_attempt
  WHERE ${EARNED} AND a.network = ? AND a.asset = ?
    AND (w.id IS NULL OR NOT ${linked('tasks.requester', 'w.worker')})
    AND (e.counterparty IS NULL OR NOT ${linked('e.counterparty', 'a.name')})`;

const sum = (name: string, ...reasons: readonly Reason[]): string => `
  CAST(coalesce(sum(CASE WHEN e.reason IN ('${reasons.join("', '")}') THEN e.delta END), 0) AS TEXT)
    AS ${name}`;
/** A payout for work to a user. Fees of judges and arbiters are none: every outcome pays them. */
const PAYOUT = `a.class = 'user' AND e.reason IN ('task.reward', 'bonus.welcome', 'call.charge')`;
const REWARDED = `CASE WHEN e.reason = 'task.reward' THEN`;
const TOTALS = statement(`
  SELECT CAST(coalesce(sum(CASE WHEN ${PAYOUT} THEN e.delta END), 0) AS TEXT) AS net,
    ${sum('hub', 'task.fee.hub')},
    ${sum('judges', 'task.fee.judges', 'dispute.arbiter')},
    count(DISTINCT ${REWARDED} t.ref_id END) AS tasks,
    count(DISTINCT CASE WHEN ${PAYOUT} THEN a.name END) AS workers
  FROM ${ENTRIES} AND e.at > ? AND e.at <= ?`);

/** A task ended at the first event that left it so; what is said of it later ends nothing. */
const FILLED = statement(`
  SELECT count(*) AS ended, coalesce(sum(CASE WHEN v.state = 'paid' THEN 1 ELSE 0 END), 0) AS filled
  FROM task_events AS v JOIN tasks ON tasks.id = v.task_id
    LEFT JOIN attempts AS w ON w.id = tasks.accepted_attempt
  WHERE v.state IN ${ENDED} AND v.at > ? AND v.at <= ? AND tasks.network = ?
    AND NOT EXISTS (SELECT 1 FROM task_events AS p
      WHERE p.task_id = v.task_id AND p.seq = v.seq - 1 AND p.state IN ${ENDED})
    AND (w.id IS NULL OR NOT ${linked('tasks.requester', 'w.worker')})`);

/** Returns figures of `from` < time <= `to`. Later links do not change them, so they are stable. */
export async function earnedIn(
  db: Reader,
  { network, asset }: Place,
  { from, to }: { readonly from: Instant; readonly to: Instant },
): Promise<Earned> {
  const link = linkOf(db);
  const known = [to, to, to];
  const totals = only(await link.rows(TOTALS, [network, asset, ...known, ...known, from, to]));
  const tasks = only(await link.rows(FILLED, [from, to, network, ...known]));
  return {
    paidNet: column.signed(totals, 'net'),
    hubFees: column.signed(totals, 'hub'),
    judgesFees: column.signed(totals, 'judges'),
    tasksPaid: column.whole(totals, 'tasks'),
    workers: column.whole(totals, 'workers'),
    ended: column.whole(tasks, 'ended'),
    filled: column.whole(tasks, 'filled'),
  };
}

/** A key without a passport has no display name, and a passport need not have one. */
const DISPLAY_NAME = `(SELECT p.display_name FROM passports AS p WHERE p.key_id = substr(a.name, 5))`;
const LATEST = statement(`
  SELECT e.at, e.delta, e.reason, a.name, ${DISPLAY_NAME} AS display_name, t.id,
    tasks.id AS task_id, tasks.title
  FROM ${ENTRIES} AND ${PAYOUT}
  ORDER BY e.at DESC, e.transfer_seq DESC, e.account_id LIMIT ?`);

export async function latestPayouts(
  db: Reader,
  { network, asset }: Place,
  { now, limit }: { readonly now: Instant; readonly limit: number },
): Promise<readonly Payout[]> {
  const known = [now, now, now];
  const rows = await linkOf(db).rows(LATEST, [network, asset, ...known, ...known, limit]);
  return rows.map((row) => {
    const taskId = column.textOrNull(row, 'task_id');
    const name = column.textOrNull(row, 'display_name');
    return {
      at: column.time(row, 'at'),
      to: column.account(row, 'name'),
      ...(name !== null && { name }),
      net: column.amount(row, 'delta'),
      reason: reason(row),
      transferId: column.text(row, 'id'),
      ...(taskId !== null && { task: { id: taskId, title: column.text(row, 'title') } }),
    };
  });
}

export interface EarnedPart {
  readonly paidNet: bigint;
  readonly tasksPaid: number;
}

/** SQLite divides as real numbers, because its driver binds every number as one. */
const PARTS = statement(`
  SELECT CAST((e.at - ?) / ? AS BIGINT) AS part,
    CAST(coalesce(sum(CASE WHEN ${PAYOUT} THEN e.delta END), 0) AS TEXT) AS net,
    count(DISTINCT ${REWARDED} t.ref_id END) AS tasks
  FROM ${ENTRIES} AND e.at >= ? AND e.at <= ?
  GROUP BY 1`);

/** The payouts by parts of equal length from a moment on; parts in which nothing was paid are absent. */
export async function earnedByPart(
  db: Reader,
  { network, asset }: Place,
  { from, to, partMs }: { readonly from: Instant; readonly to: Instant; readonly partMs: number },
): Promise<ReadonlyMap<number, EarnedPart>> {
  const known = [to, to, to];
  const values = [from, partMs, network, asset, ...known, ...known, from, to];
  const rows = await linkOf(db).rows(PARTS, values);
  return new Map(
    rows.map((row) => [
      column.whole(row, 'part'),
      { paidNet: column.signed(row, 'net'), tasksPaid: column.whole(row, 'tasks') },
    ]),
  );
}

function only(rows: readonly Row[]): Row {
  const row = column.one(rows);
  if (row === undefined) throw new Error('a sum has a row');
  return row;
}
