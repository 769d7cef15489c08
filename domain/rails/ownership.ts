import type { Account } from '../account.ts';
import { checksummed, type EvmAddress } from './evm.ts';

/**
 * The text that a wallet signs to prove that it belongs to an account (choices rails.ownership). It
 * names both, so that neither the wallet nor the account can be linked by the other one alone.
 */
export function ownershipText(account: Account, address: EvmAddress): string {
  return [
    'hub/payout-address/v1',
    `Wallet: ${checksummed(address)}`,
    `Account: ${account}`,
    'I own both, and they count as one party on this exchange.',
  ].join('\n');
}

/** The text that links accounts of one wallet, in `account_links`. */
export function sharedAddress(address: EvmAddress): string {
  return `evm:${address}`;
}
