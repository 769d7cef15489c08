import {
  attemptsOf,
  confirmedTransactions,
  insertAttempt,
  lockTransaction,
  underwayTransactions,
} from '../../db/rails/transactions.ts';
import { plus, seconds } from '../../domain/instant.ts';
import { readTransferCall, type ChainHash } from '../../domain/rails/evm.ts';
import { bumped, type Attempt, type ChainTransaction } from '../../domain/rails/transaction.ts';
import type { ChainBlock, ChainReceipt } from '../kernel/chain/port.ts';
import type { Hub } from '../kernel/hub.ts';
import { saveChange } from './outbox.ts';
import { CANCEL_GAS, fillGap, UNDERWAY_MAX } from './sign.ts';
import type { WalletAtWork } from './wallet.ts';

/** A transaction that no block has after this long is sent with a higher fee. */
const BUMP_AFTER_SECONDS = seconds(60);
const RESEND_SECONDS = seconds(15);
const CONFIRMED_SECONDS = seconds(60);
const ATTEMPTS_MAX = 12;
/** Confirmed ones that one run looks at again; the others have their turn in the next. */
const CONFIRMED_MAX = 256;

/** The state of the chain now, read once for all that is followed. */
interface Sight extends WalletAtWork {
  readonly head: ChainBlock;
  readonly finalized: ChainBlock | undefined;
  /** Transactions of the wallet up to the head. */
  readonly mined: number;
  /** Up to the final block; undefined when the node keeps no history. */
  readonly minedFinal: number | undefined;
}

/** Follows what is signed until it is confirmed: sends, sends again, bumps, proves. */
export async function followUnderway(hub: Hub, at: WalletAtWork): Promise<void> {
  const rows = await hub.store.readOne((db) => underwayTransactions(db, at.network, UNDERWAY_MAX));
  const sight = await followEach(hub, at, rows);
  if (sight !== undefined) await fillGap(hub, at, sight.mined);
}

/** Follows what is confirmed until it is final; a reorganisation may still undo it. */
export async function followConfirmed(hub: Hub, at: WalletAtWork): Promise<void> {
  const now = hub.clock.now();
  const rows = await hub.store.read((db) =>
    confirmedTransactions(db, at.network, now, CONFIRMED_MAX),
  );
  await followEach(hub, at, rows);
}

/** Returns the state of the chain, which is not read when there is nothing to follow. */
async function followEach(
  hub: Hub,
  at: WalletAtWork,
  rows: readonly ChainTransaction[],
): Promise<Sight | undefined> {
  if (rows.length === 0) return undefined;
  const sight = await look(hub, at);
  for (const row of rows) await followOne(hub, sight, row);
  return sight;
}

async function look(hub: Hub, at: WalletAtWork): Promise<Sight> {
  const head = await at.port.head();
  const finalized = await at.port.block('finalized');
  const mined = await at.port.nonceOf(at.wallet.address);
  const minedFinal = finalized && (await minedAt(hub, at, finalized.number));
  return { ...at, head, finalized, mined, minedFinal };
}

async function minedAt(hub: Hub, at: WalletAtWork, block: number): Promise<number | undefined> {
  try {
    return await at.port.nonceOf(at.wallet.address, block);
  } catch (error) {
    hub.log.warn({ err: error }, 'the node keeps no history; who takes a nonce stays unknown');
    return undefined;
  }
}

async function followOne(hub: Hub, sight: Sight, row: ChainTransaction): Promise<void> {
  const attempts = await hub.store.readOne((db) => attemptsOf(db, row.id));
  const found = await receiptOf(sight, attempts);
  if (found !== undefined) return concludeMined(hub, sight, row, found);
  const consumer = await consumerOf(hub, sight, row);
  if (consumer !== undefined && !attempts.some(({ hash }) => hash === consumer)) {
    return replaced(hub, sight, row, consumer);
  }
  if (row.state === 'confirmed') {
    hub.log.error({ transaction: row.id }, 'a confirmed transaction left the chain; sent again');
  }
  await sendAgain(hub, sight, row, attempts);
}

interface Mined {
  readonly attempt: Attempt;
  readonly receipt: ChainReceipt;
}

/** A receipt counts when its block is in the chain that the node follows now. */
async function receiptOf(
  { port, head }: Sight,
  attempts: readonly Attempt[],
): Promise<Mined | undefined> {
  for (const attempt of attempts) {
    const receipt = await port.receipt(attempt.hash);
    if (receipt === undefined || receipt.blockNumber > head.number) continue;
    const block = await port.block(receipt.blockNumber);
    if (block?.hash === receipt.blockHash) return { attempt, receipt };
  }
  return undefined;
}

async function concludeMined(
  hub: Hub,
  sight: Sight,
  row: ChainTransaction,
  { attempt, receipt }: Mined,
): Promise<void> {
  const { head, finalized, port } = sight;
  const isFinal = finalized !== undefined && receipt.blockNumber <= finalized.number;
  const isDeep = head.number - receipt.blockNumber >= port.facts.confirmations || isFinal;
  const mined = { minedHash: receipt.txHash, minedBlock: receipt.blockNumber };
  if (attempt.kind === 'cancel') {
    if (isFinal) await replaced(hub, sight, row, receipt.txHash);
  } else if (receipt.succeeded && !carriesTransfer(row, receipt)) {
    hub.log.fatal({ transaction: row.id }, 'a transfer succeeded without moving the token');
  } else if (receipt.succeeded) {
    if (isDeep) await conclude(hub, sight, row, { ...mined, state: 'confirmed', final: isFinal });
    else if (row.minedHash !== receipt.txHash || row.state === 'signed') {
      await conclude(hub, sight, row, { ...mined, state: 'broadcast' });
    }
  } else if (isFinal) {
    const note = `The token contract refused it in block ${receipt.blockNumber}, which is final.`;
    await conclude(hub, sight, row, { ...mined, state: 'reverted', final: true, note });
  }
}

