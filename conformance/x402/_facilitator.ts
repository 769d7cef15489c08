import { x402Facilitator } from '@x402/core/facilitator';
import { toFacilitatorEvmSigner } from '@x402/evm';
import { registerExactEvmScheme } from '@x402/evm/exact/facilitator';
import { createWalletClient, http, publicActions } from 'viem';
import { accountAt, type Chain } from '../harness/chain/anvil.ts';

/** The official facilitator on the chain of a test, with what its other versions are made of. */
export interface OfficialFacilitator {
  readonly network: `eip155:${number}`;
  readonly signer: ReturnType<typeof toFacilitatorEvmSigner>;
  readonly facilitator: x402Facilitator;
}

export function officialFacilitator(chain: Chain): OfficialFacilitator {
  const wallet = createWalletClient({
    account: accountAt(7),
    chain: chain.client.chain,
    transport: http(chain.url),
  }).extend(publicActions);
  const signer = toFacilitatorEvmSigner({ ...wallet, address: wallet.account.address } as never);
  const network = `eip155:${chain.client.chain.id}` as const;
  const facilitator = registerExactEvmScheme(new x402Facilitator(), { signer, networks: network });
  return { network, signer, facilitator };
}
