import { strict as assert } from 'node:assert';
import type { Account } from '../../domain/account.ts';
import type { Applied, Commitment, CommitmentId, Transfer } from '../../domain/ledger/transfer.ts';
import { one, whole } from '../columns.ts';
import { linkOf, statement, type Cell, type Writer } from '../connection.ts';
import type { Held } from './accounts.ts';
import { accountOfSlot } from './slots.ts';

/**
 * Writes a worked-out transfer in one statement: on SQLite through the view `postings` of the first
 * migration, on PostgreSQL by a WITH. Every update names the state that it was worked out from, so a write that lost a race
 * changes no row and is noticed. Amounts go as numbers: the ledger keeps them below 2^53.
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

const WRITE = `
  WITH t AS (INSERT INTO ${HEAD} VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) RETURNING seq, at),
  e AS (INSERT INTO ${ENTRY} SELECT v.*, t.seq, t.at FROM t, unnest(?::bigint[], ?::bigint[],
    ?::text[], ?::text[], ?::text[], ?::bigint[], ?::bigint[], ?::bigint[]) AS v),
  a AS (UPDATE accounts SET posted = v.posted, held = v.held, seq = v.seq
    FROM unnest(?::bigint[], ?::bigint[], ?::bigint[], ?::bigint[], ?::bigint[])
      AS v (id, posted, held, seq, before)
    WHERE accounts.id = v.id AND accounts.seq = v.before RETURNING 1)`;
const WRITE_COMMITMENTS = `,
  o AS (INSERT INTO ${OPENED} SELECT v.*, CASE WHEN remaining > 0 THEN 'open' ELSE 'closed' END,
      t.seq, t.at, CASE WHEN remaining > 0 THEN NULL ELSE t.seq END
    FROM t, unnest(?::text[], ?::bigint[], ?::text[], ?::text[], ?::text[], ?::bigint[],
      ?::bigint[], ?::bigint[]) AS v (id, account, kind, ref, ref_id, amount, remaining, expires)),
  c AS (UPDATE commitments SET remaining = v.remaining,
      state = CASE WHEN v.remaining > 0 THEN 'open' ELSE 'closed' END,
      closed_by = CASE WHEN v.remaining > 0 THEN NULL ELSE t.seq END
    FROM t, unnest(?::text[], ?::bigint[], ?::bigint[]) AS v (id, remaining, before)
    WHERE commitments.id = v.id AND commitments.remaining = v.before RETURNING 1)`;
const WRITTEN = 'SELECT seq, (SELECT count(*) FROM a) AS accounts';
const POST = statement('', `${WRITE} ${WRITTEN} FROM t`);
const POST_HOLDS = statement(
  '',
  `${WRITE}${WRITE_COMMITMENTS} ${WRITTEN}, (SELECT count(*) FROM c) AS changed FROM t`,
);

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
      entry.counterparty === undefined ? null : accountOfSlot(entry.counterparty),
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
  const plain = [...head, ...columns(entries, 8), ...columns(accounts, 5)];
  const holds = opened.length + changed.length > 0;
  const rows = holds
    ? await linkOf(tx).rows(POST_HOLDS, [...plain, ...columns(opened, 8), ...columns(changed, 3)])
    : await linkOf(tx).rows(POST, plain);
  const written = one(rows);
  assert(written !== undefined);
  assert(whole(written, 'accounts') === accounts.length, 'a locked account changed');
  if (holds) assert(whole(written, 'changed') === changed.length, 'a commitment changed');
  return whole(written, 'seq');
}

function columns(rows: Rows, width: number): readonly (readonly Cell[])[] {
  return Array.from({ length: width }, (_, index) => rows.map((row) => row[index] ?? null));
}
