import { sha256Hex } from '../../domain/digest.ts';
import { instant } from '../../domain/instant.ts';
import { listingCode, operatorCode } from '../../domain/registry/code.ts';
import type { ListedSkill, ProbedListing } from '../../domain/registry/listing.ts';

/** Listings as a look would leave them, for tests and benches; every field can be put in. */
const AT = instant(Date.parse('2026-11-20T10:00:00Z'));

export function probedListing(given: Partial<ProbedListing> = {}): ProbedListing {
  const kind = given.kind ?? 'mcp';
  const origin = given.origin ?? 'https://agent.example';
  const host = new URL(origin).host;
  return {
    id: listingCode(kind, origin),
    kind,
    origin,
    host,
    endpoint: `${origin}/mcp`,
    group: origin,
    operatorId: operatorCode(host),
    transport: kind === 'mcp' ? 'streamable-http' : 'JSONRPC',
    protocolVersion: kind === 'mcp' ? '2025-06-18' : '1.0',
    name: `Agent at ${host}`,
    access: 'open',
    authSchemes: ['none'],
    verifiedOpen: false,
    quotesX402: false,
    availability: 'live',
    availabilityNote: 'It answered every look.',
    uptimeBps: 10_000,
    cardQualityBps: 10_000,
    latencyMs: 120,
    lastCheckedAt: AT,
    firstSeenAt: AT,
    lastSeenAt: AT,
    cardViolations: [],
    injectionSignals: [],
    ...given,
  };
}

export function listedSkill(name: string, given: Partial<ListedSkill> = {}): ListedSkill {
  return {
    id: name,
    name,
    description: `What ${name} does.`,
    tags: [],
    inputSchema: { type: 'object', properties: {} },
    descriptorHash: sha256Hex(name),
    access: 'unknown',
    verdict: 'not-called',
    why: 'It was not called.',
    ...given,
  };
}
