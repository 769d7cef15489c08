import { listingRows } from '../../db/registry/listings.ts';
import { submitTarget } from '../../db/registry/targets.ts';
import { iso, type Instant } from '../../domain/instant.ts';
import type { ListingKind, ListingSummary } from '../../domain/registry/listing.ts';
import { backOffAt, submissionWait } from '../../domain/registry/schedule.ts';
import type { LookReport, Probe, Target } from '../../domain/registry/target.ts';
import type { components } from '../../generated/types.ts';
import type { Hub } from '../../server/hub.ts';
import { addressOf } from './_address.ts';
import { CONTENT_NOTE } from './_present.ts';
import { CRAWL_TOPIC } from './_topic.ts';

type Submission = components['schemas']['Submission'];
type CrawlProbe = components['schemas']['CrawlProbe'];

/** Takes an address for a look and answers its receipt; a repeat waits longer, and is never refused. */
export async function submitAddress(
  hub: Hub,
  url: string,
  kind: ListingKind | undefined,
): Promise<Submission> {
  const address = addressOf(hub, url, 'body.url');
  const now = hub.clock.now();
  const hint = { url: address.url, ...(kind !== undefined && { kind }) };
  const { origin, host } = address;
  const target = await hub.store.write(async (tx) => {
    tx.ring(CRAWL_TOPIC);
    return submitTarget(tx, { origin, host, foundBy: 'submission', hint, now });
  });
  return presentSubmission(hub, target, await foundOf(hub, target.report));
}

/** The listings that a report names, as they are now. */
export async function foundOf(
  hub: Hub,
  report: LookReport | undefined,
): Promise<readonly ListingSummary[]> {
  return hub.store.read((db) => listingRows(db, report?.found ?? []));
}

export function presentSubmission(
  { settings, clock }: Hub,
  target: Target,
  found: readonly ListingSummary[],
): Submission {
  const { origin, report, submittedAt, lastLookAt } = target;
  const now = clock.now();
  const state = stateOf(target, now);
  const path = receiptPath(origin);
  const isRead = state === 'listed' || state === 'not-listed';
  return {
    origin,
    state,
    crawled: lastLookAt !== undefined && lastLookAt >= (submittedAt ?? lastLookAt),
    submissions: target.submissions,
    ...(submittedAt !== undefined && { submittedAt: iso(submittedAt) }),
    found: found.map(presentSummary),
    ...(isRead && report?.why !== undefined && { why: report.why }),
    ...(isRead && report?.fix !== undefined && { fix: report.fix }),
    probes: (report?.probes ?? []).map(presentProbe),
    ...(lastLookAt !== undefined && { lastLookAt: iso(lastLookAt) }),
    nextLookAt: iso(target.nextLookAt),
    backOffSeconds: submissionWait(backOffAt(target, now)),
    receipt: settings.baseUrl + path,
    contentIsUntrusted: true,
    contentNote: CONTENT_NOTE,
    next: [
      { action: 'registry.submission', who: 'anyone', call: { method: 'GET', path } },
      ...found.slice(0, 3).map(({ id }) => ({
        action: 'registry.get',
        who: 'anyone',
        call: { method: 'GET' as const, path: `/api/v1/agents/${id}` },
      })),
    ],
  };
}

function stateOf(target: Target, now: Instant): Submission['state'] {
  const { claimedUntil, lastLookAt, submittedAt, outcome } = target;
  if (claimedUntil !== undefined && claimedUntil > now) return 'looking';
  if (lastLookAt === undefined || outcome === undefined) return 'waiting';
  return submittedAt !== undefined && submittedAt > lastLookAt ? 'waiting' : outcome;
}

export function receiptPath(origin: string): string {
  return `/api/v1/agents/submissions/${encodeURIComponent(origin)}`;
}

export function presentSummary(listing: ListingSummary): components['schemas']['ListingSummary'] {
  const { id, kind, name, endpoint, availability, access } = listing;
  return { id, kind, name, endpoint, availability, access };
}

const ADDRESS_LENGTH_MAX = 2_048;

export function presentProbe(probe: Probe): CrawlProbe {
  const { step, outcome, status, detail, fix, at, durationMs } = probe;
  return {
    step,
    url: probe.url.slice(0, ADDRESS_LENGTH_MAX),
    at: iso(at),
    outcome,
    ...(status !== undefined && { status }),
    detail,
    ...(fix !== undefined && { fix }),
    durationMs,
  };
}
