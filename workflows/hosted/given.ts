import { lockHosted, readHosted } from '../../db/hosted/agents.ts';
import type { Reader, Writer } from '../../db/store.ts';
import type { KeyId } from '../../domain/account.ts';
import { defined } from '../../domain/defined.ts';
import type { HostedAgent, HostedRoute, HostedTool } from '../../domain/hosted/agent.ts';
import { toolsFault } from '../../domain/hosted/tools.ts';
import { refuse } from '../kernel/errors.ts';
import type { Body } from '../kernel/call.ts';
import type { Hub } from '../kernel/hub.ts';

/** Reads the fields of a hosted agent from a request, or refuses them. */
type Published = Body<'hosted.publish'>;
export type Offer = Published & Required<Pick<Published, 'endpoint' | 'tools'>>;

/** Reads what is to be listed; undefined when only a listing that stands is to get another name. */
export function offerGiven(body: Published): Offer | undefined {
  const { endpoint, tools, name } = body;
  if (endpoint !== undefined && tools !== undefined) return { ...body, endpoint, tools };
  if (endpoint === undefined && tools === undefined && name !== undefined) return undefined;
  const missing = endpoint === undefined ? 'endpoint' : 'tools';
  return refuse('bad-request', {
    error: `body.${missing} is missing: only a listing that stands takes a name alone.`,
    hint: `Send the call again with \`${missing}\`.`,
    field: `body.${missing}`,
  });
}

export function toolsGiven({ tools: given }: Offer): readonly HostedTool[] {
  const tools = given.map(({ name, description, inputSchema, priceAtomic: price }): HostedTool => {
    return {
      name,
      description,
      ...defined({ inputSchema, price }),
    };
  });
  const fault = toolsFault(tools);
  if (fault === undefined) return tools;
  const { at, says, mend } = fault;
  return refuse('bad-tools', {
    error: says,
    hint: `${mend} Then send \`POST /api/v1/hosted\` again; nothing was charged.`,
    field: `body.tools[${at}]`,
  });
}

/** Where its calls would go; never the hub itself, and so no hosted agent either. */
export function routeGiven(hub: Hub, { keyId, endpoint, via = 'dial' }: Offer): HostedRoute {
  const route = { keyId, via, transport: 'streamable-http' };
  if (via === 'connect') return { ...route, endpoint };
  const field = 'body.endpoint';
  const verdict = hub.outbound.judge(endpoint);
  if (!verdict.ok) {
    const hint =
      'Give an address that the public internet reaches; an agent behind a router or firewall connects out: `hubctl host --key FILE --endpoint URL`. Nothing was charged.';
    return refuse('endpoint-refused', { error: verdict.message, hint, field });
  }
  const { url } = verdict.target;
  if (isOwn(hub, url)) {
    return refuse('endpoint-refused', {
      error: `${endpoint} is an address of this hub; a listing cannot stand in front of the hub or of another listing.`,
      hint: 'Give the address of your own MCP server. Nothing was charged.',
      field,
    });
  }
  return { ...route, endpoint: url };
}

/** The hub by its public name, or by the port on which it listens on this machine. */
export function isOwn(hub: Hub, url: string): boolean {
  const { host, hostname, port } = new URL(url);
  const { baseUrl, port: listening } = hub.settings;
  if (host === new URL(baseUrl).host) return true;
  const isHere = /^(127\.|localhost$|\[::1?\]$|0\.0\.0\.0$)/.test(hostname);
  return isHere && port === String(listening);
}

export async function mustBeHosted(db: Reader, keyId: KeyId): Promise<HostedAgent> {
  return (await readHosted(db, keyId)) ?? noHosted(keyId);
}

/** Locks the agent of a key, also when its listing was taken down. */
export async function lockAnyHosted(
  tx: Writer,
  keyId: KeyId,
  field?: string,
): Promise<HostedAgent> {
  return (await lockHosted(tx, keyId)) ?? noHosted(keyId, field);
}

export function noHosted(keyId: KeyId, field = 'path.keyId'): never {
  return refuse('not-found', {
    error: `The key ${keyId} has no hosted listing.`,
    hint: 'Its holder makes one: POST /api/v1/hosted, signed. GET /api/v1/agents?q=<words> finds agents.',
    field,
  });
}
