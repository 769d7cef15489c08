import { strict as assert } from 'node:assert';
import type { Account } from '../../domain/account.ts';
import { textCell, type Table } from '../declared/table.ts';
import type { OnTask } from './workersDeclared.ts';

/** `linked` for declared units: the rule of `partyOf`, asked of two accounts that differ. */
const ARE_LINKED = (a: string, b: string): string => `${a} NOT LIKE 'hub:%' AND (
    EXISTS (SELECT 1 FROM keys WHERE key_id = substr(${a}, 5) AND account = ${b})
    OR EXISTS (SELECT 1 FROM keys WHERE account = ${a} AND 'key:' || key_id = ${b})
    OR EXISTS (SELECT 1 FROM account_links p JOIN account_links o ON o.shared = p.shared
      WHERE p.account = ${a} AND o.account = ${b}))`;
const [A, B] = ['(k.value ->> 0)', '(k.value ->> 1)'];

type Pair = readonly [Account, Account];

/** A row for each pair that is linked. */
export const LINKED: Table<Pair, true> = {
  name: 'linked_accounts',
  read: {
    sqlite: `SELECT json_group_array(json_array(${A}, ${B})) FROM json_each(?) k
      WHERE ${ARE_LINKED(A, B)}`,
    postgres: `SELECT json_agg(json_build_array(${A}, ${B}))::text
      FROM jsonb_array_elements(?::jsonb) AS k (value) WHERE ${ARE_LINKED(A, B)}`,
  },
  id: ([a, b]) => `${a} ${b}`,
  keyCells: ([a, b]) => [a, b],
  found: (cells) => [`${textCell(cells, 0)} ${textCell(cells, 1)}`, true],
  inserted: () => assert.fail('accounts are linked by free units'),
};

const FROM_TASK = `tasks t ON t.id = k.value ->> 1
  WHERE ${A} = t.requester OR (${ARE_LINKED(A, 't.requester')})`;
/** The same of an account and whoever published a task; a row for each that is one party with it. */
export const OF_REQUESTER: Table<OnTask, true> = {
  name: 'of_requester',
  read: {
    sqlite: `SELECT json_group_array(json_array(${A}, ${B})) FROM json_each(?) k
      CROSS JOIN ${FROM_TASK}`,
    postgres: `SELECT json_agg(json_build_array(${A}, ${B}))::text
      FROM jsonb_array_elements(?::jsonb) AS k (value) JOIN ${FROM_TASK}`,
  },
  id: ({ account, taskId }) => `${account} ${taskId}`,
  keyCells: ({ account, taskId }) => [account, taskId],
  found: (cells) => [`${textCell(cells, 0)} ${textCell(cells, 1)}`, true],
  inserted: () => assert.fail('accounts are linked by free units'),
};
