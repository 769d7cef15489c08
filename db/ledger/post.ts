import { strict as assert } from 'node:assert';
import type { Account } from '../../domain/account.ts';
import { defined } from '../../domain/defined.ts';
import { apply } from '../../domain/ledger.ts';
import type {
  Applied,
  Balance,
  Commitment,
  CommitmentId,
  InsufficientFunds,
  Step,
  Transfer,
  TransferId,
} from '../../domain/ledger/transfer.ts';
import { atomic } from '../../domain/money.ts';
import type { Dialect } from '../connection.ts';
import { need, type Need } from '../batch/need.ts';
import type { Decider } from '../batch/transaction.ts';
import type { Place } from './accounts.ts';
import { accountKey, ACCOUNTS, type AccountKey, type AccountRow } from './accountsTable.ts';
import { COMMITMENTS, ENTRIES, LEDGER_NEXT, TRANSFERS } from './ledgerTables.ts';
import { LedgerFrozen } from './memory.ts';
import { countSpending, type SpentParts } from './spending.ts';
import {
  accountOfShard,
  created,
  drains,
  FEE_SHARDS,
  FEES,
  named,
  onShards,
  shardOf,
} from './shards.ts';

export interface Posted {
  readonly posted: true;
  readonly transferId: TransferId;
  /** The rows that it touched, as they are after it; `hub:fees` stands there by its shard. */
  readonly balances: ReadonlyMap<Account, Balance>;
}

/**
 * Moves money, as the only writer of its tables. A refusal moves nothing. A broken rule throws, and
 * `LedgerFrozen` is thrown while the books are in doubt.
 */
export function post(db: Decider, asked: Transfer): Posted | InsufficientFunds {
  const frozenSince = db.ledger.frozenSince();
  if (frozenSince !== undefined) throw new LedgerFrozen(frozenSince);
  const steps = stepsOnShards(db, asked);
  if ('refused' in steps) return steps;
  const transfer = { ...asked, steps };
  const accounts = accountKeys(transfer, db.dialect);
  const ids = commitmentsOf(steps);
  db.ask([...readsOfAccounts(accounts, db.dialect), ...readsOfCommitments(ids)]);
  const commitments = new Map<CommitmentId, Commitment>();
  for (const id of ids) {
    const row = db.find(COMMITMENTS, id);
    if (row !== undefined) commitments.set(id, row.commitment);
  }
  const owners = keysOf(transfer, ownersOf(commitments.values()));
  db.ask(owners.map((key) => need(ACCOUNTS, key)));
  const rows = new Map<Account, AccountRow>();
  for (const key of [...accounts, ...owners]) {
    const row = db.find(ACCOUNTS, key);
    if (row !== undefined) rows.set(key.account, row);
  }
  const applied = apply(rows, commitments, transfer);
  if ('refused' in applied) return { ...applied, account: accountOfShard(applied.account) };
  const spent = countSpending(db, asked, commitments);
  if ('refused' in spent) return spent;
  for (const account of created(steps)) {
    if (!rows.has(account)) rows.set(account, newRow(db, { ...placeOf(transfer), account }));
  }
  putTransfer(db, transfer);
  putBalances(db, transfer, applied, rows);
  putCommitments(db, transfer, applied, { rows, spent });
  db.posted.push(transfer.id);
  return { posted: true, transferId: transfer.id, balances: applied.balances };
}

type Unnamed = Pick<Transfer, 'network' | 'asset' | 'ref' | 'steps'>;

/** The rows that `post` looks up, for a batch's first read; `owners` hold changed commitments. */
export function readsOf(
  dialect: Dialect,
  transfer: Unnamed,
  owners: readonly Account[] = [],
): readonly Need[] {
  const ids = commitmentsOf(shardSteps(dialect, transfer));
  return [...readsWithoutCommitments(dialect, transfer, owners), ...readsOfCommitments(ids)];
}

/** The same but for commitments, which are read after their owners are locked. */
export function readsWithoutCommitments(
  dialect: Dialect,
  transfer: Unnamed,
  owners: readonly Account[],
): readonly Need[] {
  const steps = shardSteps(dialect, transfer);
  const shards = drains(transfer.steps, dialect) ? FEE_SHARDS : [];
  const accounts = accountKeys({ ...transfer, steps }, dialect);
  const more = keysOf(transfer, [...owners, ...shards]);
  return readsOfAccounts([...accounts, ...more], dialect);
}

/** The commitments that steps change; those that they open are new, and not looked up. */
export function commitmentsOf(steps: readonly Step[]): readonly CommitmentId[] {
  const ids = steps.flatMap((step) => (step.verb === 'move' ? [] : [step.commitment]));
  const opened = openedBy(steps);
  return [...new Set(ids)].filter((id) => !opened.has(id));
}

