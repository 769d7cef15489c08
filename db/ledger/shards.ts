import { accountClass, houseAccount, type Account } from '../../domain/account.ts';
import type { Capture, Step, Transfer } from '../../domain/ledger/transfer.ts';
import { atomic, type Atomic } from '../../domain/money.ts';
import type { Dialect } from '../connection.ts';

/**
 * Every payment has a fee, so on PostgreSQL the fee account is 16 rows that different transfers
 * lock (choices ledger.locks). A slot is one row: the account itself, or `hub:fees:<shard>`. The
 * ledger works on slots; statements and refusals name the account.
 */
export const FEES = houseAccount('hub:fees');
const SHARDS = 16;
export const FEE_SHARDS: readonly Account[] = Array.from({ length: SHARDS }, (_, index) =>
  houseAccount(`hub:fees:${index + 1}`),
);

/**
 * Returns the shard of a transfer's fees. It follows from `ref`, so it is known before the transfer
 * has an id. 0 is the whole account on SQLite.
 */
export function shardOf({ ref }: Pick<Transfer, 'ref'>, dialect: Dialect): number {
  if (dialect === 'sqlite') return 0;
  let hash = 0;
  for (const letter of ref.id) hash = (hash * 31 + letter.charCodeAt(0)) >>> 0;
  return (hash % SHARDS) + 1;
}

export function shardAccount(account: Account, shard: number): Account {
  return shard === 0 ? account : (FEE_SHARDS[shard - 1] ?? account);
}

export function accountOfShard(of: Account): Account {
  return FEE_SHARDS.includes(of) ? FEES : of;
}

export function shardNumber(of: Account): number {
  return FEE_SHARDS.indexOf(of) + 1;
}

/** True when a step takes money out of the sharded account, which then is locked as a whole. */
export function drains(steps: readonly Step[], dialect: Dialect): boolean {
  return dialect === 'postgres' && steps.some((step) => step.verb === 'move' && step.from === FEES);
}

/** The steps on slots: fees come in at one shard, and go out of as many as it takes. */
export function onShards(
  steps: readonly Step[],
  shard: number,
  shards: ReadonlyMap<Account, bigint>,
): readonly Step[] {
  if (shard === 0) return steps;
  const left = new Map(shards);
  const into = (account: Account): Account =>
    account === FEES ? shardAccount(FEES, shard) : account;
  return steps.flatMap((step): readonly Step[] => {
    if (step.verb === 'capture') {
      return [
        { ...step, to: step.to.map((posting) => ({ ...posting, account: into(posting.account) })) },
      ];
    }
    if (step.verb !== 'move') return [step];
    if (step.from !== FEES) return [{ ...step, to: into(step.to) }];
    return drained(left, step.amount).map(([from, amount]) => ({ ...step, from, amount }));
  });
}

/** Takes `amount` shard by shard; what no shard has is asked of the last, which refuses it. */
function drained(
  left: Map<Account, bigint>,
  amount: Atomic,
): readonly (readonly [Account, Atomic])[] {
  const parts: (readonly [Account, Atomic])[] = [];
  let open: bigint = amount;
  for (const [of, has] of left) {
    const part = has < open ? has : open;
    if (part <= 0n) continue;
    parts.push([of, atomic(part)]);
    left.set(of, has - part);
    open -= part;
  }
  if (open > 0n) parts.push([shardAccount(FEES, SHARDS), atomic(open)]);
  return parts;
}

/**
 * Accounts that the steps move or hold money of, but for owners of commitments. A posting of 0
 * locks none: otherwise every settlement without a loan would wait for the lending account.
 */
export function named(steps: readonly Step[]): readonly Account[] {
  const names = new Set<Account>();
  for (const step of steps) {
    if (step.verb === 'hold') names.add(step.account);
    else if (step.verb === 'move' && step.amount > 0n) names.add(step.from).add(step.to);
    else if (step.verb === 'capture') for (const account of receivers(step)) names.add(account);
  }
  return [...names];
}

/** Accounts that the steps may bring into being: those that receive, and the outside. */
export function created(steps: readonly Step[]): ReadonlySet<Account> {
  const names = new Set<Account>();
  for (const step of steps) {
    if (step.verb === 'move' && step.amount > 0n) {
      names.add(step.to);
      if (accountClass(step.from) === 'external') names.add(step.from);
    } else if (step.verb === 'capture') for (const account of receivers(step)) names.add(account);
  }
  return names;
}

function receivers({ to }: Capture): readonly Account[] {
  return to.filter(({ amount }) => amount > 0n).map(({ account }) => account);
}
