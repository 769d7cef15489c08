import { moveCursor, type Cursor } from '../../db/rails/cursors.ts';
import {
  lockDeposit,
  settleBlock,
  unsettledUpTo,
  updateDeposit,
  waitingUpTo,
} from '../../db/rails/deposits.ts';
import type { Writer } from '../../db/store.ts';
import { houseAccount } from '../../domain/account.ts';
import { isDeepEnough, type Deposit, type Depth } from '../../domain/rails/deposit.ts';
import type { ChainHash } from '../../domain/rails/evm.ts';
import type { Hub } from '../kernel/hub.ts';
import { mustTransfer } from '../wallet/transfer.ts';
import { reverse } from './reverse.ts';
import { sightTransfers, transfersIn } from './transfers.ts';
import type { ChainAtWork } from './wallet.ts';

/**
 * Credits what is deep enough and takes back what vanished. Blocks are looked at a second time when
 * they are deep, so that a node which left something out the first time is made up for.
 */
const CHAIN = houseAccount('external:chain:base');
const SECOND_LOOK_BLOCKS = 2_000;
const BATCH_MAX = 5_000;
/** Units that wait for one commit together. */
const AT_ONCE = 50;

export async function settleDeposits(hub: Hub, at: ChainAtWork, cursor: Cursor): Promise<void> {
  const { confirmations } = at.port.facts;
  const head = Math.min(cursor.head, cursor.height);
  const depth: Depth = { head, finalized: Math.min(cursor.finalized, head), confirmations };
  const deep = Math.max(head - confirmations, depth.finalized);
  await lookAgain(hub, at, cursor, deep);
  const waiting = await hub.store.readOne((db) => waitingUpTo(db, at.network, deep, BATCH_MAX));
  const blocks = blockCache(at);
  const due: Deposit[] = [];
  for (const row of waiting) {
    if (!isDeepEnough(row, depth)) continue;
    if ((await blocks(row.height)) === row.blockHash) due.push(row);
    else await at.write((tx) => orphan(hub, tx, row.id));
  }
  for (let n = 0; n < due.length; n += AT_ONCE) {
    const some = due.slice(n, n + AT_ONCE);
    await Promise.all(some.map(({ id }) => at.write((tx) => credit(hub, tx, id))));
  }
  await settleFinal(hub, at, depth.finalized);
}

async function lookAgain(hub: Hub, at: ChainAtWork, cursor: Cursor, deep: number): Promise<void> {
  const settled = Math.min(deep, cursor.settled + SECOND_LOOK_BLOCKS);
  if (settled <= cursor.settled) return;
  await sightTransfers(hub, at, await transfersIn(hub, at, cursor.settled + 1, settled));
  await at.write((tx) => moveCursor(tx, at.network, cursor, { ...cursor, settled }));
}

type Blocks = (height: number) => Promise<ChainHash | undefined>;

/** Each block is asked for once in a run, however many deposits it has. */
function blockCache({ port }: ChainAtWork): Blocks {
  const known = new Map<number, ChainHash | undefined>();
  return async (height) => {
    if (!known.has(height)) known.set(height, (await port.block(height))?.hash);
    return known.get(height);
  };
}

async function credit(hub: Hub, tx: Writer, id: string): Promise<void> {
  const row = await lockDeposit(tx, id);
  if (row.state !== 'seen') return;
  const { network, account, amount } = row;
  const transferId = await mustTransfer(tx, hub, {
    network,
    event: 'deposit.credited',
    ref: { kind: 'deposit', id },
    actor: 'hub',
    steps: [{ verb: 'move', from: CHAIN, to: account, amount, reason: 'deposit' }],
  });
  await updateDeposit(tx, { ...row, state: 'credited', transferId, updatedAt: hub.clock.now() });
}

/** The chain has another block where it was; when it is mined again it is found again. */
async function orphan(hub: Hub, tx: Writer, id: string): Promise<void> {
  const row = await lockDeposit(tx, id);
  if (row.state !== 'seen') return;
  await updateDeposit(tx, { ...row, state: 'orphaned', updatedAt: hub.clock.now() });
}

/** A credited deposit is final with its block, or is nowhere in the final chain and comes back. */
async function settleFinal(hub: Hub, at: ChainAtWork, finalized: number): Promise<void> {
  const { network, port, write } = at;
  const open = await hub.store.readOne((db) => unsettledUpTo(db, network, finalized, BATCH_MAX));
  const blocks = blockCache(at);
  const done = new Set<number>();
  for (const row of open) {
    const hash = await blocks(row.height);
    if (hash === row.blockHash) {
      if (done.has(row.height)) continue;
      done.add(row.height);
      const block = { height: row.height, hash };
      await write((tx) => settleBlock(tx, network, block));
      continue;
    }
    const receipt = await port.receipt(row.txHash);
    const log = receipt?.transfers.find(({ logIndex }) => logIndex === row.logIndex);
    if (hash !== undefined && log === undefined) {
      await write((tx) => reverse(hub, tx, row.id));
    } else if (log !== undefined) {
      await sightTransfers(hub, at, [log]);
    }
  }
}
