import { keyAccount, type Account, type KeyId } from '../../domain/account.ts';
import type { Instant } from '../../domain/instant.ts';
import * as column from '../batch/columns.ts';
import type { RowIn } from '../batch/table.ts';
import type { Decider } from '../batch/transaction.ts';
import { account, one } from '../columns.ts';
import { linkOf, statement, type Reader, type Row, type Writer } from '../connection.ts';
import { table } from '../batch/table.ts';
import { settleKey } from './homes.ts';
import { forgetProposal } from './proposals.ts';

/**
 * The first signed request binds a key to the account in its own name. Until this account is used
 * (homes.ts), the key may join another one, where it then stays.
 */
export const BOUND_KEYS = table(
  'keys',
  {
    keyId: column.keyId().key(),
    account: column.account(),
    label: column.text().orNull(),
    /** When the key was first named for this account. */
    requestedAt: column.moment(),
    boundAt: column.moment(),
    /** The key that signed for the account; null for the key in the account's own name. */
    boundBy: column.keyId().orNull(),
  },
  { personal: { owner: 'account', stays: 'Signatures name the key; its label is erased.' } },
);
export type BoundKey = RowIn<typeof BOUND_KEYS>;

/** As many as an account may have. */
export const KEYS_PER_ACCOUNT_MAX = 200;

const ACCOUNT_OF = statement('SELECT account FROM keys WHERE key_id = ?');
const SIGNER = statement(`SELECT k.account, h.account AS home FROM keys k
  LEFT JOIN key_homes h ON h.key_id = k.key_id WHERE k.key_id = ?`);
const INSERT = `${BOUND_KEYS.insertion} ON CONFLICT (key_id)`;
const BIND = statement(`${INSERT} DO NOTHING RETURNING 1 AS done`);
/** The row that the key's first request made gives way. */
const JOIN = statement(`${INSERT} DO UPDATE SET ${BOUND_KEYS.replacement} RETURNING 1 AS done`);

/** The account that a key acts for; undefined until it is bound. */
export async function accountOfKey(db: Reader, keyId: KeyId): Promise<Account | undefined> {
  const row = one(await linkOf(db).rows(ACCOUNT_OF, [keyId]));
  return row && account(row, 'account');
}

/** Returns the same account, and whether it is permanent. */
export async function signerOf(
  db: Reader,
  keyId: KeyId,
): Promise<{ readonly account: Account; readonly isSettled: boolean } | undefined> {
  const row = one(await linkOf(db).rows(SIGNER, [keyId]));
  return row && { account: account(row, 'account'), isSettled: row['home'] !== null };
}

/** Binds a key that signed for the first time to its own account; answers where it is bound. */
export function bindOwn(db: Decider, keyId: KeyId, at: Instant): Account {
  const bound = db.find(BOUND_KEYS, keyId);
  if (bound !== undefined) return bound.account;
  const account = keyAccount(keyId);
  const [requestedAt, boundAt] = [at, at];
  db.put(BOUND_KEYS, keyId, { keyId, account, label: null, requestedAt, boundAt, boundBy: null });
  return account;
}

export interface Binding {
  readonly label?: string;
  /** When the key was first named for the account; the time of binding when absent. */
  readonly requestedAt?: Instant;
  /** The bound key that signed for the account; absent for the key in the account's own name. */
  readonly boundBy?: KeyId;
}

/**
 * Binds a key to its own account, from which it may still join another, or to another for good. The
 * caller has checked both signatures. Returns the account decided first, which may not be `to`.
 */
export async function bindKey(
  tx: Writer,
  keyId: KeyId,
  to: Account,
  at: Instant,
  { label, requestedAt, boundBy }: Binding = {},
): Promise<Account> {
  const values = BOUND_KEYS.cells({
    keyId,
    account: to,
    label: label ?? null,
    requestedAt: requestedAt ?? at,
    boundAt: at,
    boundBy: boundBy ?? null,
  });
  if (to === keyAccount(keyId)) {
    const bound = await linkOf(tx).rows(BIND, values);
    return bound.length > 0 ? to : ((await accountOfKey(tx, keyId)) ?? to);
  }
  const home = await settleKey(tx, keyId, to, at);
  if (home !== to) return home;
  await linkOf(tx).rows(JOIN, values);
  await forgetProposal(tx, keyId, to);
  return to;
}

/** Sets the label of a bound key, or only fills it in when it has none; false when it was kept. */
export async function labelKey(
  tx: Writer,
  keyId: KeyId,
  label: string,
  when: 'always' | 'when-unlabelled',
): Promise<boolean> {
  const query = tx.knex('keys').where({ key_id: keyId });
  if (when === 'when-unlabelled') void query.whereNull('label');
  return (await query.update({ label })) === 1;
}

export async function boundKeys(db: Reader, of: Account): Promise<readonly BoundKey[]> {
  const rows = await db
    .knex<Row>('keys')
    .where({ account: of })
    .orderBy(['bound_at', 'key_id'])
    .limit(KEYS_PER_ACCOUNT_MAX);
  return rows.map(BOUND_KEYS.fromRow);
}
