import { findListing, listingRows } from '../../db/registry/listings.ts';
import { badgeOf } from '../../domain/registry/badge.ts';
import type { Handler } from '../../workflows/kernel/handler.ts';

/** READMEs are read through caches of their hosts; a badge is five minutes old at most. */
const HEADERS = {
  'cache-control': 'public, max-age=300',
  'content-security-policy': "default-src 'none'",
};

export const badge: Handler<'registry.badge'> = async ({ path }, hub) => {
  const [listing] = await hub.store.read(async (db) => {
    const id = await findListing(db, path.id);
    return listingRows(db, id === undefined ? [] : [id]);
  });
  return { status: 200, type: 'image/svg+xml', headers: HEADERS, body: badgeOf(listing) };
};
