import type { NetworkId } from '../../../domain/network.ts';
import type { ChainFacts } from './port.ts';

/** How a network reaches its chain, and which keys of custody are loaded. */
export interface ChainSettings {
  readonly network: NetworkId;
  readonly facts: ChainFacts;
  /** Addresses of nodes; a later one is asked when an earlier one fails. */
  readonly rpc: readonly string[];
  /** File of the hot wallet's private key; without it nothing is withdrawn or settled. */
  readonly treasuryKeyFile?: string;
  /** Extended public key of the deposit addresses; without it nothing is paid in by transfer. */
  readonly depositXpub?: string;
}
