import { strict as assert } from 'node:assert';
import type { Account } from '../../domain/account.ts';
import { defined } from '../../domain/defined.ts';
import { instant } from '../../domain/instant.ts';
import type { TaskHistory, Worker } from '../../domain/task/worker.ts';
import { lockOf, textCell, wholeCell, type Table } from '../declared/table.ts';
import { HISTORY } from './attempts.ts';

/** What decides about a worker, for declared units that have the task as well. */
export type Claimant = Pick<Worker, 'karma' | 'liveClaims'>;
const CLAIMANT = `k.value ->> 0,
  coalesce((SELECT total FROM karma_totals WHERE subject = k.value ->> 0), 0),
  (SELECT count(*) FROM attempts WHERE worker = k.value ->> 0 AND state = 'claimed')`;

/** As `lockWorker`: what an account may hold is counted over several tasks. */
export const CLAIMANTS: Table<Account, Claimant> = {
  name: 'claimants',
  read: {
    sqlite: `SELECT json_group_array(json_array(${CLAIMANT})) FROM json_each(?) k`,
    postgres: `SELECT json_agg(json_build_array(${CLAIMANT}))::text
      FROM jsonb_array_elements(?::jsonb) AS k (value)`,
  },
  lock: lockOf('keys', ['account'], ['account', 'key_id']),
  id: (account) => account,
  keyCells: (account) => [account],
  found: (cells) => [
    textCell(cells, 0),
    { karma: wholeCell(cells, 1), liveClaims: wholeCell(cells, 2) },
  ],
  // Claims are counted again where one is written.
  inserted: () => assert.fail('every account is found'),
};

export interface OnTask {
  readonly account: Account;
  readonly taskId: string;
}
export interface KnownHistory extends TaskHistory {
  /** It announced that it works on an open task; a claim carries that on. */
  readonly hasAnnounced: boolean;
}
const history = `k.value ->> 0, k.value ->> 1, ${HISTORY.used}, ${HISTORY.fails},
  ${HISTORY.lapsedAt}, count(CASE WHEN state = 'announced' THEN 1 END)`;
const ofWorker = `a ON a.worker = k.value ->> 0 AND a.task_id = k.value ->> 1
  GROUP BY k.value ->> 0, k.value ->> 1`;

/** What accounts did on tasks, which nobody else changes while the task is locked. */
export const HISTORIES: Table<OnTask, KnownHistory> = {
  name: 'histories',
  read: {
    sqlite: `SELECT json_group_array(json(h.cells)) FROM (
      SELECT json_array(${history}) AS cells FROM json_each(?) k CROSS JOIN attempts ${ofWorker}) h`,
    postgres: `SELECT json_agg(h.cells)::text FROM (
      SELECT json_build_array(${history}) AS cells
      FROM jsonb_array_elements(?::jsonb) AS k (value) JOIN attempts ${ofWorker}) AS h`,
  },
  id: ({ account, taskId }) => `${account} ${taskId}`,
  keyCells: ({ account, taskId }) => [account, taskId],
  found(cells) {
    const lastLapseAt = cells[4] === null ? undefined : instant(wholeCell(cells, 4));
    const counts = { used: wholeCell(cells, 2), fails: wholeCell(cells, 3) };
    const hasAnnounced = wholeCell(cells, 5) > 0;
    const id = `${textCell(cells, 0)} ${textCell(cells, 1)}`;
    return [id, { ...counts, hasAnnounced, ...defined({ lastLapseAt }) }];
  },
  // It follows from the attempts, which are written.
  inserted: () => undefined,
};

const PASSED_ONLY = `
  EXISTS (SELECT 1 FROM trials WHERE account = k.value ->> 0 AND passed_at IS NOT NULL)
  AND NOT EXISTS (SELECT 1 FROM welcome_grants WHERE account = k.value ->> 0)`;
/** Accounts that passed their trial and do not stand in the line of the welcome bonus yet. */
export const BEFORE_WELCOME: Table<Account, true> = {
  name: 'before_welcome',
  read: {
    sqlite: `SELECT json_group_array(json_array(k.value ->> 0)) FROM json_each(?) k
      WHERE ${PASSED_ONLY}`,
    postgres: `SELECT json_agg(json_build_array(k.value ->> 0))::text
      FROM jsonb_array_elements(?::jsonb) AS k (value) WHERE ${PASSED_ONLY}`,
  },
  id: (account) => account,
  keyCells: (account) => [account],
  found: (cells) => [textCell(cells, 0), true],
  inserted: () => assert.fail('trials are passed in free units'),
};
