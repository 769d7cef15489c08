import type { Account } from '../../../domain/account.ts';
import { type NetworkId, ASSET } from '../../../domain/network.ts';
import type { components } from '../../../generated/types.ts';

/**
 * Ways in and out of a network, told as they are: this hub watches no chain and sends nothing out,
 * so a wallet names no address and promises no withdrawal (choices rails.networks).
 */
type Schemas = components['schemas'];

export const NO_DEPOSITS: Readonly<Record<NetworkId, string>> = {
  sandbox: 'sandbox has no chain; its money comes from the faucet',
  play: 'play has no chain; its money is won in games or issued by the operator',
  base: 'this hub watches no chain and has no deposit key for base',
};

export function depositAddressOf(owner: Account, network: NetworkId): Schemas['DepositAddress'] {
  return { owner, network, asset: ASSET, address: null, missing: [NO_DEPOSITS[network]] };
}

export function withdrawalTermsOf(network: NetworkId): Schemas['WithdrawalTerms'] {
  return {
    network,
    available: false,
    arrives: `Not at all: this hub has no withdrawal rail on ${network}.`,
  };
}
