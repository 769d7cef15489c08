import type { StoredServer } from '../../../db/registry/servers.ts';
import { sha256Hex } from '../../../domain/digest.ts';
import { defined } from '../../../domain/defined.ts';
import { iso } from '../../../domain/instant.ts';
import { measuredKey } from '../../../domain/registry/serverJson.ts';
import type { components } from '../../../generated/types.ts';
import { refuse } from '../../../server/hub/errors.ts';
import { presentPrice } from './listing.ts';

type Measured = components['schemas']['McpServerMeasured'];

const PARTS = 10_000;
const NO_LONGER_SERVED = 'The server reports another version now, or is gone.';

/**
 * The JSON text of a record. The `server.json` in it is copied as it is stored: a page of a hundred
 * is neither parsed nor written again.
 */
export function serverText(stored: StoredServer, baseUrl: string): string {
  const meta = { [measuredKey(baseUrl)]: measured(stored, baseUrl) };
  return `{"server":${stored.server},"_meta":${JSON.stringify(meta)}}`;
}

/** The JSON text of a list. */
export function listText(
  found: readonly StoredServer[],
  baseUrl: string,
  nextCursor?: string,
): string {
  const records = found.map((stored) => serverText(stored, baseUrl)).join(',');
  const metadata = JSON.stringify({ count: found.length, ...defined({ nextCursor }) });
  return `{"servers":[${records}],"metadata":${metadata}}`;
}

/** A reply whose body is JSON text that exists already; it is parsed only where a door asks. */
export function textReply<Body>(text: string) {
  return {
    status: 200 as const,
    headers: { etag: `W/"${sha256Hex(text).slice(0, 32)}"` },
    encoded: { bytes: Buffer.from(text) },
    get body(): Body {
      return JSON.parse(text) as Body;
    },
  };
}

function measured(stored: StoredServer, baseUrl: string): Measured {
  const { isLatest, isListed, publishedAt, updatedAt, measures } = stored;
  const own: Measured = {
    status: isListed ? 'active' : 'deleted',
    isLatest,
    publishedAt: iso(publishedAt),
    updatedAt: iso(updatedAt),
    contentIsUntrusted: true,
  };
  if (!isListed) own.statusMessage = measures?.availabilityNote ?? NO_LONGER_SERVED;
  if (measures === undefined) return own;
  const { agentId, uptimeBps, lastCheckedAt, price, protocolVersion, verification } = measures;
  return {
    ...own,
    agentId,
    record: `${baseUrl}/api/v1/agents/${agentId}`,
    availability: measures.availability,
    availabilityNote: measures.availabilityNote,
    uptime: uptimeBps / PARTS,
    latencyMs: measures.latencyMs,
    lastCheckedAt: iso(lastCheckedAt),
    access: measures.access,
    verifiedOpen: measures.verifiedOpen,
    tools: measures.tools,
    injectionSignals: measures.injectionSignals,
    karma: measures.karma,
    ...defined({ protocolVersion, verification }),
    ...(price !== undefined && { price: presentPrice(price) }),
  };
}

export function noSuchServer(name: string, field: string): never {
  return refuse('not-found', {
    error: `No MCP server is listed under ${name}, or not this version of it.`,
    hint: 'GET /v0.1/servers?search=<part of the name>&include_deleted=true lists those that were seen.',
    field,
  });
}
