import type { Account, KeyId } from '../../domain/account.ts';
import type { Instant } from '../../domain/instant.ts';
import { parseAtomic, ZERO, type Atomic } from '../../domain/money.ts';
import { NOTHING_SPENT, type KeyPolicy, type Spent } from '../../domain/wallet/policy.ts';
import { account, amount, column as columnOf, integer, keyId, moment } from '../batch/columns.ts';
import { table, type RowIn } from '../batch/table.ts';
import { lockApiKeys } from '../advisoryLocks.ts';
import * as column from '../columns.ts';
import { linkOf, statement, type Reader, type Writer } from '../connection.ts';
import { ACCOUNTS } from '../ledger/accountsTable.ts';

/** A policy as it is stored, in JSON. */
export function policyColumn() {
  return columnOf<KeyPolicy>('text', policyText, (cell, name) =>
    policyIn(column.textOf(cell, name)),
  );
}

/** A key without a row has no limits. A removed policy keeps its row, so past use still counts. */
export const KEY_POLICIES = table(
  'key_policies',
  {
    keyId: keyId().key(),
    account: account().key(),
    policy: policyColumn().optional(),
    setBy: keyId(),
    setAt: moment(),
    revokedAt: moment().optional(),
    revokedBy: keyId().optional(),
    spentAt: moment(),
    hourUsed: amount(),
    dayUsed: amount(),
    monthUsed: amount(),
    refusedAt: moment().optional(),
    revision: integer().guard(),
  },
  {
    personal: {
      owner: 'account',
      order: ['key_id'],
      stays: 'It protects the account against its own keys.',
    },
    remembered: 'rows',
    under: [ACCOUNTS],
  },
);
export type KeyRule = RowIn<typeof KEY_POLICIES>;

/** Rows of an account: as many keys as it may have, and as many that never joined. */
export const RULES_PER_ACCOUNT_MAX = 400;

export function spentOf({ spentAt: at, hourUsed, dayUsed, monthUsed }: KeyRule): Spent {
  return { at, hour: hourUsed, day: dayUsed, month: monthUsed };
}

export function withSpent(rule: KeyRule, { at, hour, day, month }: Spent): KeyRule {
  return {
    ...rule,
    spentAt: at,
    hourUsed: hour,
    dayUsed: day,
    monthUsed: month,
    revision: rule.revision + 1,
  };
}

/** A key whose policy is past its expiry is treated as a revoked one. */
export function endOf(rule: KeyRule, now: Instant): Instant | undefined {
  if (rule.revokedAt !== undefined) return rule.revokedAt;
  const expiresAt = rule.policy?.expiresAt;
  return expiresAt !== undefined && expiresAt <= now ? expiresAt : undefined;
}

/** Whether the word of a key still counts for its account: it has no limits and has not ended. */
export function isUnlimited(rule: KeyRule | undefined, now: Instant): boolean {
  return rule === undefined || (rule.policy === undefined && endOf(rule, now) === undefined);
}

/** When a key ended that acted for an account; undefined while it may sign. */
export async function keyEnd(
  db: Reader,
  keyId: KeyId,
  account: Account,
  now: Instant,
): Promise<Instant | undefined> {
  const rule = await ruleOf(db, keyId, account);
  return rule && endOf(rule, now);
}

const ALL = KEY_POLICIES.columns.join(', ');
const ONE = statement(`SELECT ${ALL} FROM key_policies WHERE key_id = ? AND account = ?`);
const LIST = statement(
  `SELECT ${ALL} FROM key_policies WHERE account = ? ORDER BY key_id LIMIT ${RULES_PER_ACCOUNT_MAX}`,
);
const COUNT = statement('SELECT count(*) AS rules FROM key_policies WHERE account = ?');
const PUT =
  statement(`INSERT INTO key_policies (key_id, account, policy, set_by, set_at, revoked_at,
    revoked_by, spent_at, hour_used, day_used, month_used, revision)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, 0, 0, 0, 1)
  ON CONFLICT (key_id, account) DO UPDATE SET policy = excluded.policy, set_by = excluded.set_by,
    set_at = excluded.set_at, revoked_at = excluded.revoked_at, revoked_by = excluded.revoked_by,
    revision = key_policies.revision + 1`);

export async function ruleOf(
  db: Reader,
  keyId: KeyId,
  account: Account,
): Promise<KeyRule | undefined> {
  const row = column.one(await linkOf(db).rows(ONE, [keyId, account]));
  return row && KEY_POLICIES.fromRow(row);
}

export async function rulesOf(db: Reader, account: Account): Promise<ReadonlyMap<KeyId, KeyRule>> {
  const rows = (await linkOf(db).rows(LIST, [account])).map((row) => KEY_POLICIES.fromRow(row));
  return new Map(rows.map((rule) => [rule.keyId, rule]));
}

/** Locks an account's policies, so that of two keys that limit each other one stays unlimited. */
export async function lockRules(
  tx: Writer,
  keyId: KeyId,
  account: Account,
): Promise<KeyRule | undefined> {
  await lockApiKeys(tx, account);
  return ruleOf(tx, keyId, account);
}

export async function countRules(db: Reader, account: Account): Promise<number> {
  const row = column.one(await linkOf(db).rows(COUNT, [account]));
  return row === undefined ? 0 : Number(row['rules']);
}

export type NewRule = Pick<
  KeyRule,
  'keyId' | 'account' | 'policy' | 'setBy' | 'setAt' | 'revokedAt' | 'revokedBy'
>;

/** Inserts a row, or replaces the policy of the one that is there and leaves its counts. */
export async function putRule(tx: Writer, rule: NewRule): Promise<void> {
  const { policy, setBy, setAt, revokedAt, revokedBy } = rule;
  const text = policy === undefined ? null : policyText(policy);
  const revoked = [revokedAt ?? null, revokedBy ?? null];
  const of = [rule.keyId, rule.account, text, setBy, setAt, ...revoked, NOTHING_SPENT.at];
  await linkOf(tx).rows(PUT, of);
}

type Wire = Readonly<Record<string, unknown>>;

function policyText(policy: KeyPolicy): string {
  return JSON.stringify(policy, (_, value: unknown) =>
    typeof value === 'bigint' ? `${value}` : value,
  );
}

const AMOUNTS = ['perCall', 'perHour', 'perDay', 'perMonth', 'approveAbove'] as const;

function policyIn(text: string): KeyPolicy {
  const stored = JSON.parse(text) as Wire;
  const amounts: { [name in (typeof AMOUNTS)[number]]?: Atomic } = {};
  for (const name of AMOUNTS) {
    const value = stored[name];
    if (typeof value === 'string') amounts[name] = parseAtomic(value) ?? ZERO;
  }
  return { ...(stored as KeyPolicy), ...amounts };
}
