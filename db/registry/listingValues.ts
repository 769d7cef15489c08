import type { Instant } from '../../domain/instant.ts';
import type { JsonObject } from '../../domain/jsonObject.ts';
import { argumentLine } from '../../domain/registry/arguments.ts';
import type { ListedSkill, ProbedListing, Price } from '../../domain/registry/listing.ts';
import { answers } from '../../domain/registry/listing.ts';
import { promises } from '../../domain/registry/promise.ts';
import { reachOf } from '../../domain/registry/rank.ts';
import * as column from '../batch/columns.ts';
import { table } from '../batch/table.ts';
import type { BulkRow } from './bulk.ts';

const APART = { apart: 'listings are public; the passport that holds one is in the export' };

/** Rows are read by `listingRow.ts`, which is quicker than a description. */
export const LISTINGS = table(
  'listings',
  {
    id: column.text().key(),
    kind: column.text(),
    origin: column.text(),
    host: column.text(),
    endpoint: column.text(),
    agentGroup: column.text(),
    operatorId: column.text(),
    transport: column.text(),
    protocolVersion: column.text().optional(),
    tenant: column.text().optional(),
    name: column.text(),
    givenName: column.text().optional(),
    description: column.text().optional(),
    version: column.text().optional(),
    provider: column.text().optional(),
    documentationUrl: column.text().optional(),
    access: column.text(),
    accessNote: column.text().optional(),
    authSchemes: column.text(),
    verifiedOpen: column.integer(),
    priceAmount: column.amount().optional(),
    priceAsset: column.text().optional(),
    priceNetwork: column.text().optional(),
    pricePayTo: column.text().optional(),
    quotesX402: column.integer(),
    availability: column.text(),
    availabilityNote: column.text(),
    answers: column.integer(),
    uptimeBps: column.integer(),
    cardQualityBps: column.integer(),
    latencyMs: column.integer(),
    lastCheckedAt: column.moment(),
    firstSeenAt: column.moment(),
    lastSeenAt: column.moment(),
    missingSince: column.moment().optional(),
    cardViolations: column.text(),
    injectionSignals: column.text(),
    skillCount: column.integer(),
    skillsPriced: column.integer(),
    skillsPromised: column.integer(),
    skillsDigest: column.text(),
    reach: column.integer(),
    changedAt: column.moment(),
    // Columns that others write.
    summary: column.text().optional().counted(),
    topic: column.text().optional().counted(),
    verification: column.text().optional().counted(),
    passportKeyId: column.text().optional().counted(),
    karma: column.integer().counted(),
    openReports: column.integer().counted(),
    refunds: column.text().counted(),
    calls_30d: column.integer().counted(),
    callers_30d: column.integer().counted(),
    claimedAt: column.moment().optional().counted(),
    standsUnder: column.text().optional().counted(),
    standsBy: column.text().optional().counted(),
    nameKey: column.text().optional().counted(),
  },
  { use: 'single', personal: APART },
);

export const LISTING_SKILLS = table(
  'listing_skills',
  {
    listingId: column.text().key(),
    place: column.integer().key(),
    skillId: column.text(),
    name: column.text(),
    description: column.text(),
    tags: column.text(),
    inputSchema: column.text().optional(),
    outputSchema: column.text().optional(),
    argumentLine: column.text(),
    descriptorHash: column.text(),
    access: column.text(),
    accessCheckedAt: column.moment().optional(),
    verdict: column.text(),
    why: column.text(),
    durationMs: column.integer().optional(),
    priceAmount: column.amount().optional(),
    priceAsset: column.text().optional(),
    priceNetwork: column.text().optional(),
    pricePayTo: column.text().optional(),
  },
  { use: 'single', personal: APART },
);

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
    given_name: listing.givenName ?? null,
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
