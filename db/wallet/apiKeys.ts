import type { Account } from '../../domain/account.ts';
import { NOTHING_SPENT, type Spent } from '../../domain/wallet/policy.ts';
import {
  account as accountColumn,
  amount,
  integer,
  keyId,
  moment,
  text,
} from '../batch/columns.ts';
import type { Decider } from '../batch/transaction.ts';
import { lookup } from '../batch/lookup.ts';
import { LOCK_KEYS } from '../batch/need.ts';
import { table, type RowIn } from '../batch/table.ts';
import * as column from '../columns.ts';
import { linkOf, statement, type Reader } from '../connection.ts';
import { policyColumn } from './policies.ts';

/** For one account, revoked ones not counted. */
export const API_KEYS_MAX = 100;
/** Revoked ones are listed as long as they are among the newest. */
const LISTED_MAX = 200;

/** Keys of the compatible door; only a digest of each is kept (choices wallet.api-keys). */
export const API_KEYS = table(
  'api_keys',
  {
    id: text().key(),
    account: accountColumn().fixed(),
    digest: text().fixed(),
    /** Its first characters. */
    hint: text().fixed(),
    label: text().fixed().optional(),
    /** The key under whose policy it spends; absent for those of before there were policies. */
    mintedBy: keyId().fixed().optional(),
    /** Its budget; absent for a key that has none of its own. */
    policy: policyColumn().optional(),
    createdAt: moment().fixed(),
    revokedAt: moment().guard().optional(),
  },
  {
    personal: {
      owner: 'account',
      order: ['id'],
      without: ['digest'],
      stays: 'Receipts name the key; its label is erased. Revoke it with wallet.revokeApiKey.',
    },
    remembered: 'rows',
  },
);
export type ApiKey = RowIn<typeof API_KEYS>;

/** The amounts that a key with a budget used in the hour, day and month of `spentAt`. */
export const API_KEY_BUDGETS = table(
  'api_key_budgets',
  {
    id: text().key(),
    spentAt: moment(),
    hourUsed: amount(),
    dayUsed: amount(),
    monthUsed: amount(),
    revision: integer().guard(),
  },
  { personal: { apart: 'sums of calls of models' }, under: [API_KEYS], remembered: 'rows' },
);

/** The amounts that a key with a budget used by its last call, in the windows of that moment. */
export function budgetSpent(db: Decider, id: string): Spent {
  const row = db.find(API_KEY_BUDGETS, id);
  if (row === undefined) return NOTHING_SPENT;
  return { at: row.spentAt, hour: row.hourUsed, day: row.dayUsed, month: row.monthUsed };
}

/** Keys of an account that are not revoked; its keys are locked, so that none is made meanwhile. */
export const API_KEYS_OF = lookup('api_keys_of', {
  by: { account: accountColumn() },
  found: { count: integer() },
  sql: ({ account }) => ({
    count: `(SELECT count(*) FROM api_keys WHERE account = ${account} AND revoked_at IS NULL)`,
  }),
  lock: LOCK_KEYS,
});

/** It ends with the key that minted it. */
const BY_DIGEST = statement(`SELECT * FROM api_keys AS t
  WHERE digest = ? AND t.revoked_at IS NULL AND NOT EXISTS (SELECT 1 FROM key_policies p
    WHERE p.key_id = t.minted_by AND p.account = t.account AND p.revoked_at IS NOT NULL)`);

export async function apiKeyOf(db: Reader, digest: string): Promise<ApiKey | undefined> {
  const row = column.one(await linkOf(db).rows(BY_DIGEST, [digest]));
  return row && API_KEYS.fromRow(row);
}

const LIST = statement('SELECT * FROM api_keys WHERE account = ? ORDER BY id DESC LIMIT ?');

export async function apiKeysOf(db: Reader, account: Account): Promise<readonly ApiKey[]> {
  return (await linkOf(db).rows(LIST, [account, LISTED_MAX])).map(API_KEYS.fromRow);
}
