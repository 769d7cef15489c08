import { strict as assert } from 'node:assert';
import type { Account } from '../../domain/account.ts';
import { defined } from '../../domain/defined.ts';
import { apply } from '../../domain/ledger.ts';
import type {
  Applied,
  Commitment,
  CommitmentId,
  InsufficientFunds,
  Transfer,
} from '../../domain/ledger/transfer.ts';
import type { Instant } from '../../domain/instant.ts';
import type { Dialect } from '../connection.ts';
import { need, type Need } from '../declared/table.ts';
import type { Decider } from '../declared/unit.ts';
import {
  ACCOUNTS,
  COMMITMENTS,
  ENTRIES,
  LEDGER_NEXT,
  TRANSFERS,
  type AccountKey,
  type AccountRow,
} from './declared.ts';
import { LedgerFrozen } from './memory.ts';
import { commitmentsOf, plainly, type Posted } from './post.ts';
import { created, drains, named, onShards, shardOf } from './shards.ts';

/** A transfer on the shards that it touches, with what has to be known to post it. */
export interface PlannedTransfer {
  readonly transfer: Transfer;
  readonly accounts: readonly AccountKey[];
  readonly commitments: readonly CommitmentId[];
  readonly made: ReadonlySet<Account>;
  readonly needs: readonly Need[];
}

/**
 * Plans a transfer of a declared unit, by its steps alone: `owners` are the accounts that hold the
 * commitments which it changes. The steps may still shrink when the unit decides.
 */
export function planTransfer(
  dialect: Dialect,
  transfer: Transfer,
  owners: readonly Account[] = [],
): PlannedTransfer {
  assert(!drains(transfer.steps, dialect), 'money leaves the fee account in a free unit');
  const steps = onShards(transfer.steps, shardOf(transfer.id, dialect), new Map());
  const made = created(steps);
  const { network, asset } = transfer;
  const accounts = [...new Set([...named(steps), ...owners])].map((account) => {
    const isMadeAhead = dialect === 'postgres' && made.has(account);
    return { network, asset, account, isMadeAhead };
  });
  // Those that it opens too: a batch writes only what it looked for.
  const opened = steps.flatMap((step) => (step.verb === 'hold' ? [step.commitment] : []));
  const commitments = [...commitmentsOf(steps), ...opened];
  const needs = [
    ...(dialect === 'sqlite' ? [need(LEDGER_NEXT, 'next')] : []),
    ...accounts.map((key) => need(ACCOUNTS, key)),
    ...commitments.map((id) => need(COMMITMENTS, id)),
  ];
  return { transfer: { ...transfer, steps }, accounts, commitments, made, needs };
}

/**
 * `post` for a declared unit: the same door and the same rules, on the working set of its batch.
 * It happened when it is decided, which on SQLite is the order of writing. Its sequence is not known
 * before it is written.
 */
export function postDeclared(
  db: Decider,
  { transfer: plan, accounts, commitments, made }: PlannedTransfer,
  at: Instant,
): Omit<Posted, 'seq'> | InsufficientFunds {
  const transfer = { ...plan, at };
  const frozenSince = db.ledger.frozenSince();
  if (frozenSince !== undefined) throw new LedgerFrozen(frozenSince);
  const rows = new Map<Account, AccountRow>();
  for (const key of accounts) {
    const row = db.find(ACCOUNTS, key);
    if (row !== undefined) rows.set(key.account, row);
  }
  const held = new Map<CommitmentId, Commitment>();
  for (const id of commitments) {
    const row = db.find(COMMITMENTS, id);
    if (row !== undefined) held.set(id, row.commitment);
  }
  const applied = apply(rows, held, transfer);
  if ('refused' in applied) return plainly(applied);
  for (const key of accounts) {
    if (!rows.has(key.account) && made.has(key.account)) rows.set(key.account, newRow(db, key));
  }
  putTransfer(db, transfer);
  putBalances(db, transfer, applied, rows);
  putCommitments(db, transfer, applied, rows);
  db.posted.push(transfer.id);
  return { posted: true, transferId: transfer.id, balances: applied.balances };
}

/** On SQLite alone, where no lock order is to be kept: the batch writes it with the rest. */
function newRow(db: Decider, { network, asset, account }: AccountKey): AccountRow {
  const next = db.find(LEDGER_NEXT, 'next');
  assert(next !== undefined, 'an account that is locked was made ahead');
  db.put(LEDGER_NEXT, 'next', { ...next, accountId: next.accountId + 1 });
  return { id: next.accountId, network, asset, account, posted: 0n, held: 0n, seq: 0 };
}

function putTransfer(db: Decider, transfer: Transfer): void {
  const next = db.dialect === 'sqlite' ? db.find(LEDGER_NEXT, 'next') : undefined;
  if (next !== undefined) {
    db.put(LEDGER_NEXT, 'next', { ...next, transferSeq: next.transferSeq + 1 });
  }
  db.put(TRANSFERS, transfer.id, { ...transfer, seq: next?.transferSeq });
}

function putBalances(
  db: Decider,
  transfer: Transfer,
  { entries, balances }: Applied,
  rows: ReadonlyMap<Account, AccountRow>,
): void {
  for (const entry of entries) {
    const { id: accountId } = rowOf(rows, entry.account);
    const key = { accountId, accountSeq: entry.accountSeq };
    db.put(ENTRIES, key, { ...entry, accountId, transfer });
  }
  for (const [account, after] of balances) {
    const row = { ...rowOf(rows, account), ...after };
    db.put(ACCOUNTS, { ...row, isMadeAhead: false }, row);
  }
}

function putCommitments(
  db: Decider,
  transfer: Transfer,
  { commitments }: Applied,
  rows: ReadonlyMap<Account, AccountRow>,
): void {
  for (const [id, commitment] of commitments) {
    const before = db.find(COMMITMENTS, id);
    const accountId = before?.accountId ?? rowOf(rows, commitment.account).id;
    const opened = before === undefined ? transfer : before.opened;
    db.put(COMMITMENTS, id, {
      ...{ commitment, accountId },
      ...defined({ opened }),
      ...(commitment.remaining === 0n && { closedBy: transfer.id }),
    });
  }
}

function rowOf(rows: ReadonlyMap<Account, AccountRow>, account: Account): AccountRow {
  const found = rows.get(account);
  assert(found !== undefined, `no row for ${account}`);
  return found;
}
