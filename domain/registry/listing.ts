import type { JsonObject } from '../jsonObject.ts';
import { instant, type Instant } from '../instant.ts';
import type { Atomic } from '../money.ts';

/**
 * A listing is one door: one protocol at one origin (interface, Agent listing). Published texts are
 * untrusted claims, cleaned and cut before they come here; the hub relies on measurements alone.
 */
export type ListingKind = 'a2a' | 'mcp';

export type AccessClass = 'open' | 'paid' | 'auth-required' | 'closed' | 'unknown';

export type Availability = 'live' | 'unstable' | 'not-speaking' | 'unreachable' | 'unknown';

/**
 * Answers of a paid call that cost nothing, each value with those before it: `none`, a breach of
 * the tool's own output schema, a breach of the caller's acceptance rule (choices router.refunds).
 */
export type Refunds = 'none' | 'output-schema' | 'acceptance';

export type ListingProof = 'dns' | 'well-known' | 'endpoint' | 'hosted';

/** The price of the last quote. `payTo` is compared at each call: a quote names who is paid. */
export interface Price {
  readonly amount: Atomic;
  /** `USDC`; no other asset makes a price. */
  readonly asset: string;
  /** `base`, `base-sepolia`, or the name that the quote used. */
  readonly network?: string;
  readonly payTo?: string;
}

export interface CardViolation {
  readonly rule: string;
  readonly path: string;
  readonly says: string;
}

export type SignalKind =
  'override' | 'command' | 'preference' | 'secrecy' | 'credential' | 'payment' | 'hidden-text';
export interface InjectionSignal {
  readonly path: string;
  readonly kind: SignalKind;
  readonly text: string;
}

/** How calling a tool ended; `not-called` names in `why` the rule that kept the hub from it. */
export type ToolVerdict = 'served' | 'quoted' | 'key-needed' | 'refused' | 'failed' | 'not-called';

export interface ListedSkill {
  /** The tool name for MCP. Not unique: operators repeat themselves. */
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly tags: readonly string[];
  readonly inputSchema?: JsonObject;
  /** The schema of its structured content; an answer that breaks it may be refunded. */
  readonly outputSchema?: JsonObject;
  /** The arguments of `inputSchema` in one line (`arguments.ts`); made when the skill is saved. */
  readonly argumentLine?: string;
  /** SHA-256 hex over name, description and schemas as published, so that a swap shows. */
  readonly descriptorHash: string;
  readonly access: AccessClass;
  readonly accessCheckedAt?: Instant;
  readonly verdict: ToolVerdict;
  readonly why: string;
  readonly durationMs?: number;
  readonly price?: Price;
}

export interface Listing {
  /** Registry code, 16 hex characters (`code.ts`). */
  readonly id: string;
  readonly kind: ListingKind;
  readonly origin: string;
  /** `host[:port]` of the origin, lower case. */
  readonly host: string;
  readonly endpoint: string;
  /** Listings with the same group are doors of one agent. */
  readonly group: string;
  /** 16 hex characters; the same for all listings that one operator runs. */
  readonly operatorId: string;
  /** `streamable-http` or `sse` for MCP; the binding of the card (`JSONRPC`) for A2A. */
  readonly transport: string;
  readonly protocolVersion?: string;
  /** To be sent with each A2A request when the card's interface names one. */
  readonly tenant?: string;

  readonly name: string;
  /** As the server gives it, where that has marks of the hub. */
  readonly givenName?: string;
  readonly description?: string;
  readonly version?: string;
  readonly provider?: string;
  readonly documentationUrl?: string;
  readonly summary?: { readonly text: string; readonly source: string; readonly at: Instant };
  readonly topic?: string;

  readonly access: AccessClass;
  readonly accessNote?: string;
  readonly authSchemes: readonly string[];
  /** The hub itself called a tool and was served. */
  readonly verifiedOpen: boolean;
  /** The endpoint as a whole, or its cheapest quoted tool. */
  readonly price?: Price;
  readonly quotesX402: boolean;
  readonly availability: Availability;
  readonly availabilityNote: string;
  /** Shares in parts of 10,000. */
  readonly uptimeBps: number;
  readonly cardQualityBps: number;
  readonly latencyMs: number;
  readonly lastCheckedAt: Instant;
  readonly firstSeenAt: Instant;
  readonly lastSeenAt: Instant;
  readonly missingSince?: Instant;
  readonly cardViolations: readonly CardViolation[];
  readonly injectionSignals: readonly InjectionSignal[];
  readonly skillCount: number;
  readonly skillsPriced: number;
  /** Skills with an output schema that answers are held against. */
  readonly skillsPromised: number;

  /** Who holds it and how they proved it; written by the passport, never by a look. */
  readonly verification?: ListingProof;
  readonly passportKeyId?: string;
  /** The answers that its holder takes no money for; written by the holder. */
  readonly refunds: Refunds;
  /** The listing that it copies, or whose name it bears; written by the job that compares them. */
  readonly standsUnder?: string;
  readonly standsBy?: 'copy' | 'look-alike' | 'name';
  readonly karma: number;
  readonly openReports?: number;
  readonly calls30d: number;
  readonly callers30d: number;
  /** Second key of the ranking (`rank.ts`). */
  readonly reach: number;
  /** When something of it that others copy last changed; the cursor of the feed. */
  readonly changedAt: Instant;
}

/** The part of a listing that a look writes; the rest belongs to passport, router and rank. */
export type ProbedListing = Omit<
  Listing,
  | 'verification'
  | 'passportKeyId'
  | 'standsUnder'
  | 'standsBy'
  | 'refunds'
  | 'karma'
  | 'calls30d'
  | 'callers30d'
  | 'reach'
  | 'summary'
  | 'topic'
  | 'skillCount'
  | 'skillsPriced'
  | 'skillsPromised'
  | 'changedAt'
>;

export type ListingSummary = Pick<
  Listing,
  'id' | 'kind' | 'name' | 'endpoint' | 'availability' | 'access'
>;

/** Availabilities at which a call has a chance; the default of every list. */
export function answers(availability: Availability): boolean {
  return availability === 'live' || availability === 'unstable';
}

const ACCESS_FRESH_MS = 3 * 86_400_000;

/** From when on the measured access is stale; undefined when it was never measured. */
export function accessStaleAt({
  accessCheckedAt: at,
}: Pick<ListedSkill, 'accessCheckedAt'>): Instant | undefined {
  return at === undefined ? undefined : instant(at + ACCESS_FRESH_MS + 1);
}

export function isAccessStale(skill: Pick<ListedSkill, 'accessCheckedAt'>, now: Instant): boolean {
  const staleAt = accessStaleAt(skill);
  return staleAt !== undefined && now >= staleAt;
}
