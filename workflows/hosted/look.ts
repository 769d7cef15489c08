import { lockHosted, saveHosted } from '../../db/hosted/agents.ts';
import { connectedUntil } from '../../db/hosted/connections.ts';
import { defined } from '../../domain/defined.ts';
import type { HostedAgent } from '../../domain/hosted/agent.ts';
import { readTools, type ReadTool } from '../../domain/registry/readTools.ts';
import { nextRegularCrawl } from '../../domain/registry/schedule.ts';
import type { CrawlStep } from '../../domain/registry/target.ts';
import { toolsToCall, type Called, type ToolSelection } from '../../domain/registry/toolSkill.ts';
import { readListings } from '../../db/registry/listings.ts';
import type { Hub, McpSession } from '../kernel/hub.ts';
import { railOf } from '../x402/rail.ts';
import { verdictOf } from '../registry/probeMcp.ts';
import { dialAgent, type Dialled } from './dial.ts';
import { clientOf } from './forward.ts';
import { indexAgent, type Sight } from './list.ts';
import type { Instant } from '../../domain/instant.ts';

/** Probes a hosted agent: lists tools and calls harmless free ones. Public results name no host. */
export async function lookAtAgent(
  hub: Hub,
  agent: HostedAgent,
  turn: ToolSelection,
): Promise<void> {
  if (!(await isReachable(hub, agent))) return;
  const called = new Map<string, Called>();
  const free = agent.tools.filter(({ price }) => price === undefined);
  const before = await hub.store.read((db) =>
    readListings(db, [agent.listingId], { skillsMax: 1_000, siblingsMax: 0, schemas: false }),
  );
  const known = new Map(before[0]?.skills.map((skill) => [skill.id, skill]));
  const offered = readTools([{ tools: free }]).tools;
  const callFree = async (session: McpSession, real: readonly ReadTool[]): Promise<void> => {
    const barred = new Set(real.filter(({ notCalled }) => notCalled).map(({ name }) => name));
    for (const { name } of toolsToCall(offered, known, hub.clock.now(), turn)) {
      if (barred.has(name)) continue;
      const response = await clientOf(hub, agent).callToolIn(session, name, {});
      if (response.kind === 'failed' && response.raw === undefined) return;
      const raw = response.kind === 'failed' ? response.raw : response;
      const { verdict, message: reason } = verdictOf(response);
      const message = response.kind === 'failed' ? 'It was called and did not answer.' : reason;
      const durationMs = Math.round(raw?.durationMs ?? 0);
      called.set(name, { verdict, message, durationMs, at: hub.clock.now() });
    }
  };
  const dialled = await dialAgent(hub, agent, agent.tools, callFree);
  const rail = await railOf(hub, agent.network);
  const sight = { ...sightOf(dialled), called, forgets: false, rail };
  const chance = (hub.random(1)[0] ?? 0) / 255;
  await hub.store.write(async (tx) => {
    const stands = await lockHosted(tx, agent.keyId);
    // Taken down or changed in the meantime: this look is of the former listing.
    if (stands === undefined || stands.takenDownAt !== undefined) return;
    if (stands.changedAt !== agent.changedAt) return;
    const now = hub.clock.now();
    const failures = sight.verdict === 'live' ? 0 : stands.failures + 1;
    const { protocolVersion = stands.protocolVersion, transport = stands.transport } = dialled;
    await saveHosted(tx, {
      ...stands,
      transport,
      ...defined({ protocolVersion }),
      live: sight.verdict === 'live',
      why: dialled.fault?.says ?? 'It opened and listed its tools.',
      checkedAt: now,
      nextLookAt: nextRegularCrawl(now, failures, chance),
      failures,
      steps: stepsOf(dialled, sight),
    });
    await indexAgent(tx, hub, stands, sight);
  });
}

/** An agent that is not connected is off the list already; a visit would find nothing else. */
async function isReachable(hub: Hub, { via, keyId }: HostedAgent): Promise<boolean> {
  if (via === 'dial') return true;
  const until = await hub.store.readOne((db) => connectedUntil(db, keyId));
  return until !== undefined && until > hub.clock.now();
}

function sightOf({ fault, latencyMs }: Dialled): Pick<Sight, 'verdict' | 'says' | 'latencyMs'> {
  if (fault === undefined) {
    return { verdict: 'live', says: 'it opened and listed its tools.', latencyMs };
  }
  if (fault.kind === 'tools') {
    return { verdict: 'not-speaking', says: 'it lacks tools that it is listed with.', latencyMs };
  }
  return { verdict: 'unreachable', says: 'its endpoint did not open.', latencyMs };
}

/** A visit's steps as the registry shows them, without texts that name the endpoint. */
function stepsOf({ steps, at }: Dialled, { says }: Pick<Sight, 'says'>): readonly CrawlStep[] {
  return steps.flatMap((step) => crawlStepOf(step, at, says) ?? []);
}

const NAMES = { handshake: 'initialize', list: 'tools' } as const;
/** Never asked: the address is the hub's own, and is put in where the step is shown. */
const HERE = 'https://hosted.invalid/';

/** A step as reports of looks have them; undefined for one that they have no name for. */
function crawlStepOf(
  { step, outcome, durationMs = 0 }: Dialled['steps'][number],
  at: Instant,
  says: string,
): CrawlStep | undefined {
  if (step !== 'handshake' && step !== 'list') return undefined;
  const isOk = outcome === 'ok';
  const detail = isOk ? 'It answered.' : says;
  return {
    step: NAMES[step],
    url: HERE,
    at,
    outcome: isOk ? 'ok' : 'unreachable',
    detail,
    durationMs,
  };
}
