import type { EventKind } from '../../domain/eventKinds.ts';
import { listingRows } from '../../db/registry/listings.ts';
import type { Writer } from '../../db/store.ts';
import { noteEvent } from '../../db/wallet/accountEvents.ts';
import type { Instant } from '../../domain/instant.ts';
import type { Change } from '../../domain/registry/changes.ts';
import { answers, type Listing } from '../../domain/registry/listing.ts';
import type { MergedListing } from '../../domain/registry/probeResult.ts';
import { holderOf } from './found.ts';

/**
 * Notifies the holders of listings of the changes of a probe (choices wallet.following): another
 * availability, and prices. Called before the listings are saved, under their locks.
 */
export async function noteProbe(
  tx: Writer,
  made: readonly MergedListing[],
  at: Instant,
): Promise<void> {
  const found = new Map(made.map((each) => [each.listing.id, each]));
  for (const before of await listingRows(tx, [...found.keys()])) {
    const holder = await holderOf(tx, before);
    const after = found.get(before.id);
    if (holder === undefined || after === undefined) continue;
    const about = { at, subjectId: before.id, state: after.listing.availability };
    const kind = availabilityEvent(before, after.listing.availability);
    if (kind !== undefined) noteEvent(tx, [holder], { kind, ...about });
    if (after.changes.some(isPrice)) noteEvent(tx, [holder], { kind: 'listing.price', ...about });
  }
}

/** A listing that answers no longer is left out of lists that do not ask for it. */
function availabilityEvent(
  { availability: before }: Listing,
  after: Listing['availability'],
): EventKind | undefined {
  if (before === after) return undefined;
  if (answers(before) === answers(after)) return 'listing.availability';
  return answers(after) ? 'listing.relisted' : 'listing.delisted';
}

function isPrice({ path }: Change): boolean {
  return path === 'price' || path.endsWith('/price');
}
