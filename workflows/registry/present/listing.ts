import type { FullListing } from '../../../db/registry/listings.ts';
import { defined } from '../../../domain/defined.ts';
import type { Instant } from '../../../domain/instant.ts';
import { watchedSeconds } from '../../../domain/registry/history.ts';
import { isAccessStale } from '../../../domain/registry/listing.ts';
import type { ListedSkill, Listing, Price } from '../../../domain/registry/listing.ts';
import { refundsOf } from '../../../domain/registry/promise.ts';
import type { Schemas } from '../../kernel/answered.ts';

type AgentListing = Schemas['AgentListing'];

const PARTS = 10_000;
const SKILLS_SHOWN_MAX = 1000;
const SIGNALS_SHOWN_MAX = 100;

/**
 * A listing as lists, the feed and the record show it; `full.skills` says how much. Members are put
 * in one by one, for the thousands on pages and feeds (see `db/registry/listingRow.ts`).
 */
export function presentListing(full: FullListing, now: Instant): AgentListing {
  const { listing, doors, siblings } = full;
  const skills = full.skills.slice(0, SKILLS_SHOWN_MAX);
  const shown: AgentListing = {
    id: listing.id,
    kind: listing.kind,
    name: listing.name,
    skills: skills.map((skill) => presentSkill(skill, now)),
    skillsOmitted: Math.max(0, listing.skillCount - skills.length),
    ...measured(listing),
    availabilityNote: listing.availabilityNote,
    watchedSeconds: watchedSeconds(listing),
    lastSeenAt: listing.lastSeenAt,
    cardQuality: listing.cardQualityBps / PARTS,
    cardViolations: listing.cardViolations,
    use: { calls30d: listing.calls30d, callers30d: listing.callers30d },
    operatorId: listing.operatorId,
    representative: doors[0]?.id ?? listing.id,
    doors: doors.map(presentDoor),
    siblings: siblings.map(({ id, kind, name, endpoint }) => ({ id, kind, name, endpoint })),
    refunds: refundsOf(listing),
    karma: listing.karma,
    callWith: skills.map(callWith),
  };
  if (listing.openReports !== undefined) shown.openReports = listing.openReports;
  const { summary } = listing;
  if (summary !== undefined) shown.summary = { ...summary, at: summary.at };
  if (listing.verifiedOpen) shown.verifiedOpen = true;
  put(shown, listing, LISTING_OPTIONAL);
  return shown;
}

const MEASURED_OPTIONAL = ['protocolVersion', 'accessNote'] as const;
const LISTING_OPTIONAL = [
  ...MEASURED_OPTIONAL,
  'givenName',
  'description',
  'version',
  'provider',
  'documentationUrl',
  'topic',
  'verification',
  'passportKeyId',
  'standsUnder',
  'standsBy',
] as const;

function put<Name extends string, T extends { [N in Name]?: unknown }>(
  into: T,
  from: { readonly [N in Name]?: T[N] },
  names: readonly Name[],
): void {
  for (const name of names) {
    const value = from[name];
    if (value !== undefined) into[name] = value;
  }
}

function measured(listing: Listing) {
  return {
    origin: listing.origin,
    endpoint: listing.endpoint,
    transport: listing.transport,
    access: listing.access,
    authSchemes: [...listing.authSchemes],
    availability: listing.availability,
    uptime: listing.uptimeBps / PARTS,
    latencyMs: listing.latencyMs,
    lastCheckedAt: listing.lastCheckedAt,
    firstSeenAt: listing.firstSeenAt,
  };
}

function presentDoor(door: Listing): AgentListing['doors'][number] {
  const shown: AgentListing['doors'][number] = {
    id: door.id,
    kind: door.kind,
    ...measured(door),
    skillCount: door.skillCount,
  };
  put(shown, door, MEASURED_OPTIONAL);
  if (door.price !== undefined) shown.price = presentPrice(door.price);
  if (door.missingSince !== undefined) shown.missingSince = door.missingSince;
  const signals = door.injectionSignals.slice(0, SIGNALS_SHOWN_MAX);
  if (signals.length > 0) shown.injectionSignals = signals;
  return shown;
}

function presentSkill(skill: ListedSkill, now: Instant): AgentListing['skills'][number] {
  const { id, name, description, tags, inputSchema, outputSchema } = skill;
  const { access, accessCheckedAt, price } = skill;
  const accessStale = isAccessStale(skill, now);
  const shown: AgentListing['skills'][number] = {
    id,
    name,
    description,
    tags,
    access,
    accessStale,
  };
  if (inputSchema !== undefined) shown.inputSchema = inputSchema;
  if (outputSchema !== undefined) shown.outputSchema = outputSchema;
  if (accessCheckedAt !== undefined) shown.accessCheckedAt = accessCheckedAt;
  if (price !== undefined) shown.price = presentPrice(price);
  return shown;
}

function callWith(skill: ListedSkill): AgentListing['callWith'][number] {
  const { name, argumentLine = '', access, price } = skill;
  const shown: AgentListing['callWith'][number] = { name, args: argumentLine, access };
  if (price !== undefined) shown.price = presentPrice(price);
  return shown;
}

export function presentPrice({ amount, asset, network }: Price) {
  return { amount, asset, ...defined({ network }) };
}
