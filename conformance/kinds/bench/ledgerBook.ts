import { randomBytes } from 'node:crypto';
import { postInside } from '../../../db/ledger/postInside.ts';
import type { Store } from '../../../db/store.ts';
import { houseAccount, keyAccount, keyIdOf, type Account } from '../../../domain/account.ts';
import { instant } from '../../../domain/instant.ts';
import { transferId, type Step, type TransferId } from '../../../domain/ledger/transfer.ts';
import { atomic } from '../../../domain/money.ts';
import { inLanes } from './lanes.ts';

/** The book that every measured path writes to: a thousand accounts and payments between them. */
export const PEOPLE = 1_000;
export const PLACE = { network: 'sandbox', asset: 'USDC' } as const;
const AT = instant(1_800_000_000_000);
const FUNDS = atomic(1_000_000_000n);

export interface Payment {
  readonly id: TransferId;
  readonly from: number;
  readonly to: number;
}

export function people(count = PEOPLE): readonly Account[] {
  return Array.from({ length: count }, () => keyAccount(keyIdOf(randomBytes(32))));
}

let made = 0;
/** Rises like a version 7 UUID, so that its index is written at its end as in production. */
export function nextId(): TransferId {
  made += 1;
  const tail = randomBytes(6).toString('hex');
  return transferId(`${made.toString(16).padStart(8, '0')}-0000-7000-8000-${tail}`);
}

export function payments(count: number, crowd = PEOPLE): readonly Payment[] {
  return Array.from({ length: count }, () => {
    const from = randomBytes(2).readUInt16BE() % crowd;
    return {
      id: nextId(),
      from,
      to: (from + 1 + ((randomBytes(1)[0] ?? 0) % (crowd - 1))) % crowd,
    };
  });
}

export async function fund(store: Store, accounts: readonly Account[]): Promise<void> {
  const faucet = houseAccount('external:faucet');
  const steps: readonly Step[] = accounts.map((to) => ({
    verb: 'move',
    from: faucet,
    to,
    amount: FUNDS,
    reason: 'faucet',
  }));
  await store.write((tx) => postInside(tx, { id: nextId(), ...rest, event: 'faucet', steps }));
}

const rest = { at: AT, ...PLACE, ref: { kind: 'bench', id: '1' }, actor: 'hub' } as const;

/** One payment as the hub does it: its own unit of work. */
export async function payThroughStore(
  store: Store,
  accounts: readonly Account[],
  { id, from, to }: Payment,
): Promise<void> {
  const [payer, payee] = [accounts[from], accounts[to]];
  if (payer === undefined || payee === undefined) throw new Error('nobody');
  const amount = atomic(1n);
  const steps = [{ verb: 'move', from: payer, to: payee, amount, reason: 'pay' }] as const;
  const done = await store.write((tx) =>
    postInside(tx, { id, ...rest, event: 'wallet.pay', steps }),
  );
  if ('refused' in done) throw new Error('refused');
}

/** Runs all of `items`, `width` at once; answers how many a second. */
export async function throughput<T>(
  items: readonly T[],
  width: number,
  run: (item: T, lane: number) => Promise<void>,
): Promise<number> {
  const start = performance.now();
  await inLanes(width, items.length, async (n, lane) => {
    const item = items[n];
    if (item !== undefined) await run(item, lane);
  });
  return (items.length * 1000) / (performance.now() - start);
}
