import type { Authorization } from './payment.ts';
import type { Rail } from './rail.ts';

/**
 * The data that a wallet signs to move tokens (EIP-712 over EIP-3009): any sender may submit a
 * TransferWithAuthorization to the token, only its receiver a ReceiveWithAuthorization.
 */
const FIELDS = [
  { name: 'from', type: 'address' },
  { name: 'to', type: 'address' },
  { name: 'value', type: 'uint256' },
  { name: 'validAfter', type: 'uint256' },
  { name: 'validBefore', type: 'uint256' },
  { name: 'nonce', type: 'bytes32' },
] as const;
const TRANSFER = { TransferWithAuthorization: FIELDS } as const;
const RECEIVE = { ReceiveWithAuthorization: FIELDS } as const;

export type TokenDomain = Pick<Rail, 'chainId' | 'asset' | 'token'>;

export function transferTypedData(token: TokenDomain, authorization: Authorization) {
  const primaryType = 'TransferWithAuthorization';
  return { types: TRANSFER, primaryType, ...messageOf(token, authorization) } as const;
}

export function receiveTypedData(token: TokenDomain, authorization: Authorization) {
  const primaryType = 'ReceiveWithAuthorization';
  return { types: RECEIVE, primaryType, ...messageOf(token, authorization) } as const;
}

function messageOf(
  { chainId, asset, token }: TokenDomain,
  { from, to, value, validAfter, validBefore, nonce }: Authorization,
) {
  return {
    domain: { ...token, chainId, verifyingContract: asset },
    message: { from, to, value, validAfter, validBefore, nonce },
  };
}
