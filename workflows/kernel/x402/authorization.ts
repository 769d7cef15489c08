import { encodeFunctionData, parseAbi, recoverTypedDataAddress } from 'viem';
import { evmAddress, type EvmAddress, type Hex } from '../../../domain/rails/evm.ts';
import type { Authorization } from '../../../domain/x402/payment.ts';
import {
  receiveTypedData,
  transferTypedData,
  type TokenDomain,
} from '../../../domain/x402/typedData.ts';

/** Signed orders to move a token (EIP-3009), loaded at the first payment: the library is large. */
const ARGUMENTS =
  'address from, address to, uint256 value, uint256 validAfter, uint256 validBefore, bytes32 nonce, uint8 v, bytes32 r, bytes32 s';
const ABI = parseAbi([
  `function transferWithAuthorization(${ARGUMENTS})`,
  `function receiveWithAuthorization(${ARGUMENTS})`,
]);
/** Who may submit an order to the token: any account, or its receiver alone. */
export type OrderKind = 'transfer' | 'receive';

/** A signature with the upper half of s is a copy that tokens refuse (EIP-2). */
const HALF_ORDER = 0x7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0n;

interface Parts {
  readonly r: Hex;
  readonly s: Hex;
  readonly v: 27 | 28;
}

/** Returns the signer; undefined when the token would accept the signature from no account. */
export async function signerOf(
  domain: TokenDomain,
  authorization: Authorization,
  signature: Hex,
  kind: OrderKind = 'transfer',
): Promise<EvmAddress | undefined> {
  const parts = partsOf(signature);
  if (parts === undefined) return undefined;
  try {
    const joint = joined(parts);
    const signer =
      kind === 'transfer'
        ? recoverTypedDataAddress({ ...transferTypedData(domain, authorization), signature: joint })
        : recoverTypedDataAddress({ ...receiveTypedData(domain, authorization), signature: joint });
    return evmAddress(await signer);
  } catch {
    return undefined;
  }
}

/** The call that settles it. */
export function settleData(
  { from, to, value, validAfter, validBefore, nonce }: Authorization,
  signature: Hex,
  kind: OrderKind = 'transfer',
): Hex {
  const parts = partsOf(signature);
  if (parts === undefined) throw new RangeError('a payment was kept whose signature is none');
  const { v, r, s } = parts;
  return encodeFunctionData({
    abi: ABI,
    functionName: `${kind}WithAuthorization`,
    args: [from, to, value, validAfter, validBefore, nonce, v, r, s],
  });
}

function partsOf(signature: Hex): Parts | undefined {
  const [r, s] = [signature.slice(2, 66), signature.slice(66, 130)];
  const last = Number.parseInt(signature.slice(130), 16);
  const v = last < 27 ? last + 27 : last;
  if ((v !== 27 && v !== 28) || BigInt(`0x${s}`) > HALF_ORDER) return undefined;
  return { r: `0x${r}`, s: `0x${s}`, v };
}

function joined({ r, s, v }: Parts): Hex {
  return `${r}${s.slice(2)}${v.toString(16)}` as Hex;
}
