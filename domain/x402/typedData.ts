import type { Authorization } from './payment.ts';
import type { Rail } from './rail.ts';

/** What a wallet signs to pay: EIP-712 over EIP-3009's TransferWithAuthorization. */
const TYPES = {
  TransferWithAuthorization: [
    { name: 'from', type: 'address' },
    { name: 'to', type: 'address' },
    { name: 'value', type: 'uint256' },
    { name: 'validAfter', type: 'uint256' },
    { name: 'validBefore', type: 'uint256' },
    { name: 'nonce', type: 'bytes32' },
  ],
} as const;

export type TokenDomain = Pick<Rail, 'chainId' | 'asset' | 'token'>;

export function transferTypedData(
  { chainId, asset, token }: TokenDomain,
  { from, to, value, validAfter, validBefore, nonce }: Authorization,
) {
  return {
    domain: { ...token, chainId, verifyingContract: asset },
    types: TYPES,
    primaryType: 'TransferWithAuthorization',
    message: { from, to, value, validAfter, validBefore, nonce },
  } as const;
}
