import type { NetworkId } from '../../../domain/network.ts';
import type { ChainSettings } from './settings.ts';
import type { ChainFacts, ChainPort } from './port.ts';
import type { Wallets } from './wallets.ts';

/** The chains of this hub. A hub without one loads none of the libraries that speak to chains. */
export interface Chains {
  /** Returns the configuration without loading anything; undefined if the network has no chain. */
  settings(network: NetworkId): ChainSettings | undefined;
  facts(network: NetworkId): ChainFacts | undefined;
  readonly networks: readonly NetworkId[];
  /** Throws when the network has none. */
  port(network: NetworkId): Promise<ChainPort>;
  wallets(network: NetworkId): Promise<Wallets>;
}

/** Tests put a port of their own around the real one. */
export type WrapPort = (port: ChainPort) => ChainPort;

export function openChains(
  configured: ChainSettings | undefined,
  wrap: WrapPort = (port) => port,
): Chains {
  const of = (network: NetworkId): ChainSettings | undefined =>
    configured?.network === network ? configured : undefined;
  const must = (network: NetworkId): ChainSettings => {
    const found = of(network);
    if (found === undefined) throw new Error(`${network} has no chain`);
    return found;
  };
  let port: Promise<ChainPort> | undefined;
  let wallets: Promise<Wallets> | undefined;
  return {
    settings: of,
    facts: (network) => of(network)?.facts,
    networks: configured === undefined ? [] : [configured.network],
    port(network) {
      const settings = must(network);
      port ??= import('./viemPort.ts').then(({ openPort }) => wrap(openPort(settings)));
      return port;
    },
    wallets(network) {
      const settings = must(network);
      wallets ??= import('./wallets.ts').then(({ openWallets }) => openWallets(settings));
      return wallets;
    },
  };
}
