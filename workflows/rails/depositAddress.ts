import {
  depositAddressOf,
  insertDepositAddress,
  nextPlace,
} from '../../db/rails/depositAddresses.ts';
import type { Account } from '../../domain/account.ts';
import type { NetworkId } from '../../domain/network.ts';
import type { EvmAddress } from '../../domain/rails/evm.ts';
import type { Caller } from '../../server/hub/call.ts';
import type { Hub } from '../../server/hub/hub.ts';

/** The address of an account on a chain, the same for ever; the first caller makes it. */
export async function mustHaveAddress(
  hub: Hub,
  call: { readonly caller: Caller; readonly path: { readonly owner: Account } },
  network: NetworkId,
): Promise<EvmAddress> {
  const { owner: account } = call.path;
  const known = await hub.store.read((db) => depositAddressOf(db, account, network));
  if (known !== undefined) return known;
  const wallets = await hub.chains.wallets(network);
  return hub.act(call, async (tx) => {
    const place = await nextPlace(tx, network);
    const made = await depositAddressOf(tx, account, network);
    if (made !== undefined) return made;
    const address = wallets.depositAddress(place);
    if (address === undefined) throw new Error('an address was asked for without a key');
    const createdAt = hub.clock.now();
    await insertDepositAddress(tx, { network, account, place, address, createdAt });
    return address;
  });
}
