import type { Account } from '../../domain/account.ts';
import { parseReason, type Reason } from '../../domain/ledger/reasons.ts';
import { transferId, type Ref, type TransferId } from '../../domain/ledger/transfer.ts';
import type { Instant } from '../../domain/instant.ts';
import { atomic, type Atomic } from '../../domain/money.ts';
import { account as accountColumn, signed, text, textOrNull, time, whole } from '../columns.ts';
import { linkOf, statement as sql, type Dialect, type Reader, type Row } from '../connection.ts';
import type { Place } from './accounts.ts';

export const STATEMENT_ENTRIES_MAX = 200;

/** One line of an account's history (choices ledger.accounts). Amounts are never below zero. */
export interface StatementEntry {
  /** Gapless within the account, so paging by it is stable. */
  readonly seq: number;
  readonly at: Instant;
  readonly direction: 'in' | 'out' | 'hold' | 'release';
  readonly reason: Reason;
  readonly amount: Atomic;
  readonly balanceAfter: bigint;
  readonly heldAfter: Atomic;
  readonly spendableAfter: bigint;
  readonly counterparty?: Account;
  readonly event: string;
  readonly ref: Ref;
  readonly memo?: string;
  readonly transferId: TransferId;
}
export interface StatementPage {
  readonly entries: readonly StatementEntry[];
  /** `before` of the next page; absent on the last. */
  readonly next?: number;
}

/** The account's number is looked up once: a join with `accounts` would read its whole history. */
const OF_ACCOUNT = `
  SELECT e.account_seq, e.at, e.kind, e.reason, e.counterparty, e.delta, e.posted_after,
    e.held_after, t.id, t.event, t.ref_kind, t.ref_id, t.memo
  FROM entries e
  JOIN transfers t ON t.seq = e.transfer_seq
  WHERE e.account_id = (
    SELECT id FROM accounts WHERE network = ? AND asset = ? AND name = ? AND shard = ?)`;
const PAGE = sql(`${OF_ACCOUNT} AND e.account_seq < ? ORDER BY e.account_seq DESC LIMIT ?`);

/** Newest first. `shard` names one row of the sharded fee account; every other account has 0. */
export async function statement(
  db: Reader,
  account: Account,
  { network, asset }: Place,
  page: { readonly limit: number; readonly before?: number; readonly shard?: number },
): Promise<StatementPage> {
  const limit = Math.min(Math.max(page.limit, 1), STATEMENT_ENTRIES_MAX);
  const before = page.before ?? Number.MAX_SAFE_INTEGER;
  const values = [network, asset, account, page.shard ?? 0, before, limit];
  const entries = (await linkOf(db).rows(PAGE, values)).map(entry);
  const last = entries.at(-1)?.seq ?? 1;
  return entries.length < limit || last === 1 ? { entries } : { entries, next: last };
}

/** Entries that one search looks at, the newest behind its cursor (choices wallet.search). */
const SEARCHED_MAX = 5_000;

export interface StatementFilter {
  readonly reason?: Reason;
  readonly counterparty?: Account;
  /** Not before. */
  readonly from?: Instant;
  /** Before. */
  readonly to?: Instant;
  readonly minAmount?: Atomic;
  /** A part of the memo, letter by letter. */
  readonly memo?: string;
  readonly task?: string;
}

const AT = `SELECT account_seq AS seq FROM entries WHERE account_id = (
  SELECT id FROM accounts WHERE network = ? AND asset = ? AND name = ? AND shard = 0)`;
const FIRST_FROM = sql(`${AT} AND at >= ? ORDER BY at, account_seq LIMIT 1`);
const LAST_BEFORE = sql(`${AT} AND at < ? ORDER BY at DESC, account_seq DESC LIMIT 1`);
const NEWEST = sql(`
  SELECT seq FROM accounts WHERE network = ? AND asset = ? AND name = ? AND shard = 0`);

/**
 * Entries that fit a filter, newest first, among `SEARCHED_MAX`. The numbers of an account have no
 * gaps, so `next` can lie behind all that was looked at, also where nothing fits.
 */
