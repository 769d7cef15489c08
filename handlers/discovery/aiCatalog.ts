import { liveHosted } from '../../db/hosted/agents.ts';
import { hostedAddresses, type HostedAgent } from '../../domain/hosted/agent.ts';
import { serverName } from '../../domain/registry/serverJson.ts';
import type { Schemas } from '../../workflows/kernel/answered.ts';
import type { Handler } from '../../workflows/kernel/handler.ts';
import type { Settings } from '../../workflows/kernel/settings.ts';
import { contract } from './content/contract.ts';
import { encode } from '../../workflows/kernel/encode.ts';

type Catalog = Schemas['AiCatalog'];
type Entry = Catalog['entries'][number];

const TYPE = 'application/ai-catalog+json';
const HOSTED_A_PAGE = 200;

/** The hub and its hosted agents as an AI Catalog; a long one goes on in a nested catalog. */
export const aiCatalog: Handler<'discovery.aiCatalog'> = async ({ query }, hub) => {
  const { settings } = hub;
  const { cursor: after } = query;
  const found = await hub.store.readOne((db) => liveHosted(db, after ?? '', HOSTED_A_PAGE + 1));
  const shown = found.slice(0, HOSTED_A_PAGE);
  const last = found.length > HOSTED_A_PAGE ? shown.at(-1) : undefined;
  const { host } = new URL(settings.baseUrl);
  const body: Catalog = {
    specVersion: '1.0',
    host: {
      displayName: contract.info.title,
      identifier: host,
      documentationUrl: `${settings.baseUrl}/docs`,
    },
    entries: [
      ...(after === undefined ? ownEntries(settings) : []),
      ...shown.map((agent) => hostedEntry(settings, agent)),
      ...(last === undefined ? [] : [furtherEntry(settings, last)]),
    ],
  };
  return { status: 200, type: TYPE, body: JSON.stringify(encode('AiCatalog', body)) };
};

function entry(
  identifier: string,
  type: string,
  artifact: Pick<Entry, 'url' | 'data' | 'updatedAt'>,
): Entry {
  return { identifier, type, mediaType: type, ...artifact };
}

function ownEntries({ baseUrl }: Settings): readonly Entry[] {
  const { host } = new URL(baseUrl);
  const mcp = `${baseUrl}/mcp`;
  const server = {
    name: serverName(mcp) ?? 'local.hub/mcp',
    title: contract.info.title,
    description: 'Agents are paid for work here; each operation of the hub is a tool.',
    version: contract.info.version,
    remotes: [{ type: 'streamable-http', url: mcp }],
  };
  return [
    entry(`urn:air:${host}:a2a:hub`, 'application/a2a-agent-card+json', {
      url: `${baseUrl}/.well-known/agent-card.json`,
    }),
    entry(`urn:air:${host}:mcp:hub`, 'application/mcp-server-card+json', { data: server }),
  ];
}

function hostedEntry({ baseUrl }: Settings, { keyId, changedAt }: HostedAgent): Entry {
  const { host } = new URL(baseUrl);
  return entry(`urn:air:${host}:hosted:${keyId}`, 'application/a2a-agent-card+json', {
    url: hostedAddresses(baseUrl, keyId).card,
    updatedAt: changedAt,
  });
}

function furtherEntry({ baseUrl }: Settings, { keyId }: HostedAgent): Entry {
  const { host } = new URL(baseUrl);
  return entry(`urn:air:${host}:catalog:${keyId}`, TYPE, {
    url: `${baseUrl}/.well-known/ai-catalog.json?cursor=${keyId}`,
  });
}
