import { atomic, bps, ZERO, type Atomic } from '../../domain/money.ts';
import { settle } from '../../domain/settlement.ts';
import { account, amount, integer, json, network } from '../batch/columns.ts';
import { lookup } from '../batch/lookup.ts';
import { rows } from '../batch/rows.ts';
import type { Decider } from '../batch/transaction.ts';
import type { OnNetwork } from './onNetwork.ts';

const accepted = rows({
  reward: amount(),
  hubBps: integer(),
  judgesBps: integer(),
  judges: json<readonly unknown[]>(),
  principal: amount(),
  origination: amount(),
});

/** CROSS JOIN keeps SQLite to this order: from the payee's work, not from all accepted work. */
export const ACCEPTED_WORK = lookup('accepted_work', {
  by: { payee: account(), network: network() },
  found: { accepted: accepted.column() },
  sql: (key, dialect) => ({
    accepted: accepted.sql(
      `SELECT t.reward, t.hub_bps, t.judges_bps, t.judges,
          coalesce(l.principal_left, 0) AS principal, coalesce(l.origination_left, 0) AS origination
        FROM attempts a CROSS JOIN tasks t LEFT JOIN loans l ON l.attempt_id = a.id
        WHERE t.id = a.task_id AND t.accepted_attempt = a.id AND a.payee = ${key.payee}
          AND a.state = 'accepted' AND t.state = 'accepted' AND t.network = ${key.network}`,
      dialect,
    ),
  }),
});

/** The payee's shares of accepted rewards that wait for their window, less their loans. */
export function payoutsInFlight(db: Decider, { account: payee, network: on }: OnNetwork): Atomic {
  const found = db.find(ACCEPTED_WORK, { payee, network: on });
  return (found?.accepted ?? []).reduce((sum, work) => {
    const { reward, hubBps, judgesBps, judges, principal, origination } = work;
    const { worker } = settle({
      reward,
      hubBps: bps(hubBps),
      judgesBps: bps(judgesBps),
      judges: judges.length,
      loan: { principal, origination },
    });
    return atomic(sum + worker);
  }, ZERO);
}
