import type { Instant } from '../../domain/instant.ts';
import type { JsonObject } from '../../domain/jsonObject.ts';
import { argumentLine } from '../../domain/registry/arguments.ts';
import type { ListedSkill, ProbedListing, Price } from '../../domain/registry/listing.ts';
import { answers } from '../../domain/registry/listing.ts';
import { promises } from '../../domain/registry/promise.ts';
import { reachOf } from '../../domain/registry/rank.ts';
import type { BulkRow, ColumnType } from './bulk.ts';

export const LISTING_COLUMNS: Readonly<Record<string, ColumnType>> = {
  id: 'text',
  kind: 'text',
  origin: 'text',
  host: 'text',
  endpoint: 'text',
  agent_group: 'text',
  operator_id: 'text',
  transport: 'text',
  protocol_version: 'text',
  tenant: 'text',
  name: 'text',
  description: 'text',
  version: 'text',
  provider: 'text',
  documentation_url: 'text',
  access: 'text',
  access_note: 'text',
  auth_schemes: 'text',
  verified_open: 'int',
  price_amount: 'int',
  price_asset: 'text',
  price_network: 'text',
  price_pay_to: 'text',
  quotes_x402: 'int',
  availability: 'text',
  availability_note: 'text',
  answers: 'int',
  uptime_bps: 'int',
  card_quality_bps: 'int',
  latency_ms: 'int',
  last_checked_at: 'int',
  first_seen_at: 'int',
  last_seen_at: 'int',
  missing_since: 'int',
  card_violations: 'text',
  injection_signals: 'text',
  skill_count: 'int',
  skills_priced: 'int',
  skills_promised: 'int',
  skills_digest: 'text',
  reach: 'int',
  changed_at: 'int',
};

export const SKILL_COLUMNS: Readonly<Record<string, ColumnType>> = {
  listing_id: 'text',
  place: 'int',
  skill_id: 'text',
  name: 'text',
  description: 'text',
  tags: 'text',
  input_schema: 'text',
  output_schema: 'text',
  argument_line: 'text',
  descriptor_hash: 'text',
  access: 'text',
  access_checked_at: 'int',
  verdict: 'text',
  why: 'text',
  duration_ms: 'int',
  price_amount: 'int',
  price_asset: 'text',
  price_network: 'text',
  price_pay_to: 'text',
};

export interface Stamped {
  readonly skillsDigest: string;
  readonly changedAt: Instant;
  /** Calls that the router counted; a new listing has none. */
  readonly calls30d: number;
}

export function listingValues(
  listing: ProbedListing,
  skills: readonly ListedSkill[],
  { skillsDigest, changedAt, calls30d }: Stamped,
): BulkRow {
  // A quote of nothing is no price.
  const skillsPriced = skills.filter(({ price }) => (price?.amount ?? 0n) > 0n).length;
  return {
    id: listing.id,
    kind: listing.kind,
    origin: listing.origin,
    host: listing.host,
    endpoint: listing.endpoint,
    agent_group: listing.group,
    operator_id: listing.operatorId,
    transport: listing.transport,
    protocol_version: listing.protocolVersion ?? null,
    tenant: listing.tenant ?? null,
    name: listing.name,
    description: listing.description ?? null,
    version: listing.version ?? null,
    provider: listing.provider ?? null,
    documentation_url: listing.documentationUrl ?? null,
    access: listing.access,
    access_note: listing.accessNote ?? null,
    auth_schemes: JSON.stringify(listing.authSchemes),
    verified_open: listing.verifiedOpen ? 1 : 0,
    ...priceValues(listing.price),
    quotes_x402: listing.quotesX402 ? 1 : 0,
    availability: listing.availability,
    availability_note: listing.availabilityNote,
    answers: answers(listing.availability) ? 1 : 0,
    uptime_bps: listing.uptimeBps,
    card_quality_bps: listing.cardQualityBps,
    latency_ms: listing.latencyMs,
    last_checked_at: listing.lastCheckedAt,
    first_seen_at: listing.firstSeenAt,
    last_seen_at: listing.lastSeenAt,
    missing_since: listing.missingSince ?? null,
    card_violations: JSON.stringify(listing.cardViolations),
    injection_signals: JSON.stringify(listing.injectionSignals),
    skill_count: skills.length,
    skills_priced: skillsPriced,
    skills_promised: skills.filter(promises).length,
    skills_digest: skillsDigest,
    reach: reachOf({ ...listing, skillsPriced, calls30d }),
    changed_at: changedAt,
  };
}

export function skillValues(listingId: string, skill: ListedSkill, place: number): BulkRow {
  return {
    listing_id: listingId,
    place,
    skill_id: skill.id,
    name: skill.name,
    description: skill.description,
    tags: JSON.stringify(skill.tags),
    input_schema: textOfSchema(skill.inputSchema),
    output_schema: textOfSchema(skill.outputSchema),
    argument_line: argumentLine(skill.inputSchema),
    descriptor_hash: skill.descriptorHash,
    access: skill.access,
    access_checked_at: skill.accessCheckedAt ?? null,
    verdict: skill.verdict,
    why: skill.why,
    duration_ms: skill.durationMs ?? null,
    ...priceValues(skill.price),
  };
}

function textOfSchema(schema: JsonObject | undefined): string | null {
  return schema === undefined ? null : JSON.stringify(schema);
}

function priceValues(price: Price | undefined): BulkRow {
  return {
    price_amount: price === undefined ? null : Number(price.amount),
    price_asset: price?.asset ?? null,
    price_network: price?.network ?? null,
    price_pay_to: price?.payTo ?? null,
  };
}
