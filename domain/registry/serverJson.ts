import { sha256Hex } from '../digest.ts';
import { cleanLine } from './text.ts';
import type { ProbedListing } from './listing.ts';
import { head } from '../text.ts';

/**
 * A listed MCP server as a `server.json` of the registry API (choices registry.mcp-registry). Its
 * name is made from the endpoint, never from a claim, so no other host can take it.
 */
export const SERVER_SCHEMA =
  'https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json';
const HOST_LENGTH_MAX = 140;
const SLUG_LENGTH_MAX = 40;
const TEXT_LENGTH_MAX = 100;
const VERSION_LENGTH_MAX = 255;
/** As `URL` writes it. */
const IPV4 = /^[0-9]+(?:\.[0-9]+){3}$/;
/** Reported when a server claims no version that the registry API allows. */
const NO_VERSION = '0.0.0';

export interface ServerJson {
  readonly name: string;
  readonly version: string;
  readonly text: string;
}

export type ServerClaims = Pick<
  ProbedListing,
  'endpoint' | 'host' | 'transport' | 'name' | 'description' | 'version' | 'documentationUrl'
>;

/** Undefined for a host whose name is too long for a registry name. */
export function serverJson(listing: ServerClaims): ServerJson | undefined {
  const name = serverName(listing.endpoint);
  if (name === undefined) return undefined;
  const version = serverVersion(listing.version);
  const title = cleanLine(listing.name, TEXT_LENGTH_MAX);
  const description = cleanLine(listing.description, TEXT_LENGTH_MAX);
  const text = JSON.stringify({
    $schema: SERVER_SCHEMA,
    name,
    description: description ?? head(`MCP server at ${listing.host}`, TEXT_LENGTH_MAX),
    title,
    version,
    websiteUrl: websiteOf(listing.documentationUrl),
    remotes: [
      { type: listing.transport === 'sse' ? 'sse' : 'streamable-http', url: listing.endpoint },
    ],
  });
  return { name, version, text };
}

/** `https://mcp.agent.example/a/b` is `example.agent.mcp/a.b`. */
export function serverName(endpoint: string): string | undefined {
  const url = new URL(endpoint);
  const namespace = reverseHost(url.hostname);
  if (namespace.length > HOST_LENGTH_MAX) return undefined;
  const slug = url.pathname.slice(1).replaceAll('/', '.');
  if (isPlain(url, slug)) return `${namespace}/${slug}`;
  // Only these names have an underscore, so no plain path can produce one of them.
  const start = slug.replaceAll(/[^a-zA-Z0-9]+/g, '-').replaceAll(/^-|-$/g, '');
  const hash = sha256Hex(endpoint).slice(0, 10);
  return `${namespace}/${start.slice(0, SLUG_LENGTH_MAX) || 'mcp'}_${hash}`;
}

/** An address that its name alone states. */
function isPlain({ protocol, port, search, pathname }: URL, slug: string): boolean {
  const isPath = /^(?:\/[a-zA-Z0-9-]+)+$/.test(pathname) && slug.length <= SLUG_LENGTH_MAX;
  const isName = /^[a-zA-Z0-9](?:.*[a-zA-Z0-9])$/.test(slug);
  return protocol === 'https:' && port === '' && search === '' && isPath && isName;
}

/** A host in reverse order; an address stays as it is, with letters that a name may have. */
function reverseHost(hostname: string): string {
  const bare = hostname.replace(/^\[|\]$/g, '');
  if (IPV4.test(bare)) return bare;
  if (bare.includes(':')) return `ip6${bare.replaceAll(':', '-')}0`;
  return bare.toLowerCase().split('.').reverse().filter(Boolean).join('.');
}

/** A range names no version (registry API), and neither does the alias `latest`. */
function serverVersion(claimed: string | undefined): string {
  const version = cleanLine(claimed, VERSION_LENGTH_MAX);
  return isExactVersion(version) ? version : NO_VERSION;
}

export function isExactVersion(claimed: unknown): claimed is string {
  if (typeof claimed !== 'string' || claimed === 'latest') return false;
  if (cleanLine(claimed, VERSION_LENGTH_MAX) !== claimed) return false;
  return !/[\^~<>=|*\s]/.test(claimed) && !/(?:^|\.)[xX](?:\.|$)/.test(claimed);
}

function websiteOf(address: string | undefined): string | undefined {
  return address !== undefined && /^https?:\/\/[^\s]+$/.test(address) ? address : undefined;
}

/** The member of `_meta` that is this hub's own. */
export function measuredKey(baseUrl: string): string {
  const { hostname } = new URL(baseUrl);
  const isName = hostname.includes('.') && !IPV4.test(hostname) && !hostname.includes(':');
  return `${isName ? reverseHost(hostname) : 'local.hub'}/measured`;
}
