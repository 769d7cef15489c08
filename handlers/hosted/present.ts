import type { OwnHosted } from '../../db/hosted/agents.ts';
import type { HostedCall } from '../../db/hosted/calls.ts';
import type { Account } from '../../domain/account.ts';
import { hostedAddresses, type HostedAgent, type HostedTool } from '../../domain/hosted/agent.ts';
import { iso, type Instant } from '../../domain/instant.ts';
import { ASSET } from '../../domain/network.ts';
import { argumentLine } from '../../domain/registry/arguments.ts';
import { shorten } from '../../domain/text.ts';
import type { Schemas } from '../../workflows/kernel/answered.ts';
import type { Hub, OnceAnswer } from '../../workflows/kernel/hub.ts';
import type { PageEnvelope } from '../page.ts';
import { presentDial, type Dialled } from '../../workflows/hosted/dial.ts';
import type { Listed } from '../../workflows/hosted/list.ts';

interface Shown extends Pick<Listed, 'relisted'> {
  readonly agent: Pick<HostedAgent, 'keyId' | 'name' | 'via' | 'endpoint' | 'tools' | 'changedAt'>;
  readonly charge?: Listed['charge'];
}

export function presentListed(
  hub: Hub,
  owner: Account,
  { agent, relisted, charge }: Shown,
  dialled?: Dialled,
): OnceAnswer<'hosted.publish'> {
  const { keyId, name, via, endpoint, tools, changedAt } = agent;
  const { listingId, origin, mcp, a2a, card } = hostedAddresses(hub.settings.baseUrl, keyId);
  return {
    id: listingId,
    owner,
    keyId,
    name,
    kind: 'mcp',
    origin,
    listedEndpoint: mcp,
    a2aEndpoint: a2a,
    cardUrl: card,
    via,
    endpoint,
    tools: tools.map(presentTool),
    ...(dialled && { dial: presentDial(dialled) }),
    relisted,
    listedAt: changedAt,
    charge,
  };
}

function presentTool({ name, description, inputSchema, price }: HostedTool): Schemas['HostedTool'] {
  return {
    name,
    description,
    ...(inputSchema !== undefined && { inputSchema: { ...inputSchema } }),
    priceAtomic: price,
  };
}

/** A listing as its holder sees it, whether it stands or was taken down. */
export function presentEntry(
  hub: Hub,
  owner: Account,
  { agent, connected }: OwnHosted,
): Schemas['HostedEntry'] {
  const { keyId, name, tools, listedAt } = agent;
  const { mcp, a2a, card } = hostedAddresses(hub.settings.baseUrl, keyId);
  return {
    ...presentState(agent, connected),
    owner,
    name,
    listedEndpoint: mcp,
    a2aEndpoint: a2a,
    cardUrl: card,
    tools: tools.map((tool) => ({
      name: tool.name,
      ...(tool.price !== undefined && { priceAtomic: tool.price }),
    })),
    listedAt,
  };
}

export function presentState(
  agent: HostedAgent,
  connected: Instant | undefined,
): Omit<Schemas['HostedCallList'], 'calls' | keyof PageEnvelope> {
  const { listingId, keyId, live, why, via, endpoint, checkedAt } = agent;
  const { served, failed, refused, earned, network, takenDownAt } = agent;
  return {
    id: listingId,
    keyId,
    live,
    why,
    via,
    endpoint,
    lastCheckedAt: checkedAt,
    connectedUntil: connected,
    totals: { served, failed, refused, earned, asset: ASSET, network },
    takenDownAt,
  };
}

export function presentHostedCall(call: HostedCall): Schemas['HostedCall'] {
  const { id, at, caller, tool, price, outcome, why, durationMs, receiptId } = call;
  const noted = { id, at, caller, tool, price, outcome, why, durationMs };
  return { ...noted, receiptId };
}

const VERSIONS = ['1.0', '0.3'] as const;
const MODES = ['application/json', 'text/plain'];

export function presentCard(
  hub: Hub,
  agent: HostedAgent,
): Omit<Schemas['HostedCard'], 'signatures'> {
  const { a2a: url } = hostedAddresses(hub.settings.baseUrl, agent.keyId);
  const protocolBinding = 'JSONRPC';
  return {
    name: agent.name,
    description: `An agent listed by ${hub.settings.baseUrl}, which forwards its calls. Free skills answer every caller; a paid one answers a request that is signed by an account of the hub.`,
    version: iso(agent.changedAt),
    supportedInterfaces: VERSIONS.map((protocolVersion) => {
      return { url, protocolBinding, protocolVersion };
    }),
    capabilities: { streaming: false, pushNotifications: false, extendedAgentCard: false },
    defaultInputModes: MODES,
    defaultOutputModes: MODES,
    skills: agent.tools.map((tool) => presentSkill(agent, tool)),
    url,
    preferredTransport: protocolBinding,
    protocolVersion: '0.3.0',
  };
}

function presentSkill(
  { network }: HostedAgent,
  { name, description, inputSchema, price }: HostedTool,
): Schemas['HostedCard']['skills'][number] {
  const cost = price === undefined ? 'Free.' : `Costs ${price} atomic USDC on ${network}.`;
  const takes = argumentLine(inputSchema);
  const asked = `Send a data part {"skill": "${name}", "arguments": {…}}`;
  const text = `${description}\n${cost} ${asked}${takes === '' ? '' : ` with ${takes}`}.`;
  const tags = [price === undefined ? 'free' : 'paid'];
  return { id: name, name, description: shorten(text, 2_400), tags };
}
