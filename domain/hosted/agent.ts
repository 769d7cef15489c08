import { charges } from '../../generated/charges.ts';
import type { KeyId } from '../account.ts';
import type { Instant } from '../instant.ts';
import type { JsonObject } from '../jsonObject.ts';
import { atomic, type Atomic } from '../money.ts';
import type { NetworkId } from '../network.ts';
import { listingCode } from '../registry/code.ts';

/** Agents at the hub's origin, one per key; the hub forwards calls (choices hosted.listings). */
export const HOSTED_FEE: Atomic = atomic(BigInt(charges['hosted.publish'].parts.base.amount));

/** `dial` calls the endpoint; `connect` sends calls down a connection that the agent keeps. */
export type HostedVia = 'dial' | 'connect';

export interface HostedTool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema?: JsonObject;
  /** As the endpoint states it. */
  readonly outputSchema?: JsonObject;
  /** The price of one call; absent means free. */
  readonly price?: Atomic;
}

/** Where its calls go; all that forwarding one needs to know. */
export interface HostedRoute {
  readonly keyId: KeyId;
  readonly via: HostedVia;
  /** The holder's own address, shown to the holder alone. */
  readonly endpoint: string;
  /** The transport that the last look found, so that the next call does not search for it. */
  readonly transport: string;
  readonly protocolVersion?: string;
}

export interface HostedAgent extends HostedRoute {
  readonly listingId: string;
  readonly network: NetworkId;
  readonly name: string;
  readonly tools: readonly HostedTool[];
  /** Whether calls got there at the last look. */
  readonly live: boolean;
  readonly why: string;
  readonly checkedAt: Instant;
  readonly nextLookAt: Instant;
  /** Looks in a row that got no answer. */
  readonly failures: number;
  readonly listedAt: Instant;
  /** When its endpoint or tools were listed last. */
  readonly changedAt: Instant;
  readonly served: number;
  readonly failed: number;
  readonly refused: number;
  readonly earned: Atomic;
  /** When its holder took the listing down; absent while it stands. */
  readonly takenDownAt?: Instant;
}

/** Its addresses under the hub. The key is in the path, so they never move. */
export interface HostedAddresses {
  readonly listingId: string;
  readonly origin: string;
  readonly mcp: string;
  readonly a2a: string;
  readonly card: string;
}

export function hostedAddresses(baseUrl: string, keyId: KeyId): HostedAddresses {
  const { origin } = new URL(baseUrl);
  const base = `${baseUrl}${HOSTED_PATH}${keyId}`;
  const mcp = `${base}/mcp`;
  const { pathname } = new URL(mcp);
  return {
    listingId: listingCode('mcp', origin, pathname),
    origin,
    mcp,
    a2a: `${base}/a2a`,
    card: `${base}/.well-known/agent-card.json`,
  };
}

/** Everything under it is an address of a hosted agent. */
export const HOSTED_PATH = '/hosted/';

/** Whether an address is one of this hub's hosted agents, whatever stands behind the key. */
export function isHostedAddress(baseUrl: string, url: string): boolean {
  return url.startsWith(`${baseUrl}${HOSTED_PATH}`);
}

/**
 * Sent with every forwarded request. A hosted address refuses a request that has it, so no listing
 * stands in front of another one, of this hub or of a further one (choices hosted.loops).
 */
export const FORWARDED_HEADER = 'hub-hosted';
