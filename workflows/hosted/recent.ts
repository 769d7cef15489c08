import { readHosted } from '../../db/hosted/agents.ts';
import type { KeyId } from '../../domain/account.ts';
import type { HostedAgent } from '../../domain/hosted/agent.ts';
import type { Hub } from '../kernel/hub.ts';
import { perHub } from '../kernel/perHub.ts';
import { putNewest } from '../kernel/putNewest.ts';
import { HOSTED_TOPIC } from '../topics.ts';

/** As long as answers of other processes may be given again (choices search.caches). */
const KEPT_MS = 1_000;
const KEPT_MAX = 1_000;

interface Kept {
  readonly agent: HostedAgent | undefined;
  /** The mark of HOSTED_TOPIC when this process began to read the agent. */
  readonly since: number;
  readonly at: number;
}
const kept = perHub(() => new Map<KeyId, Kept>());

/**
 * A hosted agent as it was a moment ago: never before a listing that this process made or was
 * notified of, and not longer ago than a second. For free calls; a paid call reads the agent again.
 */
export async function recentHosted(hub: Hub, keyId: KeyId): Promise<HostedAgent | undefined> {
  const agents = kept(hub);
  const [since, at] = [hub.notifier.published(HOSTED_TOPIC), hub.clock.elapsedMs()];
  const known = agents.get(keyId);
  if (known?.since === since && at - known.at < KEPT_MS) return known.agent;
  const agent = await hub.store.readOne((db) => readHosted(db, keyId));
  putNewest(agents, [keyId, { agent, since, at }], KEPT_MAX);
  return agent;
}

/** After the commit of a listing, since PostgreSQL notifies later than the answer. */
export function forgetHosted(hub: Hub, keyId: KeyId): void {
  kept(hub).delete(keyId);
}
