import { strict as assert } from 'node:assert';
import type { Account } from '../../domain/account.ts';
import type { Applied, Commitment, CommitmentId, Transfer } from '../../domain/ledger/transfer.ts';
import { one, whole } from '../columns.ts';
import {
  linkOf,
  statement,
  type Cell,
  type Statement,
  type Value,
  type Writer,
} from '../connection.ts';
import type { Held } from './accounts.ts';
import { accountOfShard } from './shards.ts';

/**
 * Writes a worked-out transfer in one statement: on SQLite through the view `postings` of the first
 * migration, on PostgreSQL by a WITH. Every update names the state that it was worked out from, so
 * a write that lost a race changes no row and is noticed. Amounts go as numbers: the ledger keeps
 * them below 2^53.
 */
export interface Before {
  readonly accounts: ReadonlyMap<Account, Held>;
  readonly commitments: ReadonlyMap<CommitmentId, Commitment>;
  /** Sequence of this transfer where the one writer counts; PostgreSQL counts by itself. */
  readonly nextSeq?: number;
}
type Rows = readonly (readonly Cell[])[];
interface Lines {
  readonly head: readonly Cell[];
  readonly entries: Rows;
  readonly accounts: Rows;
  readonly opened: Rows;
  readonly changed: Rows;
}

const HEAD = 'transfers (id, network, asset, event, ref_kind, ref_id, actor, memo, at)';
const ENTRY = `entries (account_id, account_seq, kind, reason, counterparty, delta, posted_after,
  held_after, transfer_seq, at)`;
const OPENED = `commitments (id, account_id, kind, ref_kind, ref_id, amount, remaining, expires_at,
  state, opened_by, opened_at, closed_by)`;

const POSTINGS = statement(`INSERT INTO postings (seq, id, network, asset, event, ref_kind, ref_id,
  actor, memo, at, entries, accounts, opened, changed)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`);

/** Lists up to this length are written out, longer ones go as arrays: few texts, any length. */
const WRITTEN_OUT_MAX = 8;
const ENTRY_TYPES = ['bigint', 'bigint', 'text', 'text', 'text', 'bigint', 'bigint', 'bigint'];
const ACCOUNT_TYPES = ['bigint', 'bigint', 'bigint', 'bigint', 'bigint'];
const OPENED_TYPES = ['text', 'bigint', 'text', 'text', 'text', 'bigint', 'bigint', 'bigint'];
const CHANGED_TYPES = ['text', 'bigint', 'bigint'];

/**
 * A list as a table. PostgreSQL guesses how long an array is, and plans an array anew each time; a
 * list written out costs the same whatever is in it, so its plan is kept.
 */
function source(types: readonly string[], rows: Rows): string {
  if (rows.length > WRITTEN_OUT_MAX) {
    return `unnest(${types.map((type) => `?::${type}[]`).join(', ')})`;
  }
  const row = `(${types.map((type) => `?::${type}`).join(', ')})`;
  return `(VALUES ${rows.map(() => row).join(', ')})`;
}

function sourceValues(types: readonly string[], rows: Rows): readonly Value[] {
  if (rows.length <= WRITTEN_OUT_MAX) return rows.flat();
  return types.map((_, index) => rows.map((row) => row[index] ?? null));
}

function postText({ entries, accounts, opened, changed }: Lines): string {
  const state = (remaining: string): string =>
    `CASE WHEN ${remaining} > 0 THEN 'open' ELSE 'closed' END`;
  const closed = (remaining: string): string =>
    `CASE WHEN ${remaining} > 0 THEN NULL ELSE t.seq END`;
  const parts = [
    `t AS (INSERT INTO ${HEAD} VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) RETURNING seq, at)`,
    `e AS (INSERT INTO ${ENTRY}
      SELECT v.*, t.seq, t.at FROM t, ${source(ENTRY_TYPES, entries)} AS v)`,
    `a AS (UPDATE accounts SET posted = v.posted, held = v.held, seq = v.seq
      FROM ${source(ACCOUNT_TYPES, accounts)} AS v (id, posted, held, seq, before)
      WHERE accounts.id = v.id AND accounts.seq = v.before RETURNING 1)`,
  ];
  if (opened.length > 0) {
    parts.push(`o AS (INSERT INTO ${OPENED}
      SELECT v.*, ${state('v.remaining')}, t.seq, t.at, ${closed('v.remaining')}
      FROM t, ${source(OPENED_TYPES, opened)}
        AS v (id, account, kind, ref, ref_id, amount, remaining, expires))`);
  }
  if (changed.length > 0) {
    parts.push(`c AS (UPDATE commitments SET remaining = v.remaining,
        state = ${state('v.remaining')}, closed_by = ${closed('v.remaining')}
      FROM t, ${source(CHANGED_TYPES, changed)} AS v (id, remaining, before)
      WHERE commitments.id = v.id AND commitments.remaining = v.before RETURNING 1)`);
  }
  const count = changed.length > 0 ? '(SELECT count(*) FROM c)' : '0';
  return `WITH ${parts.join(', ')}
    SELECT seq, (SELECT count(*) FROM a) AS accounts, ${count}::bigint AS changed FROM t`;
}

