import type { Decider } from '../../db/batch/transaction.ts';
import type { Reader } from '../../db/store.ts';
import { kindOf, NETWORK_KINDS } from '../../db/wallet/networks.ts';
import type { NetworkId, NetworkKind } from '../../domain/network.ts';
import type { Hub } from '../kernel/hub.ts';
import { perHub } from '../kernel/perHub.ts';

/** The kind of a network never changes, so it is read once. */
const kindsOf = perHub(() => new Map<NetworkId, NetworkKind>());

export async function knownKind(hub: Hub, db: Reader, network: NetworkId): Promise<NetworkKind> {
  const kinds = kindsOf(hub);
  const kind = kinds.get(network) ?? (await kindOf(db, network));
  kinds.set(network, kind);
  return kind;
}

/** The same outside of a transaction. */
export async function networkKind(hub: Hub, network: NetworkId): Promise<NetworkKind> {
  return kindsOf(hub).get(network) ?? hub.store.read((db) => knownKind(hub, db, network));
}

/** The same inside of one. */
export function kindIn(db: Decider, hub: Hub, network: NetworkId): NetworkKind {
  const kinds = kindsOf(hub);
  const kind = kinds.get(network) ?? db.find(NETWORK_KINDS, network)?.kind;
  if (kind === undefined) throw new Error(`no network is named ${network}`);
  kinds.set(network, kind);
  return kind;
}
