import type { Account } from '../../domain/account.ts';
import { defined } from '../../domain/defined.ts';
import { instant } from '../../domain/instant.ts';
import { STARTER_ACCOUNT } from '../../domain/tasks/model.ts';
import type { TaskHistory } from '../../domain/tasks/worker.ts';
import { account, flag, integer, text } from '../batch/columns.ts';
import { lookup } from '../batch/lookup.ts';
import { KEYS, LOCK_KEYS, parentIn, textCell, wholeCell, type Table } from '../batch/need.ts';
import { HISTORY, WORKING_ON } from './attempts.ts';
import { CLAIMABLE, TASKS } from './taskRow.ts';

/** Locks the account's keys first, because claims are counted over several tasks. */
export const CLAIMANTS = lookup('claimants', {
  by: { account: account() },
  found: { karma: integer(), liveClaims: integer(), won: integer() },
  sql: (key) => ({
    karma: `coalesce((SELECT total FROM karma_totals WHERE subject = ${key.account}), 0)`,
    liveClaims: `(SELECT count(*) FROM attempts
      WHERE worker = ${key.account} AND state = 'claimed')`,
    won: `(SELECT count(*) FROM tasks
      WHERE chosen_worker = ${key.account} AND state = 'open')`,
  }),
  lock: LOCK_KEYS,
  under: [TASKS],
});

export interface OnTask {
  readonly account: Account;
  readonly taskId: string;
}
export interface KnownHistory extends TaskHistory {
  /** The attempt by which it said that it works on an open task; what follows carries that on. */
  readonly announcedId?: string;
}
const history = `k.value ->> 0, k.value ->> 1, ${HISTORY.used}, ${HISTORY.fails},
  ${HISTORY.lapsedAt}, min(CASE WHEN state = 'announced' THEN a.id END)`;
const ofWorker = `a ON a.worker = k.value ->> 0 AND a.task_id = k.value ->> 1
  GROUP BY k.value ->> 0, k.value ->> 1`;

/** The history of an account on a task, which only the holder of the task's lock changes. */
export const HISTORIES: Table<OnTask, KnownHistory> = {
  name: 'histories',
  read: {
    sqlite: `SELECT json_group_array(json(h.cells)) FROM (
      SELECT json_array(${history}) AS cells FROM json_each(?) k CROSS JOIN attempts ${ofWorker}) h`,
    postgres: `SELECT json_agg(h.cells)::text FROM (
      SELECT json_build_array(${history}) AS cells
      FROM ${KEYS} JOIN attempts ${ofWorker}) AS h`,
  },
  id: ({ account, taskId }) => `${account} ${taskId}`,
  keyCells: ({ account, taskId }) => [account, taskId],
  found(cells) {
    const lastLapseAt = cells[4] === null ? undefined : instant(wholeCell(cells, 4));
    const counts = { used: wholeCell(cells, 2), fails: wholeCell(cells, 3) };
    const id = `${textCell(cells, 0)} ${textCell(cells, 1)}`;
    const announcedId = cells[5] === null ? undefined : textCell(cells, 5);
    return [id, { ...counts, ...defined({ lastLapseAt, announcedId }) }];
  },
  readsUnder: parentIn(TASKS, ({ taskId }: OnTask) => taskId),
  isDerived: true,
};
/** The same on a task that is read as `CLAIMABLE`. */
export const HISTORIES_ON_CLAIMABLE: Table<OnTask, KnownHistory> = {
  ...HISTORIES,
  name: 'histories_on_claimable',
  readsUnder: parentIn(CLAIMABLE, ({ taskId }: OnTask) => taskId),
};

/**
 * How an account stands with starter tasks; one is paid once, and held once at a time. A claim puts
 * what it holds, so that the next one of the same batch, or of the batch after it, sees that.
 */
export const STARTER_USE = lookup('starter_use', {
  by: { account: account() },
  found: { wasPaid: flag(), holds: text().optional() },
  sql: (key) => ({
    wasPaid: `CASE WHEN EXISTS (SELECT 1 FROM starter_grants WHERE account = ${key.account})
      THEN 1 ELSE 0 END`,
    holds: `(${WORKING_ON({
      worker: key.account,
      requester: `'${STARTER_ACCOUNT}'`,
      tag: "'starter'",
    })})`,
  }),
});
