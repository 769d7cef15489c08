import { defined } from '../defined.ts';
import type { Instant } from '../instant.ts';
import { changesBetween, type Change } from './changes.ts';
import { listingCode, operatorCode } from './code.ts';
import { counts, measure, withProbe } from './history.ts';
import type { Measured, PastProbe, ProbeVerdict } from './history.ts';
import type {
  AccessClass,
  CardViolation,
  InjectionSignal,
  ListedSkill,
  Listing,
  ListingKind,
  ProbedListing,
  Price,
} from './listing.ts';
import { listedName } from './listedName.ts';
import { qualityBps, shownViolations } from './quality.ts';

/**
 * The result of one look at one door, and its listing. A door that never answered makes no listing
 * (interface, Registry), while one that did keeps its data when it falls silent.
 */
export interface ProbeResult {
  readonly kind: ListingKind;
  readonly endpoint: string;
  /** Where its card was read. */
  readonly card?: string;
  readonly verdict: ProbeVerdict;
  readonly message: string;
  readonly latencyMs: number;
  /** Its own description; absent when it gave none. */
  readonly reported?: ReportedMetadata;
}

export interface ReportedMetadata {
  readonly transport: string;
  readonly protocolVersion?: string;
  readonly tenant?: string;
  readonly name: string;
  readonly description?: string;
  readonly version?: string;
  readonly provider?: string;
  readonly documentationUrl?: string;
  readonly skills: readonly ListedSkill[];
  readonly access: AccessClass;
  readonly accessNote?: string;
  readonly authSchemes: readonly string[];
  /** It asks for money over x402, though its price may not be readable. */
  readonly isX402?: boolean;
  /** The price of the door as a whole. */
  readonly price?: Price;
  readonly violations: readonly CardViolation[];
  readonly signals: readonly InjectionSignal[];
}

export interface Known {
  readonly listing: Listing;
  readonly skills: readonly ListedSkill[];
  readonly looks: readonly PastProbe[];
}

export interface MergedListing {
  readonly listing: ProbedListing;
  readonly skills: readonly ListedSkill[];
  readonly looks: readonly PastProbe[];
  readonly changes: readonly Change[];
}

/**
 * An origin's code for a protocol: its own, or that of a listing that moved there (interface,
 * Registry code), which the endpoint `heldBy` has. `leftFor` is where its listing moved: the agent
 * here may be another one.
 */
export type OriginCode =
  { readonly id: string; readonly heldBy?: string } | { readonly leftFor: string };
export type OriginCodes = Readonly<Record<ListingKind, OriginCode>>;

/** Merges a result into a listing; undefined if there is neither a listing nor a description. */
export function mergeProbe(
  seen: ProbeResult,
  { origin, code, isMain }: { origin: string; code: string; isMain: boolean },
  known: Known | undefined,
  at: Instant,
): MergedListing | undefined {
  if (known === undefined && seen.reported === undefined) return undefined;
  const look = { at, verdict: seen.verdict, latencyMs: seen.latencyMs };
  const past = known?.looks ?? [];
  const looks = withProbe(past, look);
  const before = known?.listing;
  const isLive = seen.verdict === 'live';
  const host = new URL(origin).host;
  const reported =
    seen.reported === undefined ? undefined : reportedFields(seen.kind, host, seen.reported);
  const kept = reported ?? keptFields(before);
  if (kept === undefined) return undefined;
  const skills = seen.reported?.skills ?? known?.skills ?? [];
  const missingSince = isLive ? undefined : (before?.missingSince ?? at);
  const listing: ProbedListing = {
    id: code,
    kind: seen.kind,
    origin,
    host,
    endpoint: seen.endpoint,
    group: isMain ? origin : seen.endpoint,
    operatorId: operatorCode(host),
    ...kept,
    verifiedOpen: skills.some(({ verdict }) => verdict === 'served'),
    ...(before === undefined || counts(past, look)
      ? measure(looks, seen.message)
      : measuredBefore(before)),
    lastCheckedAt: at,
    firstSeenAt: before?.firstSeenAt ?? at,
    lastSeenAt: isLive ? at : (before?.lastSeenAt ?? at),
    ...defined({ missingSince }),
  };
  const changes = known === undefined ? [] : changesBetween(known, { listing, skills });
  return { listing, skills, looks, changes };
}

