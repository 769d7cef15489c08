import { domainHolder } from '../../db/passport/domains.ts';
import { lockListing } from '../../db/passport/listings.ts';
import { insertReport, lockReport, standingReport } from '../../db/registry/reports.ts';
import { submitTarget } from '../../db/registry/targets.ts';
import type { Reader, Writer } from '../../db/store.ts';
import { linked } from '../../db/tasks/links.ts';
import { noteEvent } from '../../db/wallet/accountEvents.ts';
import { accountOfKey } from '../../db/wallet/keys.ts';
import { iso } from '../../domain/instant.ts';
import type { Listing } from '../../domain/registry/listing.ts';
import type { ListingReport, ReportReason } from '../../domain/registry/report.ts';
import { admitNow } from '../kernel/admission.ts';
import type { Signer } from '../kernel/call.ts';
import { refuse } from '../kernel/errors.ts';
import type { Hub } from '../kernel/hub.ts';
import { CRAWL_TOPIC } from '../topics.ts';
import { holderOf, listingNamed, listingOf, noSuchListing } from './found.ts';
import { takeQuota } from './quota.ts';

/**
 * Reports of listings (choices registry.reporting). A report is counted and has the origin looked
 * at; it takes no listing away, because any caller can make many accounts.
 */
const OF_REPORTER = {
  policy: 'reports',
  max: 10,
  error: 'An account may send 10 reports an hour.',
  hint: 'GET /api/v1/agents/{id}/reports shows those that stand; send this one when the hour is over.',
};
const OF_LISTING = {
  policy: 'listing-reports',
  max: 20,
  error:
    'A listing takes 20 reports an hour from other accounts; the account that proved its domain has 6 of its own.',
  hint: 'GET /api/v1/agents/{id}/reports shows what others reported; send this one when the hour is over.',
};
const OF_DOMAIN_HOLDER = { ...OF_LISTING, max: 6 };

/** Records a report and asks for a look at the origin, after its usual back-off. */
export async function reportListing(
  hub: Hub,
  caller: Signer,
  name: string,
  given: { readonly reason: ReportReason; readonly text?: string },
): Promise<ListingReport> {
  const reporter = caller.account;
  const { listing, ownsDomain } = await hub.store.read(async (db) => {
    const of = await listingOf(db, name);
    await mustBeStranger(db, of, caller);
    const standing = await standingReport(db, of.id, reporter);
    if (standing !== undefined) refuseSecond(standing);
    const key = await domainHolder(db, of.host);
    return {
      listing: of,
      ownsDomain: key !== undefined && (await accountOfKey(db, key)) === reporter,
    };
  });
  await admitNow(hub, caller);
  await takeQuota(hub, OF_REPORTER, `report ${reporter}`);
  if (ownsDomain) await takeQuota(hub, OF_DOMAIN_HOLDER, `report ${listing.id} ${reporter}`);
  else await takeQuota(hub, OF_LISTING, `report ${listing.id}`);
  return hub.act({ caller }, async (tx) => {
    const [id, now] = [hub.ids.uuid(), hub.clock.now()];
    // The listing may have got another code since it was read.
    const listingId = await listingNamed(tx, listing.id);
    // Its holder may be taking it down; a report is of a listing that stands.
    if ((await lockListing(tx, listingId)) === undefined) noSuchListing(listing.id);
    const report = { id, listingId, reporter, at: now, ...given };
    if (!(await insertReport(tx, report))) {
      refuseSecond((await standingReport(tx, listingId, reporter)) ?? report);
    }
    const { origin, host } = listing;
    noteEvent(tx, [await holderOf(tx, listing)], {
      at: now,
      kind: 'listing.reported',
      subjectId: listingId,
      ref: id,
      actor: reporter,
    });
    await submitTarget(tx, { origin, host, foundBy: 'submission', now });
    tx.publish(CRAWL_TOPIC);
    return report;
  });
}

/** Refuses a report of the caller's own listing. */
async function mustBeStranger(db: Reader, listing: Listing, { account }: Signer): Promise<void> {
  const holder = await holderOf(db, listing);
  if (holder === undefined) return;
  if (holder !== account && !(await linked(db, holder, account))) return;
  refuse('self-dealing', {
    error: `The listing ${listing.id} is held by ${holder}, which is your own account or linked to it.`,
    hint: `What others reported of it is at GET /api/v1/agents/${listing.id}/reports; the id of one and /answer behind it, sent with an answer, answers it.`,
  });
}

function refuseSecond({ id, listingId, at }: ListingReport): never {
  return refuse('already-reported', {
    error: `Your report of ${iso(at)} stands already.`,
    hint: `Withdraw it, then send this one: POST /api/v1/agents/${listingId}/reports/${id} {"withdraw": true}.`,
  });
}

export async function lockedReport(
  tx: Writer,
  path: { readonly id: string; readonly reportId: string },
): Promise<{ readonly listing: Listing; readonly report: ListingReport }> {
  const listing = await listingOf(tx, path.id);
  const report = await lockReport(tx, listing.id, path.reportId);
  if (report !== undefined) return { listing, report };
  return refuse('not-found', {
    error: `No report of this listing has the id ${path.reportId}.`,
    hint: `GET /api/v1/agents/${listing.id}/reports shows those that there are.`,
    field: 'path.reportId',
  });
}
