import type { FullListing } from '../../../db/registry/listings.ts';
import type { Change } from '../../../domain/registry/changes.ts';
import type { PastProbe } from '../../../domain/registry/history.ts';
import type { ListedSkill } from '../../../domain/registry/listing.ts';
import type { KnownQuote } from '../../../domain/registry/quote.ts';
import type { Target } from '../../../domain/registry/target.ts';
import type { Schemas } from '../../../workflows/kernel/answered.ts';
import type { Hub } from '../../../workflows/kernel/hub.ts';
import { presentPrice } from '../../../workflows/registry/present/listing.ts';
import { presentProbe, receiptPath } from '../../registry/present/submission.ts';
import { UNTRUSTED_LISTINGS } from '../../untrusted.ts';
import { head } from '../../../domain/text.ts';

type Check = Schemas['EndpointCheck'];

export interface OnRecord {
  readonly url: string;
  readonly target: Target;
  readonly full: FullListing | undefined;
  readonly looks: readonly PastProbe[];
  readonly changes: readonly Change[];
  /** Quotes of the address itself, cheapest first. */
  readonly quotes: readonly KnownQuote[];
  readonly fresh: boolean;
  readonly freshLeft: number;
}

const TOOLS_MAX = 200;
const SIGNALS_MAX = 100;

export function presentCheck({ settings }: Hub, record: OnRecord): Check {
  const { url, target, full, looks, changes, quotes, fresh, freshLeft } = record;
  const listing = full?.listing;
  const skills = full?.skills ?? [];
  const own = listing?.price ?? quotes.find(({ tool }) => tool === undefined)?.price;
  const previous = looks.findLast(({ at }) => at !== listing?.lastCheckedAt);
  const path = receiptPath(target.origin);
  return {
    url,
    kind: listing?.kind ?? (quotes.length > 0 ? 'x402' : 'unknown'),
    answers: listing === undefined ? quotes.length > 0 : listing.missingSince === undefined,
    ...standing(record),
    ...(listing !== undefined && {
      name: listing.name,
      version: listing.version,
      transport: listing.transport,
      protocolVersion: listing.protocolVersion,
      agentId: listing.id,
    }),
    ...(own !== undefined && { price: presentPrice(own) }),
    checkedAt: target.lastLookAt ?? target.firstSeenAt,
    fresh,
    freshLeft,
    probes: (target.report?.probes ?? []).map(presentProbe),
    tools: skills.slice(0, TOOLS_MAX).map(presentTool),
    toolsOmitted: Math.max(0, skills.length - TOOLS_MAX),
    injectionSignals: (listing?.injectionSignals ?? [])
      .slice(0, SIGNALS_MAX)
      .map((s) => ({ ...s })),
    changes: changes.map((change) => ({ ...change })),
    previousLookAt: previous?.at,
    receipt: settings.baseUrl + path,
    ...UNTRUSTED_LISTINGS,
    next: [
      ...(listing === undefined
        ? []
        : [
            {
              action: 'registry.get',
              who: 'anyone',
              call: { method: 'GET' as const, path: `/api/v1/agents/${listing.id}` },
            },
          ]),
      { action: 'registry.submission', who: 'anyone', call: { method: 'GET', path } },
    ],
  };
}

/** The standing of a listing as measured, and of anything else as its last report reads. */
function standing({
  url,
  target,
  full,
  quotes,
}: OnRecord): Pick<Check, 'availability' | 'availabilityNote' | 'access'> {
  if (full !== undefined) {
    const { availability, availabilityNote, access } = full.listing;
    return { availability, availabilityNote, access };
  }
  const { report } = target;
  if (quotes.length > 0) {
    return {
      availability: 'live',
      availabilityNote: 'It quotes a price over x402.',
      access: 'paid',
    };
  }
  const all = report?.probes ?? [];
  const own = isBare(url) ? all : all.filter((probe) => probe.url === url);
  const isAnswering = all.some(({ status }) => status !== undefined);
  // The last look asked other addresses of the origin, which says nothing about this one.
  if (own.length === 0 && isAnswering) {
    const availabilityNote = 'The last look at its origin did not ask this address.';
    return { availability: 'unknown', availabilityNote, access: 'unknown' };
  }
  const probes = own.length === 0 ? all : own;
  const says = report?.why ?? probes.at(-1)?.detail ?? 'It was not looked at yet.';
  const seen = new Set(probes.map(({ outcome }) => outcome));
  const heard = probes.some(({ status }) => status !== undefined);
  const isSilent = !heard && (seen.has('unreachable') || seen.has('timeout'));
  const isSpeechless = heard && !seen.has('forbidden') && !seen.has('key-needed');
  const availability = isSilent ? 'unreachable' : isSpeechless ? 'not-speaking' : 'unknown';
  const access = seen.has('quoted') ? 'paid' : 'unknown';
  return { availability, availabilityNote: head(says, 400), access };
}

/** An address without a path names the origin. */
function isBare(url: string): boolean {
  const { pathname, search } = new URL(url);
  return pathname === '/' && search === '';
}

function presentTool(skill: ListedSkill): Check['tools'][number] {
  const { name, access, verdict, why, price, durationMs, accessCheckedAt } = skill;
  return {
    name,
    access,
    verdict,
    why,
    ...(price !== undefined && { price: presentPrice(price) }),
    durationMs,
    checkedAt: accessCheckedAt,
  };
}