/** A transfer of the token has its log; other calls are judged by those who asked for them. */
function carriesTransfer({ data, sender }: ChainTransaction, { transfers }: ChainReceipt): boolean {
  const asked = readTransferCall(data);
  if (asked === undefined) return true;
  return transfers.some(
    ({ from, to, amount }) => from === sender && to === asked.to && amount === asked.amount,
  );
}

function replaced(hub: Hub, sight: Sight, row: ChainTransaction, by: ChainHash): Promise<void> {
  const nonce = row.nonce ?? 0;
  const note = `Another transaction of the hub's wallet took its nonce ${nonce} and is final: ${by}.`;
  if (row.state === 'confirmed') {
    hub.log.fatal({ transaction: row.id, by }, 'a confirmed transaction was replaced');
    return conclude(hub, sight, row, { final: true, note });
  }
  return conclude(hub, sight, row, { state: 'replaced', replacedBy: by, final: true, note });
}

async function conclude(
  hub: Hub,
  { write }: Sight,
  row: ChainTransaction,
  change: Partial<ChainTransaction>,
): Promise<void> {
  await write(async (tx) => {
    const now = await lockTransaction(tx, row.id);
    if (now.final || (now.state === 'confirmed' && change.state === 'broadcast')) return;
    // A confirmed one is looked at again, now and then, until it is final.
    const wait = change.state === 'confirmed' ? CONFIRMED_SECONDS : RESEND_SECONDS;
    const nextTryAt = plus(hub.clock.now(), wait);
    await saveChange(tx, hub, now, { ...change, nextTryAt });
  });
}

/** Returns the final transaction of this nonce by its hash: a count may come from a wrong node. */
async function consumerOf(
  hub: Hub,
  { port, wallet, finalized, minedFinal = 0 }: Sight,
  { nonce }: ChainTransaction,
): Promise<ChainHash | undefined> {
  if (nonce === null || finalized === undefined || minedFinal <= nonce) return undefined;
  const used = async (block: number): Promise<boolean> =>
    (await port.nonceOf(wallet.address, block)) > nonce;
  try {
    let [below, above] = [-1, finalized.number];
    while (above - below > 1) {
      const middle = Math.floor((below + above) / 2);
      if (await used(middle)) above = middle;
      else below = middle;
    }
    return await port.minedIn(above, wallet.address, nonce);
  } catch (error) {
    hub.log.warn({ err: error, nonce }, 'the node keeps no history; who took a nonce is unknown');
    return undefined;
  }
}

/** Sends what is stored; a higher fee is a new form of it, stored before it is sent. */
async function sendAgain(
  hub: Hub,
  sight: Sight,
  row: ChainTransaction,
  attempts: readonly Attempt[],
): Promise<void> {
  const now = hub.clock.now();
  const [latest] = attempts;
  if (latest === undefined || (row.state !== 'signed' && row.nextTryAt > now)) return;
  const isNext = row.nonce !== null && row.nonce <= sight.mined;
  const isStale = plus(latest.signedAt, BUMP_AFTER_SECONDS) <= now && isNext;
  const wantsCancel = row.cancelAsked && latest.kind === 'call' && isNext;
  let toSend = latest;
  if ((isStale || wantsCancel) && attempts.length < ATTEMPTS_MAX) {
    toSend = (await signAgain(hub, sight, row)) ?? latest;
  }
  const result = await sight.port.send(toSend.raw);
  if (result === 'no-gas') hub.log.error({ transaction: row.id }, 'the hot wallet lacks gas');
  const isOut = result === 'taken' || result === 'known';
  await sight.write(async (tx) => {
    const found = await lockTransaction(tx, row.id);
    const state = isOut && found.state === 'signed' ? 'broadcast' : found.state;
    await saveChange(tx, hub, found, { state, nextTryAt: plus(now, RESEND_SECONDS) });
  });
}

/** The same call, or a cancel, with the same nonce and a higher fee. */
async function signAgain(
  hub: Hub,
  { port, wallet, write }: Sight,
  { id }: ChainTransaction,
): Promise<Attempt | undefined> {
  const market = await port.fees();
  return write(async (tx) => {
    const row = await lockTransaction(tx, id);
    const [latest] = await attemptsOf(tx, id);
    if (latest === undefined || row.nonce === null || row.final) return undefined;
    const isCancel = row.cancelAsked || latest.kind === 'cancel';
    const gas = isCancel ? CANCEL_GAS : latest.gas;
    const fees = bumped(latest, market);
    const call = isCancel
      ? { to: wallet.address, data: '0x' as const }
      : { to: row.to, data: row.data };
    const signed = await wallet.sign({ ...call, nonce: row.nonce, gas, ...fees });
    const next: Attempt = {
      attempt: latest.attempt + 1,
      kind: isCancel ? 'cancel' : 'call',
      ...signed,
      gas,
      ...fees,
      signedAt: hub.clock.now(),
    };
    await insertAttempt(tx, id, next);
    return next;
  });
}
