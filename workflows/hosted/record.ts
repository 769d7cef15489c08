import { readHosted, stepsOfHosted } from '../../db/hosted/agents.ts';
import { changesAt, probesOf } from '../../db/registry/probes.ts';
import { readListing, type FullListing } from '../../db/registry/listings.ts';
import type { Reader } from '../../db/store.ts';
import { parseKeyId, type KeyId } from '../../domain/account.ts';
import { HOSTED_PATH, hostedAddresses, type HostedAgent } from '../../domain/hosted/agent.ts';
import type { Change } from '../../domain/registry/changes.ts';
import type { PastProbe } from '../../domain/registry/history.ts';
import type { Target } from '../../domain/registry/target.ts';
import { refuse } from '../kernel/errors.ts';
import type { Hub } from '../kernel/hub.ts';
import { lookAtAgent } from './look.ts';
import { freshLeft, takeFresh } from '../registry/freshChecks.ts';

/** The record that a check of an address shows, as for any other listing. */
export interface HostedRecord {
  readonly url: string;
  readonly target: Target;
  readonly full: FullListing | undefined;
  readonly looks: readonly PastProbe[];
  readonly changes: readonly Change[];
  readonly quotes: readonly never[];
  readonly fresh: boolean;
  readonly freshLeft: number;
}

/** Returns the record of a hosted agent. It is probed at its real address, which is never shown. */
export async function hostedRecord(
  hub: Hub,
  url: string,
  ip: string,
  fresh: boolean,
): Promise<HostedRecord> {
  const [key = ''] = url.slice(`${hub.settings.baseUrl}${HOSTED_PATH}`.length).split('/');
  const keyId = parseKeyId(key);
  const agent = keyId && (await hub.store.readOne((db) => readHosted(db, keyId)));
  if (agent === undefined) return noAgent();
  if (fresh) {
    await takeFresh(hub, ip);
    await lookAtAgent(hub, agent, 'now');
  }
  return hub.store.read((db) => recordOf(db, hub, agent.keyId, ip, fresh));
}

async function recordOf(
  db: Reader,
  hub: Hub,
  keyId: KeyId,
  ip: string,
  fresh: boolean,
): Promise<HostedRecord> {
  const agent = await readHosted(db, keyId);
  // Taken down while it was looked at.
  if (agent === undefined) return noAgent();
  const { listingId } = agent;
  const { mcp: url } = hostedAddresses(hub.settings.baseUrl, keyId);
  const looks = (await probesOf(db, [listingId])).get(listingId) ?? [];
  const last = looks.at(-1);
  const steps = await stepsOfHosted(db, keyId);
  return {
    url,
    target: targetOf(
      agent,
      hub,
      steps.map((step) => ({ ...step, url })),
    ),
    full: await readListing(db, listingId),
    looks,
    changes: last === undefined ? [] : await changesAt(db, listingId, last.at),
    quotes: [],
    fresh,
    freshLeft: await freshLeft(db, hub, ip),
  };
}

function noAgent(): never {
  const error = 'No agent is listed at this address of the hub.';
  return refuse('endpoint-refused', { error, field: 'query.url' });
}

type Steps = Awaited<ReturnType<typeof stepsOfHosted>>;

function targetOf(agent: HostedAgent, hub: Hub, probes: Steps): Target {
  const { listingId, listedAt, checkedAt, nextLookAt, failures } = agent;
  const { origin } = new URL(hub.settings.baseUrl);
  return {
    origin,
    host: new URL(origin).host,
    foundBy: 'hosted',
    firstSeenAt: listedAt,
    hints: [],
    submissions: 0,
    backOff: 0,
    nextLookAt,
    failures,
    lastLookAt: checkedAt,
    outcome: 'listed',
    report: { found: [listingId], probes },
  };
}
