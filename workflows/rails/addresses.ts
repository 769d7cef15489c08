import { accountOfAddress } from '../../db/rails/depositAddresses.ts';
import type { NetworkId } from '../../domain/network.ts';
import { parseAddress, ZERO_ADDRESS, type EvmAddress } from '../../domain/rails/evm.ts';
import { refuse } from '../kernel/errors.ts';
import type { Hub } from '../kernel/hub.ts';

/** An address outside that money is to go to: one where it would not be lost or come round again. */
export async function addressOutside(
  hub: Hub,
  network: NetworkId,
  text: string,
): Promise<EvmAddress> {
  const field = 'body.address';
  const address = parseAddress(text);
  if (address === undefined) {
    refuse('address-invalid', {
      error: `The EIP-55 checksum of ${text} does not hold.`,
      hint: 'Copy it again from your wallet, whole; all lower case carries no checksum.',
      field,
    });
  }
  if (address === ZERO_ADDRESS) {
    refuse('address-invalid', {
      error: 'The zero address has no owner; what goes there is lost.',
      hint: 'Name an address whose key you have.',
      field,
    });
  }
  if (address === hub.chains.facts(network)?.token) {
    refuse('address-invalid', {
      error: 'This is the contract of the token itself; what goes there is lost.',
      hint: 'Name an address whose key you have.',
      field,
    });
  }
  if (await isOwn(hub, network, address)) {
    refuse('address-invalid', {
      error: 'This is an address of the hub; the money would come back to it.',
      hint: 'POST /api/v1/wallet/{owner}/pay moves money to another account here, free.',
      field,
    });
  }
  return address;
}

/** The hub's hot wallet, or an address of deposits. */
async function isOwn(hub: Hub, network: NetworkId, address: EvmAddress): Promise<boolean> {
  if (hub.chains.settings(network) === undefined) return false;
  const { treasury } = await hub.chains.wallets(network);
  if (address === treasury?.address) return true;
  return hub.store.read(async (db) => (await accountOfAddress(db, network, address)) !== undefined);
}
