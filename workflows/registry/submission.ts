import { listingRows } from '../../db/registry/listings.ts';
import { submitTarget } from '../../db/registry/targets.ts';
import { defined } from '../../domain/defined.ts';
import type { ListingKind, ListingSummary } from '../../domain/registry/listing.ts';
import type { CrawlReport, Target } from '../../domain/registry/target.ts';
import type { Hub } from '../../server/hub/hub.ts';
import { addressOf } from './address.ts';
import { CRAWL_TOPIC } from '../topics.ts';

export interface Submitted {
  readonly target: Target;
  readonly found: readonly ListingSummary[];
}

/** Queues an address for a crawl; a repeat waits longer, and is never refused. */
export async function submitAddress(
  hub: Hub,
  url: string,
  kind: ListingKind | undefined,
): Promise<Submitted> {
  const address = addressOf(hub, url, 'body.url');
  const now = hub.clock.now();
  const hint = { url: address.url, ...defined({ kind }) };
  const { origin, host } = address;
  const target = await hub.store.write(async (tx) => {
    tx.publish(CRAWL_TOPIC);
    return submitTarget(tx, { origin, host, foundBy: 'submission', hint, now });
  });
  return { target, found: await foundOf(hub, target.report) };
}

export async function foundOf(
  hub: Hub,
  report: CrawlReport | undefined,
): Promise<readonly ListingSummary[]> {
  return hub.store.read((db) => listingRows(db, report?.found ?? []));
}