export async function searchStatement(
  db: Reader,
  account: Account,
  { network, asset }: Place,
  page: {
    readonly limit: number;
    readonly before?: number;
    readonly filter: StatementFilter;
    readonly searched?: number;
  },
): Promise<StatementPage> {
  const link = linkOf(db);
  const { filter, limit, before, searched = SEARCHED_MAX } = page;
  const of = [network, asset, account];
  const seqOf = async (query: typeof NEWEST, ...more: readonly number[]): Promise<number> => {
    const [row] = await link.rows(query, [...of, ...more]);
    return row === undefined ? 0 : whole(row, 'seq');
  };
  const { from, to } = filter;
  const last = to === undefined ? await seqOf(NEWEST) : await seqOf(LAST_BEFORE, to);
  const first = from === undefined ? 1 : await seqOf(FIRST_FROM, from);
  const end = Math.min(before ?? Number.MAX_SAFE_INTEGER, last + 1);
  const start = Math.max(end - searched, first, 1);
  if (first === 0 || start >= end) return { entries: [] };
  const { condition, values } = conditionOf(link.dialect, filter);
  const text = `${OF_ACCOUNT} AND e.account_seq < ? AND e.account_seq >= ? ${condition}
    ORDER BY e.account_seq DESC LIMIT ?`;
  const cells = [...of, 0, end, start, ...values, limit + 1];
  const found = (await link.rows(sql(text), cells)).map(entry);
  const entries = found.slice(0, limit);
  const lastShown = entries.at(-1)?.seq;
  if (found.length > limit && lastShown !== undefined) return { entries, next: lastShown };
  return start === Math.max(first, 1) ? { entries } : { entries, next: start };
}

function conditionOf(
  dialect: Dialect,
  { reason: why, counterparty, from, to, minAmount, memo, task }: StatementFilter,
): { readonly condition: string; readonly values: readonly (string | number)[] } {
  const contains = dialect === 'sqlite' ? 'instr(t.memo, ?)' : 'strpos(t.memo, ?)';
  const parts: readonly (readonly [string, string | number | undefined])[] = [
    ['e.reason = ?', why],
    ['e.counterparty = ?', counterparty],
    ['e.at >= ?', from],
    ['e.at < ?', to],
    ['abs(e.delta) >= CAST(? AS BIGINT)', minAmount === undefined ? undefined : `${minAmount}`],
    [`${contains} > 0`, memo],
    ["t.ref_kind = 'task' AND t.ref_id = ?", task],
  ];
  const given = parts.flatMap(([text, value]) => (value === undefined ? [] : [{ text, value }]));
  return {
    condition: given.map(({ text }) => `AND ${text}`).join(' '),
    values: given.map(({ value }) => value),
  };
}

const AFTER = sql(`${OF_ACCOUNT} AND e.account_seq > ? ORDER BY e.account_seq LIMIT ?`);

/** Entries behind one, oldest first. */
export async function entriesBehind(
  db: Reader,
  account: Account,
  { network, asset }: Place,
  after: number,
  limit: number,
): Promise<readonly StatementEntry[]> {
  const values = [network, asset, account, 0, after, limit];
  return (await linkOf(db).rows(AFTER, values)).map(entry);
}

function entry(row: Row): StatementEntry {
  const delta = signed(row, 'delta');
  const posted = signed(row, 'posted_after');
  const held = atomic(signed(row, 'held_after'));
  const memo = textOrNull(row, 'memo');
  return {
    seq: whole(row, 'account_seq'),
    at: time(row, 'at'),
    direction: direction(text(row, 'kind'), delta),
    reason: reason(row),
    amount: atomic(delta < 0n ? -delta : delta),
    balanceAfter: posted,
    heldAfter: held,
    spendableAfter: posted - held,
    ...(row['counterparty'] !== null && { counterparty: accountColumn(row, 'counterparty') }),
    event: text(row, 'event'),
    ref: { kind: text(row, 'ref_kind'), id: text(row, 'ref_id') },
    ...(memo !== null && { memo }),
    transferId: transferId(text(row, 'id')),
  };
}

function direction(kind: string, delta: bigint): StatementEntry['direction'] {
  if (kind === 'hold' || kind === 'release') return kind;
  return delta < 0n ? 'out' : 'in';
}

export function reason(row: Row): Reason {
  const found = parseReason(text(row, 'reason'));
  if (found === undefined) throw new Error(`not a reason: ${text(row, 'reason')}`);
  return found;
}