/** A look that does not count changes nothing of what was measured. */
function measuredBefore(before: ProbedListing): Measured {
  const { availability, availabilityNote, uptimeBps, latencyMs } = before;
  return { availability, availabilityNote, uptimeBps, latencyMs };
}

type ReportedFields = Pick<
  ProbedListing,
  | 'transport'
  | 'protocolVersion'
  | 'tenant'
  | 'name'
  | 'givenName'
  | 'description'
  | 'version'
  | 'provider'
  | 'documentationUrl'
  | 'access'
  | 'accessNote'
  | 'authSchemes'
  | 'price'
  | 'quotesX402'
  | 'cardQualityBps'
  | 'cardViolations'
  | 'injectionSignals'
>;

function reportedFields(
  kind: ListingKind,
  host: string,
  reported: ReportedMetadata,
): ReportedFields {
  const { violations, signals, skills, price: own, authSchemes, isX402, ...claims } = reported;
  const quoted = [own, ...skills.map(({ price }) => price)].flatMap((price) => price ?? []);
  // A quote of nothing is no price.
  const prices = quoted.filter(({ amount }) => amount > 0n);
  const [first, ...others] = prices;
  const price =
    first && others.reduce((least, each) => (each.amount < least.amount ? each : least), first);
  const isQuoting = price !== undefined || isX402 === true;
  return {
    ...claims,
    ...namesOf(claims.name, host),
    authSchemes: isQuoting ? [...new Set([...authSchemes, 'x402'])] : authSchemes,
    ...defined({ price }),
    quotesX402: isQuoting,
    cardQualityBps: qualityBps(kind, violations),
    cardViolations: shownViolations(violations),
    injectionSignals: signals,
  };
}

/** Lists show a name without marks of the hub, and the host where nothing else is left. */
function namesOf(given: string, host: string): Pick<ProbedListing, 'name' | 'givenName'> {
  const name = listedName(given) ?? host;
  return name === given ? { name } : { name, givenName: given };
}

function keptFields(before: Listing | undefined): ReportedFields | undefined {
  if (before === undefined) return undefined;
  const { transport, name, access, authSchemes, quotesX402 } = before;
  const { cardQualityBps, cardViolations, injectionSignals } = before;
  const { protocolVersion, tenant, description, version, provider } = before;
  const { documentationUrl, accessNote, price, givenName } = before;
  return {
    transport,
    name,
    access,
    authSchemes,
    quotesX402,
    cardQualityBps,
    cardViolations,
    injectionSignals,
    ...defined({
      protocolVersion,
      tenant,
      description,
      version,
      provider,
      documentationUrl,
      accessNote,
      price,
      givenName,
    }),
  };
}

/**
 * Returns the codes of the doors that a look saw at one origin, in their order. The code of the
 * origin belongs to the door that has it, as long as that answers; else to the first that does. A
 * further endpoint of the same protocol gets a code of its own (choices registry.codes), and so
 * does a new agent at an origin whose listing has left; undefined is the door of that one itself.
 */
export function codesOf(
  origin: string,
  seen: readonly ProbeResult[],
  known: readonly Pick<Listing, 'id' | 'endpoint'>[],
  mains: OriginCodes,
): readonly (string | undefined)[] {
  const taken = new Map<string, string>();
  const lost = new Set(
    seen.filter(({ verdict }) => verdict !== 'live').map(({ endpoint }) => endpoint),
  );
  const endpoints = new Map(known.map(({ id, endpoint }) => [endpoint, id]));
  for (const { endpoint, verdict } of seen) {
    const id = endpoints.get(endpoint);
    if (id !== undefined && verdict === 'live') taken.set(id, endpoint);
  }
  return seen.map(({ kind, endpoint, reported }) => {
    const own = endpoints.get(endpoint);
    if (own !== undefined && (taken.get(own) ?? endpoint) === endpoint) return own;
    const main = mains[kind];
    if ('leftFor' in main) {
      if (main.leftFor === endpoint) return undefined;
    } else {
      const holder = taken.get(main.id);
      // The one that has it keeps it while it was not asked.
      const { heldBy = endpoint } = main;
      const isLeft = heldBy === endpoint || lost.has(heldBy);
      if (reported !== undefined && (holder === endpoint || (holder === undefined && isLeft))) {
        taken.set(main.id, endpoint);
        return main.id;
      }
    }
    const { pathname, search } = new URL(endpoint);
    return listingCode(kind, origin, endpoint.startsWith(origin) ? pathname + search : endpoint);
  });
}
