import { takeLease } from '../../db/rails/leases.ts';
import type { Writer } from '../../db/store.ts';
import { plus, seconds } from '../../domain/instant.ts';
import type { NetworkId } from '../../domain/network.ts';
import type { ChainPort } from '../../server/hub/chain/port.ts';
import type { HotWallet } from '../../server/hub/chain/wallets.ts';
import type { Hub } from '../../server/hub/hub.ts';
import { perHub } from '../../server/hub/perHub.ts';

/** The hot wallet of a network at work: one process at a time, by a lease in the database. */
export interface WalletAtWork {
  readonly network: NetworkId;
  readonly port: ChainPort;
  readonly wallet: HotWallet;
}

const LEASE_SECONDS = seconds(60);

/** A name of this process for its leases. */
const holderOf = perHub((hub) => hub.ids.uuid());

/** Does `work` for each chain, unless another process does it. */
export async function withWatch(
  hub: Hub,
  work: (at: Pick<WalletAtWork, 'network' | 'port'>) => Promise<void>,
): Promise<void> {
  for (const network of hub.chains.networks) {
    const now = hub.clock.now();
    const until = plus(now, LEASE_SECONDS);
    const mine = await hub.store.write((tx) =>
      takeLease(tx, `watch:${network}`, holderOf(hub), now, until),
    );
    if (mine) await work({ network, port: await hub.chains.port(network) });
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
    if (!(await hub.store.write((tx) => holdsLease(tx, hub, network)))) continue;
    await work({ network, port: await hub.chains.port(network), wallet });
  }
}

/** Asked again in the unit that signs: whoever lost the lease meanwhile signs nothing. */
export function holdsLease(tx: Writer, hub: Hub, network: NetworkId): Promise<boolean> {
  const now = hub.clock.now();
  return takeLease(tx, leaseOf(network), holderOf(hub), now, plus(now, LEASE_SECONDS));
}

function leaseOf(network: NetworkId): string {
  return `wallet:${network}`;
}
