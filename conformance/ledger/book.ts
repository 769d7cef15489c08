import { balance } from '../../db/ledger/balances.ts';
import type { Posted } from '../../db/ledger/post.ts';
import { postInside } from '../../db/ledger/postInside.ts';
import type { Store } from '../../db/store.ts';
import { houseAccount, keyAccount, keyIdOf, type Account } from '../../domain/account.ts';
import { instant } from '../../domain/instant.ts';
import {
  transferId,
  type CommitmentId,
  type Hold,
  type InsufficientFunds,
  type Move,
  type Step,
  type Transfer,
} from '../../domain/ledger/transfer.ts';
import { atomic, type Atomic } from '../../domain/money.ts';

/** Words in which ledger tests are written: people, payments, holds. */
export const AT = instant(1_800_000_000_000);
export const PLACE = { network: 'sandbox', asset: 'USDC' } as const;
export const FEES = houseAccount('hub:fees');
export const DEMAND = houseAccount('hub:demand');
const FAUCET = houseAccount('external:faucet');

let made = 0;
/** Never the same twice in a process. */
export function uuid(): string {
  made += 1;
  return `00000000-0000-7000-8000-${made.toString(16).padStart(12, '0')}`;
}

export function release(commitment: CommitmentId): Step {
  return { verb: 'release', commitment, reason: 'call.return' };
}

export function pay(from: Account, to: Account, amount: bigint): Move {
  return { verb: 'move', from, to, amount: sum(amount), reason: 'pay' };
}

export function hold(account: Account, commitment: CommitmentId, amount: bigint): Hold {
  const expiresAt = instant(AT + 5);
  const what = { kind: 'call', reason: 'call.hold', expiresAt } as const;
  return { verb: 'hold', account, commitment, amount: sum(amount), ...what };
}

export function transfer(steps: readonly Step[], extra: Partial<Transfer> = {}): Transfer {
  return {
    id: transferId(uuid()),
    at: AT,
    ...PLACE,
    event: 'test',
    ref: { kind: 'test', id: '1' },
    actor: 'hub',
    steps,
    ...extra,
  };
}

export function run(
  store: Store,
  steps: readonly Step[],
  extra: Partial<Transfer> = {},
): Promise<Posted | InsufficientFunds> {
  const one = transfer(steps, extra);
  return store.write((tx) => postInside(tx, one));
}

export async function fund(store: Store, account: Account, amount: bigint): Promise<void> {
  const step = { verb: 'move', from: FAUCET, to: account, reason: 'faucet' } as const;
  await run(store, [{ ...step, amount: sum(amount) }]);
}

export async function spendable(store: Store, account: Account): Promise<bigint> {
  return (await store.read((db) => balance(db, account, PLACE))).spendable;
}

export function person(): Account {
  made += 1;
  const bytes = new Uint8Array(32).fill(1);
  new DataView(bytes.buffer).setUint32(0, made);
  return keyAccount(keyIdOf(bytes));
}

export function sum(amount: bigint): Atomic {
  return atomic(amount);
}
