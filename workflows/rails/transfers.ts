import { readCursor } from '../../db/rails/cursors.ts';
import { addressesFrom, ownersOf } from '../../db/rails/depositAddresses.ts';
import { sightDeposit } from '../../db/rails/deposits.ts';
import { AMOUNT_MAX, atomic, ZERO } from '../../domain/money.ts';
import type { EvmAddress } from '../../domain/rails/evm.ts';
import type { TokenTransfer } from '../kernel/chain/port.ts';
import type { Hub } from '../kernel/hub.ts';
import type { ChainAtWork } from './wallet.ts';

/** Transfers to addresses of deposits, as they are asked for and as they are noted. */
const ADDRESSES_A_CALL = 500;
/** Above this many addresses the hub filters all transfers of the token, to bound its calls. */
const ADDRESSES_MAX = 5_000;
const BLOCKS_OF_ALL = 200;
const ROWS_A_UNIT = 200;

export async function transfersIn(
  hub: Hub,
  { network, port }: ChainAtWork,
  from: number,
  to: number,
): Promise<readonly TokenTransfer[]> {
  const addresses = await hub.store.readOne((db) =>
    addressesFrom(db, network, 0, ADDRESSES_MAX + 1),
  );
  const found: TokenTransfer[] = [];
  if (addresses.length > ADDRESSES_MAX) {
    for (let first = from; first <= to; first += BLOCKS_OF_ALL) {
      const last = Math.min(to, first + BLOCKS_OF_ALL - 1);
      found.push(...(await port.transfers(first, last, 'all')));
    }
    return found;
  }
  for (let n = 0; n < addresses.length; n += ADDRESSES_A_CALL) {
    const some: readonly EvmAddress[] = addresses.slice(n, n + ADDRESSES_A_CALL);
    found.push(...(await port.transfers(from, to, some)));
  }
  return found;
}

/**
 * Stores those that are to an address of the hub; the same ones again change nothing. What is older
 * than this database was credited in another one, or to no account (choices rails.addresses).
 */
export async function sightTransfers(
  hub: Hub,
  { network, write }: Pick<ChainAtWork, 'network' | 'write'>,
  transfers: readonly TokenTransfer[],
): Promise<void> {
  const first = (await hub.store.readOne((db) => readCursor(db, network)))?.firstHeight ?? 0;
  const worth = transfers.filter(
    ({ amount, blockNumber }) => amount > 0n && amount <= AMOUNT_MAX && blockNumber > first,
  );
  for (let n = 0; n < worth.length; n += ROWS_A_UNIT) {
    const some = worth.slice(n, n + ROWS_A_UNIT);
    const owners = await hub.store.read((db) =>
      ownersOf(
        db,
        network,
        some.map(({ to }) => to),
      ),
    );
    await write(async (tx) => {
      const now = hub.clock.now();
      for (const each of some) {
        const account = owners.get(each.to);
        if (account === undefined) continue;
        await sightDeposit(tx, {
          id: hub.ids.uuid(),
          network,
          account,
          address: each.to,
          sender: each.from,
          txHash: each.txHash,
          logIndex: each.logIndex,
          height: each.blockNumber,
          blockHash: each.blockHash,
          amount: atomic(each.amount),
          state: 'seen',
          final: false,
          missingSince: null,
          transferId: null,
          reversalId: null,
          shortfall: ZERO,
          seenAt: now,
          updatedAt: now,
        });
      }
    });
  }
}
