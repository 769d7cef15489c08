import { parseKeyId, type Account, type KeyId } from '../../domain/account.ts';
import { defined } from '../../domain/defined.ts';
import type { Instant } from '../../domain/instant.ts';
import { text } from '../batch/columns.ts';
import { table } from '../batch/table.ts';
import * as column from '../columns.ts';
import { lockApiKeys } from '../advisoryLocks.ts';
import { linkOf, statement, type Reader, type Row, type Writer } from '../connection.ts';

/** Keys of the compatible door; only a digest of each is kept (choices wallet.api-keys). */
export interface ApiKey {
  readonly id: string;
  readonly account: Account;
  /** Its first characters. */
  readonly hint: string;
  readonly label?: string;
  /** The key under whose policy it spends; absent for those of before there were policies. */
  readonly mintedBy?: KeyId;
  readonly createdAt: Instant;
  readonly revokedAt?: Instant;
}

/** Of one account, revoked ones not counted. */
export const API_KEYS_MAX = 100;
/** Revoked ones are listed as long as they are among the newest. */
const LISTED_MAX = 200;

const INSERT = statement(`
  INSERT INTO api_keys (id, account, digest, hint, label, created_at, minted_by)
  VALUES (?, ?, ?, ?, ?, ?, ?)`);
const GOOD = statement(`
  SELECT count(*) AS good FROM api_keys WHERE account = ? AND revoked_at IS NULL`);

/** Stores the key. Returns false if the account is at its limit. */
export async function insertApiKey(tx: Writer, key: ApiKey, digest: string): Promise<boolean> {
  const link = linkOf(tx);
  const { id, account, hint, label, createdAt, mintedBy } = key;
  await lockApiKeys(tx, account);
  const row = column.one(await link.rows(GOOD, [account]));
  if (row === undefined || Number(row['good']) >= API_KEYS_MAX) return false;
  const values = [id, account, digest, hint, label ?? null, createdAt, mintedBy ?? null];
  await link.rows(INSERT, values);
  return true;
}

/** It ends with the key that minted it. */
const IS_GOOD = `t.revoked_at IS NULL AND NOT EXISTS (SELECT 1 FROM key_policies p
  WHERE p.key_id = t.minted_by AND p.account = t.account AND p.revoked_at IS NOT NULL)`;
const BY_DIGEST = statement(`SELECT * FROM api_keys AS t WHERE digest = ? AND ${IS_GOOD}`);

export async function apiKeyOf(db: Reader, digest: string): Promise<ApiKey | undefined> {
  const row = column.one(await linkOf(db).rows(BY_DIGEST, [digest]));
  return row && keyOf(row);
}

/** Digests of keys that are not revoked, for units that a key has begun. */
export const GOOD_API_KEYS = table(
  'api_keys',
  { digest: text().key() },
  {
    personal: {
      owner: 'account',
      order: ['id'],
      without: ['digest'],
      stays: 'Receipts name the key; its label is erased. Revoke it with wallet.revokeApiKey.',
    },
    use: 'read',
    where: IS_GOOD,
  },
);

const LIST = statement('SELECT * FROM api_keys WHERE account = ? ORDER BY id DESC LIMIT ?');

export async function apiKeysOf(db: Reader, account: Account): Promise<readonly ApiKey[]> {
  return (await linkOf(db).rows(LIST, [account, LISTED_MAX])).map(keyOf);
}

const REVOKE = statement(`
  UPDATE api_keys SET revoked_at = coalesce(revoked_at, ?) WHERE account = ? AND id = ?
  RETURNING *`);

/** Ends a key of the account; undefined when it has no such key. */
export async function revokeApiKey(
  tx: Writer,
  { account, id, at }: { readonly account: Account; readonly id: string; readonly at: Instant },
): Promise<ApiKey | undefined> {
  const row = column.one(await linkOf(tx).rows(REVOKE, [at, account, id]));
  return row && keyOf(row);
}

function keyOf(row: Row): ApiKey {
  const label = column.textOrNull(row, 'label');
  const revokedAt = column.timeOrNull(row, 'revoked_at');
  const mintedBy = parseKeyId(column.textOrNull(row, 'minted_by') ?? '');
  return {
    id: column.text(row, 'id'),
    account: column.account(row, 'account'),
    hint: column.text(row, 'hint'),
    ...(label !== null && { label }),
    createdAt: column.time(row, 'created_at'),
    ...(revokedAt !== null && { revokedAt }),
    ...defined({ mintedBy }),
  };
}
