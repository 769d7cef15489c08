import type { NetworkId } from '../network.ts';
import type { EvmAddress } from '../rails/evm.ts';

/**
 * A way for tokens of a chain to reach the hub: what an x402 payment names when it pays (x402,
 * scheme `exact` on EVM). Version 1 names a chain by a word, version 2 by its CAIP-2 id.
 */
export interface Rail {
  /** The hub's own network, whose money the token backs. */
  readonly network: NetworkId;
  readonly chainId: number;
  readonly asset: EvmAddress;
  /** Domain of the token's signatures (EIP-712). */
  readonly token: { readonly name: string; readonly version: string };
  readonly payTo: EvmAddress;
}

/** Names that clients of version 1 know; another chain goes by its CAIP-2 id. */
const FIRST_NAMES: ReadonlyMap<number, string> = new Map([
  [8_453, 'base'],
  [84_532, 'base-sepolia'],
  [43_114, 'avalanche'],
  [43_113, 'avalanche-fuji'],
  [137, 'polygon'],
  [80_002, 'polygon-amoy'],
]);

export function sameAddress(a: string, b: string): boolean {
  return a.toLowerCase() === b.toLowerCase();
}

export function chainNameV1({ chainId }: Pick<Rail, 'chainId'>): string {
  return FIRST_NAMES.get(chainId) ?? `eip155:${chainId}`;
}

export function chainNameV2({ chainId }: Pick<Rail, 'chainId'>): string {
  return `eip155:${chainId}`;
}
