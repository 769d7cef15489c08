import type { Account } from '../../domain/account.ts';
import * as column from '../columns.ts';
import { linkOf, statement, type Reader } from '../connection.ts';

/** The acts of an account at the task exchange, for the reputation of a listing that it holds. */
export interface WorkRecord {
  readonly delivered: number;
  readonly accepted: number;
  /** By rule, panel or requester. */
  readonly refused: number;
  readonly lapsed: number;
}
export interface DisputeRecord {
  readonly open: number;
  readonly won: number;
  readonly lost: number;
  /** Split, or without a decision. */
  readonly split: number;
}

const SUM = (when: string, as: string): string =>
  `CAST(coalesce(sum(CASE WHEN ${when} THEN 1 END), 0) AS INTEGER) AS ${as}`;
const WORK = statement(`
  SELECT ${SUM('delivered_at IS NOT NULL', 'delivered')},
    ${SUM(`state = 'accepted'`, 'accepted')},
    ${SUM(`state IN ('refused', 'rejected')`, 'refused')},
    ${SUM(`state = 'lapsed'`, 'lapsed')}
  FROM attempts WHERE worker = ?`);
const OWN = '(d.raised_by = ?)';
const DISPUTES = statement(`
  SELECT ${SUM(`d.state = 'drawn'`, 'open')},
    ${SUM(`d.verdict = 'upheld' AND ${OWN} OR d.verdict = 'rejected' AND NOT ${OWN}`, 'won')},
    ${SUM(`d.verdict = 'rejected' AND ${OWN} OR d.verdict = 'upheld' AND NOT ${OWN}`, 'lost')},
    ${SUM(`d.verdict = 'split' OR d.state = 'void'`, 'split')}
  FROM disputes d JOIN tasks t ON t.id = d.task_id
    LEFT JOIN attempts a ON a.id = t.accepted_attempt
  WHERE t.requester = ? OR a.worker = ?`);

export async function workOf(db: Reader, account: Account): Promise<WorkRecord> {
  const [row] = await linkOf(db).rows(WORK, [account]);
  if (row === undefined) throw new Error('a query of sums has a row');
  return {
    delivered: column.whole(row, 'delivered'),
    accepted: column.whole(row, 'accepted'),
    refused: column.whole(row, 'refused'),
    lapsed: column.whole(row, 'lapsed'),
  };
}

/** Counts disputes of the account as requester or as worker, raised by either side. */
export async function disputesOf(db: Reader, account: Account): Promise<DisputeRecord> {
  const [row] = await linkOf(db).rows(
    DISPUTES,
    Array.from({ length: 6 }, () => account),
  );
  if (row === undefined) throw new Error('a query of sums has a row');
  return {
    open: column.whole(row, 'open'),
    won: column.whole(row, 'won'),
    lost: column.whole(row, 'lost'),
    split: column.whole(row, 'split'),
  };
}
