import type { Account } from '../../domain/account.ts';
import { atomic, bps, ZERO, type Atomic } from '../../domain/money.ts';
import { settle } from '../../domain/settlement.ts';
import type { Place } from '../ledger/accounts.ts';
import { amount, json, whole } from '../columns.ts';
import { linkOf, statement, type Reader, type Row } from '../connection.ts';

/** CROSS JOIN keeps SQLite to this order: from the payee's work, not from all accepted work. */
const ACCEPTED = statement(`SELECT t.reward, t.hub_bps, t.judges_bps, t.judges,
    coalesce(l.principal_left, 0) AS principal, coalesce(l.origination_left, 0) AS origination
  FROM attempts a CROSS JOIN tasks t LEFT JOIN loans l ON l.attempt_id = a.id
  WHERE t.id = a.task_id AND t.accepted_attempt = a.id AND a.payee = ?
    AND a.state = 'accepted' AND t.state = 'accepted' AND t.network = ?`);

/** The payee's shares of accepted rewards that wait for their window, less their loans. */
export async function payoutsInFlight(
  db: Reader,
  payee: Account,
  { network }: Place,
): Promise<Atomic> {
  const rows = await linkOf(db).rows(ACCEPTED, [payee, network]);
  return rows.reduce((sum, row) => atomic(sum + workerShare(row)), ZERO);
}

function workerShare(row: Row): Atomic {
  const judges = json(row, 'judges');
  return settle({
    reward: amount(row, 'reward'),
    hubBps: bps(whole(row, 'hub_bps')),
    judgesBps: bps(whole(row, 'judges_bps')),
    judges: Array.isArray(judges) ? judges.length : 0,
    loan: { principal: amount(row, 'principal'), origination: amount(row, 'origination') },
  }).worker;
}
