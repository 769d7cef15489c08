import { hashMessage, recoverMessageAddress } from 'viem';
import { evmAddress, type EvmAddress, type Hex } from '../../../domain/rails/evm.ts';

/** Signatures over texts (EIP-191). Loaded on first use, since the library is large. */
export async function personalSigner(
  text: string,
  signature: Hex,
): Promise<EvmAddress | undefined> {
  try {
    return evmAddress(await recoverMessageAddress({ message: text, signature }));
  } catch {
    return undefined;
  }
}

/** The hash of a text that a contract wallet is asked about (EIP-1271). */
export function personalHash(text: string): Hex {
  return hashMessage(text);
}