function openedBy(steps: readonly Step[]): ReadonlySet<CommitmentId> {
  return new Set(steps.flatMap((step) => (step.verb === 'hold' ? [step.commitment] : [])));
}

function shardSteps(dialect: Dialect, transfer: Unnamed): readonly Step[] {
  return onShards(transfer.steps, shardOf(transfer, dialect), new Map());
}

/** Splits steps by shard. Money that leaves the account may come from any shard: all are locked. */
function stepsOnShards(db: Decider, transfer: Transfer): readonly Step[] | InsufficientFunds {
  const { steps } = transfer;
  if (!drains(steps, db.dialect)) return shardSteps(db.dialect, transfer);
  const keys = keysOf(transfer, FEE_SHARDS);
  db.ask(keys.map((key) => need(ACCOUNTS, key)));
  const has = new Map(
    keys.map((key) => [key.account, db.find(ACCOUNTS, key)?.posted ?? 0n] as const),
  );
  const spendable = [...has.values()].reduce((sum, posted) => sum + posted, 0n);
  const needed = steps.reduce(
    (sum, step) => (step.verb === 'move' && step.from === FEES ? sum + step.amount : sum),
    0n,
  );
  if (spendable < needed) {
    const amounts = { spendable: atomic(spendable), needed: atomic(needed) };
    return { refused: 'insufficient-funds', account: FEES, ...amounts };
  }
  return onShards(steps, shardOf(transfer, db.dialect), has);
}

function accountKeys({ steps, ...place }: Unnamed, dialect: Dialect): readonly AccountKey[] {
  const made = dialect === 'postgres' ? created(steps) : undefined;
  return keysOf(place, named(steps)).map((key) =>
    made?.has(key.account) === true ? { ...key, isMade: true } : key,
  );
}

function keysOf(place: Place, accounts: Iterable<Account>): readonly AccountKey[] {
  const { network, asset } = place;
  return [...new Set(accounts)].map((account) => accountKey({ network, asset, account }));
}

function placeOf({ network, asset }: Place): Place {
  return { network, asset };
}

function readsOfAccounts(keys: readonly AccountKey[], dialect: Dialect): readonly Need[] {
  const reads = keys.map((key) => need(ACCOUNTS, key));
  return dialect === 'sqlite' ? [need(LEDGER_NEXT, 'next'), ...reads] : reads;
}

function readsOfCommitments(ids: readonly CommitmentId[]): readonly Need[] {
  return ids.map((id) => need(COMMITMENTS, id));
}

function* ownersOf(commitments: Iterable<Commitment>): Iterable<Account> {
  for (const { account } of commitments) yield account;
}

/** On SQLite alone, where no lock order is to be kept: the batch writes it with the rest. */
function newRow(
  db: Decider,
  { network, asset, account }: Place & { account: Account },
): AccountRow {
  const next = db.find(LEDGER_NEXT, 'next');
  assert(next !== undefined, 'a receiver that is locked was made by the reading');
  db.put(LEDGER_NEXT, 'next', { ...next, accountId: next.accountId + 1 });
  return {
    id: next.accountId,
    network,
    asset,
    account,
    posted: 0n,
    held: 0n,
    seq: 0,
    isNew: false,
  };
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
    const row = { ...rowOf(rows, account), ...after, isNew: false };
    db.put(ACCOUNTS, accountKey(row), row);
  }
}

function putCommitments(
  db: Decider,
  transfer: Transfer,
  { commitments }: Applied,
  { rows, spent }: { readonly rows: ReadonlyMap<Account, AccountRow>; readonly spent: SpentParts },
): void {
  const opened = openedBy(transfer.steps);
  for (const [id, commitment] of commitments) {
    const isOpened = opened.has(id);
    const before = isOpened ? undefined : db.find(COMMITMENTS, id);
    const accountId = before?.accountId ?? rowOf(rows, commitment.account).id;
    const row = {
      commitment,
      accountId,
      ...defined({ opened: isOpened ? transfer : before?.opened }),
      ...(commitment.remaining === 0n && { closedBy: transfer.id }),
      ...defined({ spent: isOpened ? spent.get(id) : before?.spent }),
    };
    if (isOpened) db.insert(COMMITMENTS, id, row);
    else db.put(COMMITMENTS, id, row);
  }
}

function rowOf(rows: ReadonlyMap<Account, AccountRow>, account: Account): AccountRow {
  const found = rows.get(account);
  assert(found !== undefined, `no row for ${account}`);
  return found;
}
