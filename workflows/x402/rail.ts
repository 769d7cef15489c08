import type { NetworkId } from '../../domain/network.ts';
import type { Rail } from '../../domain/x402/rail.ts';
import { ChainUnavailable } from '../kernel/chain/port.ts';
import type { Hub } from '../kernel/hub.ts';
import { perHub } from '../kernel/perHub.ts';

/** Rails by network; what a rail is never changes while a process runs. */
const known = perHub(() => new Map<NetworkId, Rail>());

/** Returns a network's rail; undefined without facilitator, wallet (Router) or reachable node. */
export async function railOf(hub: Hub, network: NetworkId): Promise<Rail | undefined> {
  return hub.settings.x402Facilitator === undefined ? undefined : chainRailOf(hub, network);
}

/** The hub's own wallet on the chain of a network; undefined without one, or while no node answers. */
export async function chainRailOf(hub: Hub, network: NetworkId): Promise<Rail | undefined> {
  const facts = hub.chains.facts(network);
  if (facts === undefined) return undefined;
  const cached = known(hub).get(network);
  if (cached !== undefined) return cached;
  const { treasury } = await hub.chains.wallets(network);
  if (treasury === undefined) return undefined;
  try {
    const port = await hub.chains.port(network);
    const token = await port.tokenDomain();
    const { chainId, token: asset } = facts;
    const rail: Rail = { network, chainId, asset, token, payTo: treasury.address };
    known(hub).set(network, rail);
    return rail;
  } catch (error) {
    if (!(error instanceof ChainUnavailable)) throw error;
    hub.log.warn({ err: error, network }, 'no x402 rail while the chain does not answer');
    return undefined;
  }
}
