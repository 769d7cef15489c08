import { strict as assert } from 'node:assert';
import type { Account } from '../../domain/account.ts';
import { atomic, type Atomic } from '../../domain/money.ts';
import type { NetworkId } from '../../domain/network.ts';
import { lockOf, textCell, wholeCell, type Table } from '../declared/table.ts';

interface LineKey {
  readonly account: Account;
  readonly network: NetworkId;
}
/**
 * What borrowers have earned, for declared units: whoever lends, collects or calls a loan holds the
 * line, so that what is read of loans behind it stays so.
 */
export const CREDIT_LINES: Table<LineKey, LineKey & { readonly earned: Atomic }> = {
  name: 'credit_lines',
  read: {
    sqlite: `SELECT json_group_array(json_array(l.account, l.network, l.earned))
      FROM json_each(?) k CROSS JOIN credit_lines l
        ON l.account = k.value ->> 0 AND l.network = k.value ->> 1`,
    postgres: `SELECT json_agg(json_build_array(l.account, l.network, l.earned))::text
      FROM jsonb_array_elements(?::jsonb) AS k (value) JOIN credit_lines l
        ON l.account = k.value ->> 0 AND l.network = k.value ->> 1`,
  },
  lock: lockOf('credit_lines', ['account', 'network']),
  id: ({ account, network }) => `${account} ${network}`,
  keyCells: ({ account, network }) => [account, network],
  found(cells) {
    const [account, network] = [textCell(cells, 0) as Account, textCell(cells, 1) as NetworkId];
    const earned = atomic(BigInt(wholeCell(cells, 2)));
    return [`${account} ${network}`, { account, network, earned }];
  },
  inserted: ({ account, network, earned }) => [account, network, Number(earned)],
  updated: ({ account, network, earned }, before) => [
    ...[account, network, Number(earned), Number(before.earned)],
  ],
};

/** Accounts with a loan that is not repaid, on whichever network; loans are for free units. */
export const DEBTORS: Table<Account, true> = {
  name: 'debtors',
  read: {
    sqlite: `SELECT json_group_array(json_array(k.value ->> 0)) FROM json_each(?) k
      WHERE EXISTS (SELECT 1 FROM loans WHERE borrower = k.value ->> 0 AND state <> 'repaid')`,
    postgres: `SELECT json_agg(json_build_array(k.value ->> 0))::text
      FROM jsonb_array_elements(?::jsonb) AS k (value)
      WHERE EXISTS (SELECT 1 FROM loans WHERE borrower = k.value ->> 0 AND state <> 'repaid')`,
  },
  id: (account) => account,
  keyCells: (account) => [account],
  found: (cells) => [textCell(cells, 0), true],
  inserted: () => assert.fail('loans are made by free units'),
};
