import type { NetworkId } from '../../domain/network.ts';
import type { ChainBlock, ChainPort } from '../kernel/chain/port.ts';
import type { HotWallet } from '../kernel/chain/wallets.ts';
import type { Hub } from '../kernel/hub.ts';
import { perHub } from '../kernel/perHub.ts';
import { walletLease, watchLease, withLease, type LeasedWrite } from './leases.ts';

/** A chain that this process works on, one process at a time (choices rails.leases). */
export interface ChainAtWork {
  readonly network: NetworkId;
  readonly port: ChainPort;
  readonly write: LeasedWrite;
}

export interface WalletAtWork extends ChainAtWork {
  readonly wallet: HotWallet;
}

/** The watcher of a network at work, and the head that it starts from. */
export interface Watched extends ChainAtWork {
  readonly head: ChainBlock;
}

const heads = perHub(() => new Map<NetworkId, number>());

/** The newest height of the chain that this process has seen, whether it watches or not. */
export function seenHead(hub: Hub, network: NetworkId): number {
  return heads(hub).get(network) ?? 0;
}

/** Does `work` for each chain, unless another process does it. */
export async function withWatch(hub: Hub, work: (at: Watched) => Promise<void>): Promise<void> {
  for (const network of hub.chains.networks) {
    const port = await hub.chains.port(network);
    const head = await port.head();
    heads(hub).set(network, head.number);
    const name = watchLease(network);
    await withLease(hub, name, (write) => work({ network, port, head, write }));
  }
}

/** Does `work` for each network that has a hot wallet, unless another process does it. */
export async function withWallets(
  hub: Hub,
  work: (at: WalletAtWork) => Promise<void>,
): Promise<void> {
  for (const network of hub.chains.networks) {
    const { treasury: wallet } = await hub.chains.wallets(network);
    if (wallet === undefined) continue;
    await withLease(hub, walletLease(network), async (write) =>
      work({ network, port: await hub.chains.port(network), wallet, write }),
    );
  }
}
