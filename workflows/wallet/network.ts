import { type NetworkId, parseNetworkId, NETWORK_IDS } from '../../domain/network.ts';
import { refuse } from '../kernel/errors.ts';
import type { Hub } from '../kernel/hub.ts';

/** The named network, or the hub's own (choices rails.networks); refuses an unknown one. */
export function networkNamed(hub: Hub, named: string | undefined, field: string): NetworkId {
  if (named === undefined) return hub.settings.network;
  return (
    parseNetworkId(named) ??
    refuse('network-unknown', {
      error: `${field} names ${JSON.stringify(named)}, and there is no such network.`,
      hint: `Networks: ${NETWORK_IDS.join(', ')}; GET /api/v1/networks describes them.`,
      field,
      allowed: [...NETWORK_IDS],
    })
  );
}
