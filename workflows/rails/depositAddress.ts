import { readCursor, startCursor } from '../../db/rails/cursors.ts';
import {
  depositAddressOf,
  insertDepositAddress,
  nextPlace,
} from '../../db/rails/depositAddresses.ts';
import type { Account } from '../../domain/account.ts';
import type { NetworkId } from '../../domain/network.ts';
import { depositPath } from '../../domain/rails/depositPath.ts';
import type { EvmAddress } from '../../domain/rails/evm.ts';
import type { Caller } from '../kernel/call.ts';
import {
  ChainUnavailable,
  type ChainBlock,
  type ChainPort,
  type TokenTransfer,
} from '../kernel/chain/port.ts';
import type { Hub } from '../kernel/hub.ts';
import { sightTransfers } from './transfers.ts';

/** Blocks of one question to a node, and how far back an address that is made again is looked at. */
const BLOCKS_AT_ONCE = 2_000;
const BLOCKS_BACK_MAX = 40_000;

/**
 * The address of an account on a chain, the same for ever; the first caller makes it. Undefined
 * while no node answers: the height from which transfers count has to be known first.
 */
export async function mustHaveAddress(
  hub: Hub,
  call: { readonly caller: Caller; readonly path: { readonly owner: Account } },
  network: NetworkId,
): Promise<EvmAddress | undefined> {
  const { owner: account } = call.path;
  const known = await hub.store.readOne((db) => depositAddressOf(db, account, network));
  if (known !== undefined) return known;
  const path = depositPath(network, account);
  const address = (await hub.chains.wallets(network)).depositAddress(path);
  if (address === undefined) throw new Error('an address was asked for without a key');
  const port = await hub.chains.port(network);
  const look = await lookAt(hub, network, port, address);
  if (look === undefined) return undefined;
  await hub.act(call, async (tx) => {
    const place = await nextPlace(tx, network);
    if ((await depositAddressOf(tx, account, network)) !== undefined) return;
    const createdAt = hub.clock.now();
    const { number: height, hash } = look.head;
    const start = { height, hash, settled: height, head: height, finalized: 0 };
    await startCursor(tx, network, { ...start, firstHeight: height, answeredAt: createdAt });
    await insertDepositAddress(tx, { network, account, place, path, address, createdAt });
  });
  await sightTransfers(hub, { network, write: (unit) => hub.store.write(unit) }, look.earlier);
  return address;
}

interface Look {
  readonly head: ChainBlock;
  /** Transfers to the address since this database follows the chain. */
  readonly earlier: readonly TokenTransfer[];
}

/**
 * An address that holds money when it is made was made before, in a database that was replaced by
 * an older backup. What it was paid since then was never credited in this one.
 */
async function lookAt(
  hub: Hub,
  network: NetworkId,
  port: ChainPort,
  address: EvmAddress,
): Promise<Look | undefined> {
  try {
    const head = await port.head();
    const cursor = await hub.store.readOne((db) => readCursor(db, network));
    const earlier: TokenTransfer[] = [];
    if (cursor === undefined || (await port.balanceOf(address)) === 0n) return { head, earlier };
    const start = Math.max(cursor.firstHeight + 1, head.number - BLOCKS_BACK_MAX);
    for (let from = start; from <= head.number; from += BLOCKS_AT_ONCE) {
      const to = Math.min(head.number, from + BLOCKS_AT_ONCE - 1);
      earlier.push(...(await port.transfers(from, to, [address])));
    }
    return { head, earlier };
  } catch (error) {
    if (!(error instanceof ChainUnavailable)) throw error;
    hub.log.warn({ err: error, network }, 'no deposit address while the chain is out of reach');
    return undefined;
  }
}
