import { renameHosted } from '../../db/hosted/agents.ts';
import { readListing, saveListings } from '../../db/registry/listings.ts';
import { saveChanges } from '../../db/registry/probes.ts';
import type { Writer } from '../../db/store.ts';
import type { KeyId } from '../../domain/account.ts';
import type { HostedAgent } from '../../domain/hosted/agent.ts';
import { offerSignals } from '../../domain/hosted/tools.ts';
import { changesBetween } from '../../domain/registry/changes.ts';
import type { Hub } from '../kernel/hub.ts';
import { HOSTED_TOPIC } from '../topics.ts';
import { lockAnyHosted, noHosted } from './given.ts';
import { forgetHosted } from './recent.ts';

/** Renames a listing that stands, in the index too; what was measured of it stays. */
export async function rename(
  tx: Writer,
  hub: Hub,
  keyId: KeyId,
  name: string,
): Promise<HostedAgent> {
  const field = 'body.keyId';
  const agent = await lockAnyHosted(tx, keyId, field);
  if (agent.takenDownAt !== undefined) return noHosted(keyId, field);
  if (agent.name === name) return agent;
  const at = hub.clock.now();
  await renameHosted(tx, keyId, { name, at });
  const known = await readListing(tx, agent.listingId);
  if (known === undefined) throw new Error('a hosted agent that stands is in the index');
  // A look judges the name among the other texts, and so does a new name.
  const injectionSignals = offerSignals(name, agent.tools);
  const found = { listing: { ...known.listing, name, injectionSignals }, skills: known.skills };
  await saveListings(tx, [found], at);
  await saveChanges(tx, agent.listingId, at, changesBetween(known, found));
  tx.publish(HOSTED_TOPIC);
  tx.afterCommit(() => forgetHosted(hub, keyId));
  return { ...agent, name, changedAt: at };
}
