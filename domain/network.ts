/** Money networks (choices ledger.tables, rails.networks). No transfer crosses between them. */
export const NETWORK_IDS = ['sandbox', 'base', 'play'] as const;
export type NetworkId = (typeof NETWORK_IDS)[number];

/** `real` money is never minted, `test` money comes from the faucet, `play` money buys nothing. */
export type NetworkKind = 'real' | 'test' | 'play';

export function parseNetworkId(text: string): NetworkId | undefined {
  return NETWORK_IDS.find((id) => id === text);
}

export const ASSET = 'USDC' as const;
