import {
  leaveEndpoint,
  lockHosted,
  saveHosted,
  takeEndpoint,
  type ListedAgent,
} from '../../db/hosted/agents.ts';
import { lockHolder } from '../../db/passport/domains.ts';
import { returnReports } from '../../db/registry/reports.ts';
import { probesOf, saveChanges, saveProbes } from '../../db/registry/probes.ts';
import { readListings, saveListings } from '../../db/registry/listings.ts';
import type { Reader, Writer } from '../../db/store.ts';
import type { Account } from '../../domain/account.ts';
import {
  HOSTED_FEE,
  hostedAddresses,
  type HostedAgent,
  type HostedRoute,
  type HostedTool,
} from '../../domain/hosted/agent.ts';
import { hostedSkills, offerSignals } from '../../domain/hosted/tools.ts';
import type { NetworkId } from '../../domain/network.ts';
import { operatorCode } from '../../domain/registry/code.ts';
import { mergeProbe, type Known, type ProbeResult } from '../../domain/registry/probeResult.ts';
import { doorAccess, type Called } from '../../domain/registry/toolSkill.ts';
import type { Rail } from '../../domain/x402/rail.ts';
import type { Schemas } from '../kernel/answered.ts';
import { refuse } from '../kernel/errors.ts';
import type { Hub } from '../kernel/hub.ts';
import { mustNotBeModerated } from '../kernel/moderation.ts';
import { chargeInside } from '../metering/charge.ts';
import { takeListings } from '../passport/take.ts';
import { HOSTED_TOPIC } from '../topics.ts';
import { saveHostedQuotes } from './quotes.ts';
import { forgetHosted } from './recent.ts';
import { takeDown } from './takeDown.ts';

/** Puts a hosted agent into the index, as a look puts any other there, and takes the fee once. */
export interface Offer {
  readonly account: Account;
  readonly route: HostedRoute;
  readonly name: string;
  /** Whose money pays the fee. */
  readonly network: NetworkId;
  readonly tools: readonly HostedTool[];
  /** The latency of the dial before it. */
  readonly latencyMs: number;
  /** Where priced tools take payments of wallets. */
  readonly rail: Rail | undefined;
}

export interface Listed {
  readonly agent: ListedAgent;
  readonly relisted: boolean;
  /** Absent when it was listed before. */
  readonly charge?: Schemas['Charge'];
}

/** In the unit that has made the passport, whose row keeps two of these apart. */
export async function listAgent(tx: Writer, hub: Hub, offer: Offer): Promise<Listed> {
  const { route, account, network, name, tools } = offer;
  const { keyId } = route;
  const now = hub.clock.now();
  const { listingId } = hostedAddresses(hub.settings.baseUrl, keyId);
  mustNotBeModerated(hub, account, [listingId]);
  const before = await lockHosted(tx, keyId);
  await mustBeFree(tx, hub, route);
  const agent: ListedAgent = {
    ...route,
    listingId,
    network: hub.settings.network,
    name,
    tools,
    live: true,
    why: 'It opened and listed its tools.',
    checkedAt: now,
    // The first look by itself calls what may be called.
    nextLookAt: now,
    failures: 0,
    steps: [],
    listedAt: before?.listedAt ?? now,
    changedAt: now,
  };
  const ref = { kind: 'hosted', id: listingId };
  const fee = { account, network, amount: HOSTED_FEE, reason: 'hosted.fee', ref } as const;
  const charged = before === undefined ? await chargeInside(tx, hub, fee) : undefined;
  await saveHosted(tx, agent);
  const isSame = before !== undefined && before.endpoint === route.endpoint;
  await indexAgent(tx, hub, agent, {
    verdict: 'live',
    says: 'it opened and listed its tools.',
    latencyMs: offer.latencyMs,
    called: new Map(),
    forgets: !isSame,
    rail: offer.rail,
  });
  if (before?.takenDownAt !== undefined) await returnReports(tx, listingId);
  await takeListings(tx, [listingId], account, { keyId, proof: 'hosted', at: now });
  tx.publish(HOSTED_TOPIC);
  tx.afterCommit(() => forgetHosted(hub, keyId));
  return { agent, relisted: before !== undefined, ...(charged && { charge: charged }) };
}

