import { readBacking } from '../../db/rails/backing.ts';
import {
  hasNonce,
  insertAttempt,
  insertTransaction,
  lockTransaction,
  nextNonce,
  queuedTransactions,
  underwayTransactions,
} from '../../db/rails/transactions.ts';
import { readWithdrawal } from '../../db/rails/withdrawals.ts';
import type { Writer } from '../../db/store.ts';
import { plus, seconds } from '../../domain/instant.ts';
import {
  gasLimit,
  newTransaction,
  waitAfter,
  type ChainTransaction,
} from '../../domain/rails/transaction.ts';
import type { ChainFees } from '../kernel/chain/port.ts';
import type { Hub } from '../kernel/hub.ts';
import { saveChange } from './outbox.ts';
import { mustStay } from './reverse.ts';
import type { WalletAtWork } from './wallet.ts';
import { head } from '../../domain/text.ts';

/** Signed and not confirmed at a time: a stuck one holds up what is behind it. */
export const UNDERWAY_MAX = 32;
const WAITS_SECONDS = seconds(60);
const MISSING = 'A deposit of this account is missing from the chain now.';
/** Gas of sending nothing to oneself. */
export const CANCEL_GAS = 21_000n;

/** Gives nonces to queued calls, oldest first; each is stored signed before anything is sent. */
export async function signQueued(hub: Hub, at: WalletAtWork): Promise<void> {
  const { network, port, wallet } = at;
  const due = await hub.store.read(async (db) => {
    const { length: underway } = await underwayTransactions(db, network, UNDERWAY_MAX);
    const all = await queuedTransactions(db, network, hub.clock.now(), UNDERWAY_MAX - underway);
    // While money outside does not cover what is owed, none of it leaves (choices rails.backing).
    const stopped = (await readBacking(db, network))?.backed === false;
    return stopped ? all.filter(({ purpose }) => purpose !== 'withdrawal') : all;
  });
  if (due.length === 0) return;
  const fees = await port.fees();
  const mined = await port.nonceOf(wallet.address);
  for (const row of due) {
    const gas = await gasOf(hub, at, row);
    if (gas !== undefined) await signOne(hub, at, row, { fees, gas, mined });
  }
}

/** Undefined when it is not worth a nonce now; then it waits or, after enough tries, is dropped. */
async function gasOf(
  hub: Hub,
  { port, wallet, write }: WalletAtWork,
  row: ChainTransaction,
): Promise<bigint | undefined> {
  const later = (note: string, change: Partial<ChainTransaction>): Promise<undefined> =>
    write(async (tx) => {
      const now = await lockTransaction(tx, row.id);
      if (now.state === 'queued') await saveChange(tx, hub, now, { ...change, note });
    }) as Promise<undefined>;
  if (row.needs > 0n && (await port.balanceOf(wallet.address)) < row.needs) {
    hub.log.error({ transaction: row.id, needs: `${row.needs}` }, 'the hot wallet lacks the token');
    const nextTryAt = plus(hub.clock.now(), WAITS_SECONDS);
    return later('The hot wallet lacks the money for it now.', { nextTryAt });
  }
  const estimate = await port.estimate(wallet.address, row);
  if ('gas' in estimate) return gasLimit(estimate.gas);
  const tries = row.tries + 1;
  const note = head(`The token contract would refuse it: ${estimate.reverts}`, 380);
  if (tries >= row.triesMax) return later(note, { tries, state: 'dropped', final: true });
  const nextTryAt = plus(hub.clock.now(), seconds(waitAfter(tries)));
  return later(note, { tries, nextTryAt });
}

interface Terms {
  readonly fees: ChainFees;
  readonly gas: bigint;
  /** Transactions of the wallet that the chain knows of. */
  readonly mined: number;
}

/** Asked right before it is signed, so that it counts for what was queued before as well. */
async function waitsForDeposit(tx: Writer, { purpose, refId }: ChainTransaction): Promise<boolean> {
  if (purpose !== 'withdrawal') return false;
  const row = await readWithdrawal(tx, refId);
  if (row === undefined) throw new Error(`no withdrawal ${refId}`);
  return mustStay(tx, row, row.amount);
}

/** One unit: the nonce, the signed bytes and the state. A kill leaves all of them or none. */
async function signOne(
  hub: Hub,
  { network, wallet, write }: WalletAtWork,
  { id }: ChainTransaction,
  { fees, gas, mined }: Terms,
): Promise<void> {
  await write(async (tx) => {
    const row = await lockTransaction(tx, id);
    if (row.state !== 'queued') return;
    if (await waitsForDeposit(tx, row)) {
      const nextTryAt = plus(hub.clock.now(), WAITS_SECONDS);
      return saveChange(tx, hub, row, { nextTryAt, note: MISSING });
    }
    const nonce = Math.max(await nextNonce(tx, network, wallet.address), mined);
    const signed = await wallet.sign({ to: row.to, data: row.data, nonce, gas, ...fees });
    const sender = wallet.address;
    await saveChange(tx, hub, row, { state: 'signed', sender, nonce, note: null });
    const signedAt = hub.clock.now();
    await insertAttempt(tx, id, { attempt: 1, kind: 'call', ...signed, gas, ...fees, signedAt });
  });
}

/**
 * A nonce that nothing of ours has, below ones that wait: a node had reported too high a count, or
 * the database is older than the chain. A transfer of zero to the own address unblocks the others.
 */
export async function fillGap(hub: Hub, at: WalletAtWork, mined: number): Promise<void> {
  const { network, port, wallet, write } = at;
  const isGap = await hub.store.read(async (db) => {
    const [lowest] = await underwayTransactions(db, network, 1);
    const waits = lowest !== undefined && (lowest.nonce ?? 0) > mined;
    return waits && !(await hasNonce(db, network, wallet.address, mined));
  });
  if (!isGap) return;
  const fees = await port.fees();
  await write(async (tx) => {
    const sender = wallet.address;
    if (await hasNonce(tx, network, sender, mined)) return;
    const now = hub.clock.now();
    const nothing = { to: sender, data: '0x', nonce: mined, gas: CANCEL_GAS, ...fees } as const;
    const signed = await wallet.sign(nothing);
    const id = hub.ids.uuid();
    const filler = { id, network, purpose: 'gap', refId: id, to: sender, data: '0x' } as const;
    const sent = { state: 'signed', sender, nonce: mined, triesMax: 1 } as const;
    await insertTransaction(tx, newTransaction(now, { ...filler, ...sent }));
    const attempt = { attempt: 1, kind: 'cancel', gas: CANCEL_GAS, signedAt: now } as const;
    await insertAttempt(tx, id, { ...attempt, ...signed, ...fees });
  });
}
