import type { Account } from '../../domain/account.ts';
import { apply } from '../../domain/ledger.ts';
import type {
  Applied,
  Balance,
  CommitmentId,
  InsufficientFunds,
  Step,
  Transfer,
  TransferId,
} from '../../domain/ledger/transfer.ts';
import { atomic } from '../../domain/money.ts';
import { linkOf, type Writer } from '../connection.ts';
import {
  createAccounts,
  lockAccounts,
  lockShards,
  prepareReceivers,
  readCommitments,
  type Held,
} from './accounts.ts';
import { writeJournal, type Before } from './journal.ts';
import { LedgerFrozen } from './memory.ts';
import { accountOfShard, created, drains, FEES, named, onShards, shardOf } from './shards.ts';

export interface Posted {
  readonly posted: true;
  readonly transferId: TransferId;
  /** Order of writing. On PostgreSQL two transfers may commit the other way round. */
  readonly seq: number;
  /** The rows that it touched, as they are after it; `hub:fees` stands there by its shard. */
  readonly balances: ReadonlyMap<Account, Balance>;
}

/**
 * The one door of money: nothing else writes accounts, transfers, entries or commitments. Answers a
 * refusal, having moved nothing, when an account cannot spend that much; a broken rule throws, and
 * `LedgerFrozen` is thrown while the books are in doubt.
 */
export async function post(tx: Writer, transfer: Transfer): Promise<Posted | InsufficientFunds> {
  const frozenSince = tx.ledger.frozenSince();
  if (frozenSince !== undefined) throw new LedgerFrozen(frozenSince);
  const { dialect } = linkOf(tx);
  const shard = shardOf(transfer.id, dialect);
  const steps = onShards(transfer.steps, shard, new Map());
  if (dialect === 'postgres') await prepareReceivers(tx, transfer, created(steps));
  if (drains(transfer.steps, dialect)) return postDraining(tx, transfer, shard);
  return postSteps(tx, { ...transfer, steps }, shard);
}

/**
 * Takes money out of the sharded account: all its rows are locked, in id order like every other.
 */
async function postDraining(
  tx: Writer,
  transfer: Transfer,
  shard: number,
): Promise<Posted | InsufficientFunds> {
  const asked = transfer.steps.reduce(
    (sum, step) => (step.verb === 'move' && step.from === FEES ? sum + step.amount : sum),
    0n,
  );
  const shards = await lockShards(tx, transfer, FEES);
  const has = [...shards.values()].reduce((sum, { posted }) => sum + posted, 0n);
  if (has < asked) {
    const spendable = atomic(has);
    return { refused: 'insufficient-funds', account: FEES, spendable, needed: atomic(asked) };
  }
  const balances = new Map([...shards].map(([of, { posted }]) => [of, posted]));
  const steps = onShards(transfer.steps, shard, balances);
  return postSteps(tx, { ...transfer, steps }, shard, shards);
}

async function postSteps(
  tx: Writer,
  transfer: Transfer,
  shard: number,
  shards: ReadonlyMap<Account, Held> = new Map(),
): Promise<Posted | InsufficientFunds> {
  const shardAccounts = named(transfer.steps);
  const ids = commitmentsOf(transfer.steps);
  const names = [...new Set(shardAccounts.map(accountOfShard))];
  const read = async (): Promise<Before> => {
    const locked = await lockAccounts(tx, transfer, names, ids, shard);
    return {
      ...locked,
      accounts: shards.size === 0 ? locked.accounts : new Map([...shards, ...locked.accounts]),
      commitments: await readCommitments(tx, ids),
    };
  };
  let before = await read();
  let applied = apply(before.accounts, before.commitments, transfer);
  if ('refused' in applied) return plainly(applied);
  const missing = [...created(transfer.steps)].filter((each) => !before.accounts.has(each));
  if (missing.length > 0) {
    // Only on SQLite, where no lock order is to be kept: a refused transfer makes no row there.
    await createAccounts(tx, transfer, missing);
    before = await read();
    applied = apply(before.accounts, before.commitments, transfer);
    if ('refused' in applied) return plainly(applied);
  }
  return write(tx, transfer, applied, before);
}

async function write(
  tx: Writer,
  transfer: Transfer,
  applied: Applied,
  before: Before,
): Promise<Posted> {
  const seq = await writeJournal(tx, transfer, applied, before);
  tx.posted.push(transfer.id);
  return { posted: true, transferId: transfer.id, seq, balances: applied.balances };
}

export function plainly(refusal: InsufficientFunds): InsufficientFunds {
  return { ...refusal, account: accountOfShard(refusal.account) };
}

export function commitmentsOf(steps: readonly Step[]): readonly CommitmentId[] {
  const ids = new Set<CommitmentId>();
  const opened = new Set<CommitmentId>();
  for (const step of steps) {
    if (step.verb === 'hold') opened.add(step.commitment);
    else if (step.verb !== 'move' && !opened.has(step.commitment)) ids.add(step.commitment);
  }
  return [...ids];
}
