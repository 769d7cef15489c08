import { leaveEndpoint, takeHostedDown } from '../../db/hosted/agents.ts';
import { dropQuotes } from '../../db/registry/quotes.ts';
import { removeListing } from '../../db/registry/remove.ts';
import type { Writer } from '../../db/store.ts';
import type { KeyId } from '../../domain/account.ts';
import { hostedAddresses, type HostedAgent } from '../../domain/hosted/agent.ts';
import type { Hub } from '../kernel/hub.ts';
import { HOSTED_TOPIC } from '../topics.ts';
import { lockAnyHosted } from './given.ts';
import { forgetHosted } from './recent.ts';

const BY_HOLDER = 'You took it down; POST /api/v1/hosted publishes it again, for free.';

/**
 * Takes a listing out of the index (choices hosted.taking-down). Calls under way end as they would:
 * their route, holds and receipts do not need it. One already down is returned.
 */
export async function takeDown(
  tx: Writer,
  hub: Hub,
  keyId: KeyId,
  why = BY_HOLDER,
): Promise<HostedAgent> {
  const agent = await lockAnyHosted(tx, keyId);
  if (agent.takenDownAt !== undefined) return agent;
  const at = hub.clock.now();
  await takeHostedDown(tx, keyId, { why, at });
  await leaveEndpoint(tx, keyId);
  await removeListing(tx, agent.listingId, at);
  await dropQuotes(tx, hostedAddresses(hub.settings.baseUrl, keyId).mcp, []);
  tx.publish(HOSTED_TOPIC);
  tx.afterCommit(() => forgetHosted(hub, keyId));
  return { ...agent, live: false, why, changedAt: at, takenDownAt: at };
}