/** An endpoint has one listing here, and a domain whose holder is known is that holder's. */
async function mustBeFree(
  tx: Writer,
  hub: Hub,
  { via, endpoint, keyId }: HostedRoute,
): Promise<void> {
  if (via === 'connect') return leaveEndpoint(tx, keyId);
  const field = 'body.endpoint';
  const { host } = new URL(endpoint);
  const holder = await lockHolder(tx, host);
  if (holder !== undefined && holder !== keyId) {
    refuse('endpoint-refused', {
      error: `The domain ${host} is proved by another passport, so its agents are that one's.`,
      hint: 'List an endpoint of your own, or prove the domain: POST /api/v1/passport/verify.',
      field,
    });
  }
  const other = await takeEndpoint(tx, endpoint, keyId);
  if (other === keyId) return;
  if (holder === keyId) {
    await takeDown(tx, hub, other, `The holder of ${host} lists its endpoint itself.`);
    await takeEndpoint(tx, endpoint, keyId);
    return;
  }
  refuse('hosted-exists', {
    error: 'Another passport has its hosted listing at this endpoint.',
    hint: 'List an endpoint of your own by `POST /api/v1/hosted` again; if the domain of this one is yours, prove it first by `POST /api/v1/passport/verify` with `keyId`. Nothing was charged.',
    field,
  });
}

/** The outcome of a visit to a hosted agent; its texts are public. */
export interface Sight {
  readonly verdict: ProbeResult['verdict'];
  readonly says: string;
  readonly latencyMs: number;
  readonly called: ReadonlyMap<string, Called>;
  /** Another agent stands there now: what was measured of the former one is none of its. */
  readonly forgets: boolean;
  readonly rail: Rail | undefined;
}

export async function indexAgent(
  tx: Writer,
  hub: Hub,
  agent: HostedRouteAndOffer,
  sight: Sight,
): Promise<void> {
  const { keyId, listingId, name, tools, network } = agent;
  const { origin, mcp } = hostedAddresses(hub.settings.baseUrl, keyId);
  const known = await knownAgent(tx, listingId, sight.forgets);
  const skills = hostedSkills(tools, sight.called, known?.skills ?? []).map((skill) =>
    skill.price === undefined ? skill : { ...skill, price: { ...skill.price, network } },
  );
  const result: ProbeResult = {
    kind: 'mcp',
    endpoint: mcp,
    verdict: sight.verdict,
    message: sight.says,
    latencyMs: sight.latencyMs,
    reported: {
      transport: 'streamable-http',
      protocolVersion: SPOKEN_VERSION,
      name,
      skills,
      ...doorAccess(skills),
      authSchemes: ['none'],
      violations: [],
      signals: offerSignals(name, tools),
    },
  };
  const at = hub.clock.now();
  const made = mergeProbe(result, { origin, code: listingId, isMain: false }, known, at);
  if (made === undefined) throw new Error('an agent that reports itself must make a listing');
  // The holder of the key is the operator, not the operator of the hub.
  const listing = { ...made.listing, operatorId: operatorCode(keyId) };
  await saveListings(tx, [{ listing, skills: made.skills }], at);
  await saveProbes(tx, [{ id: listingId, looks: made.looks }]);
  await saveChanges(tx, listingId, at, made.changes);
  await saveHostedQuotes(tx, hub, agent, sight.rail);
}

/** The hub's own door answers in front of every hosted agent. */
const SPOKEN_VERSION = '2025-06-18';
type HostedRouteAndOffer = Pick<HostedAgent, 'keyId' | 'listingId' | 'name' | 'tools' | 'network'>;

async function knownAgent(
  db: Reader,
  listingId: string,
  forgets: boolean,
): Promise<Known | undefined> {
  const wishes = { skillsMax: 1_000, siblingsMax: 0, schemas: true };
  const [full] = await readListings(db, [listingId], wishes);
  if (full === undefined) return undefined;
  const looks = forgets ? [] : ((await probesOf(db, [listingId])).get(listingId) ?? []);
  return { listing: full.listing, skills: forgets ? [] : full.skills, looks };
}