/** Texts by the lengths of their lists; bounded by the lengths that are written out. */
const POSTS = new Map<string, Statement>();

function postStatement(lines: Lines): Statement {
  const lists = [lines.entries, lines.accounts, lines.opened, lines.changed];
  const shape = lists.map(({ length }) => Math.min(length, WRITTEN_OUT_MAX + 1)).join();
  const known = POSTS.get(shape) ?? statement('', postText(lines));
  POSTS.set(shape, known);
  return known;
}

/** Answers the transfer's sequence number. */
export async function writeJournal(
  tx: Writer,
  transfer: Transfer,
  applied: Applied,
  before: Before,
): Promise<number> {
  const { id, network, asset, event, ref, actor, memo, at } = transfer;
  const head = [id, network, asset, event, ref.kind, ref.id, actor, memo ?? null, at];
  const lines = { head, ...linesOf(applied, before) };
  const { nextSeq } = before;
  return nextSeq === undefined ? onPostgres(tx, lines) : onSqlite(tx, lines, nextSeq);
}

function linesOf(applied: Applied, before: Before): Omit<Lines, 'head'> {
  const row = (account: Account): Held => {
    const found = before.accounts.get(account);
    assert(found !== undefined, `no row for ${account}`);
    return found;
  };
  const commitments = [...applied.commitments.values()];
  return {
    entries: applied.entries.map((entry) => [
      row(entry.account).id,
      entry.accountSeq,
      entry.kind,
      entry.reason,
      entry.counterparty === undefined ? null : accountOfShard(entry.counterparty),
      Number(entry.delta),
      Number(entry.postedAfter),
      Number(entry.heldAfter),
    ]),
    accounts: [...applied.balances].map(([account, after]) => {
      const { id, seq } = row(account);
      return [id, Number(after.posted), Number(after.held), after.seq, seq];
    }),
    opened: commitments
      .filter(({ id }) => !before.commitments.has(id))
      .map((each) => [
        each.id,
        row(each.account).id,
        each.kind,
        each.ref.kind,
        each.ref.id,
        Number(each.amount),
        Number(each.remaining),
        each.expiresAt ?? null,
      ]),
    changed: commitments.flatMap(({ id, remaining }) => {
      const was = before.commitments.get(id);
      return was === undefined ? [] : [[id, Number(remaining), Number(was.remaining)]];
    }),
  };
}

async function onSqlite(tx: Writer, lines: Lines, seq: number): Promise<number> {
  const { head, entries, accounts, opened, changed } = lines;
  const lists = [entries, accounts, opened, changed].map((rows) => JSON.stringify(rows));
  await linkOf(tx).rows(POSTINGS, [seq, ...head, ...lists]);
  return seq;
}

async function onPostgres(tx: Writer, lines: Lines): Promise<number> {
  const { head, entries, accounts, opened, changed } = lines;
  const written = one(
    await linkOf(tx).rows(postStatement(lines), [
      ...head,
      ...sourceValues(ENTRY_TYPES, entries),
      ...sourceValues(ACCOUNT_TYPES, accounts),
      ...sourceValues(OPENED_TYPES, opened),
      ...sourceValues(CHANGED_TYPES, changed),
    ]),
  );
  assert(written !== undefined);
  assert(whole(written, 'accounts') === accounts.length, 'a locked account changed');
  assert(whole(written, 'changed') === changed.length, 'a commitment changed');
  return whole(written, 'seq');
}
