import type { KnownFrom } from '../../../db/registry/crawlProposals.ts';
import { instant, type Instant } from '../../../domain/instant.ts';
import type { ListingSummary } from '../../../domain/registry/listing.ts';
import { backOffAt, submissionWait } from '../../../domain/registry/schedule.ts';
import type { CrawlStep, Target } from '../../../domain/registry/target.ts';
import type { Schemas } from '../../../workflows/kernel/answered.ts';
import type { Hub } from '../../../workflows/kernel/hub.ts';
import type { Submitted } from '../../../workflows/registry/submission.ts';
import { UNTRUSTED_LISTINGS } from '../../untrusted.ts';
import { head } from '../../../domain/text.ts';

type Submission = Schemas['Submission'];
type CrawlProbe = Schemas['CrawlProbe'];

export function presentSubmission(
  { settings, clock }: Hub,
  { target, found, feeds = [] }: Submitted & { readonly feeds?: readonly KnownFrom[] },
): Submission {
  const { origin, report, submittedAt, lastLookAt } = target;
  const now = clock.now();
  const state = stateOf(target, now);
  const path = receiptPath(origin);
  const isRead = state === 'listed' || state === 'not-listed';
  return {
    origin,
    state,
    crawled: lastLookAt !== undefined,
    submissions: target.submissions,
    submittedAt,
    found: found.map(presentSummary),
    ...(isRead && report?.why !== undefined && { why: report.why }),
    ...(isRead && report?.fix !== undefined && { fix: report.fix }),
    probes: (report?.probes ?? []).map(presentProbe),
    lastLookAt,
    nextLookAt: nextMoment(target, now),
    backOffSeconds: submissionWait(backOffAt(target, now)),
    receipt: settings.baseUrl + path,
    ...(feeds.length > 0 && { feeds: feeds.map(presentKnownFrom) }),
    ...UNTRUSTED_LISTINGS,
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

export function presentKnownFrom(known: KnownFrom): Schemas['KnownFrom'] {
  const { feed, feedKind, url, name, firstAt, lastAt } = known;
  return {
    feed,
    kind: feedKind,
    url,
    name,
    firstAt,
    lastAt,
  };
}

/** When a look ends or begins: never a moment that has passed, as one that is due has. */
export function nextMoment({ nextLookAt, claimedUntil }: Target, now: Instant): Instant {
  const ends = claimedUntil !== undefined && claimedUntil > now ? claimedUntil : now;
  return instant(Math.max(nextLookAt, ends));
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

export function presentSummary(listing: ListingSummary): Schemas['ListingSummary'] {
  const { id, kind, name, endpoint, availability, access } = listing;
  return { id, kind, name, endpoint, availability, access };
}

const ADDRESS_LENGTH_MAX = 2_048;

export function presentProbe(probe: CrawlStep): CrawlProbe {
  const { step, outcome, status, detail, fix, at, durationMs } = probe;
  return {
    step,
    url: head(probe.url, ADDRESS_LENGTH_MAX),
    at,
    outcome,
    status,
    detail,
    fix,
    durationMs,
  };
}
