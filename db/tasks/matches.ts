import { listingRows } from '../registry/listings.ts';
import type { Listing } from '../../domain/registry/listing.ts';
import * as column from '../columns.ts';
import { linkOf, statement } from '../connection.ts';
import type { Reader } from '../connection.ts';

/** A listing with the skills that a task requires and it offers. */
export interface SkillMatch {
  readonly listing: Listing;
  readonly matched: readonly string[];
}

/** Most of the skills first; among equals those that answer and stand best (interface, Ranking). */
const RANKED_SELECT = `
  SELECT s.listing_id, count(DISTINCT s.name) AS matched
    FROM listing_skills AS s JOIN listings AS l ON l.id = s.listing_id`;
const RANKED_ORDER = `
   GROUP BY s.listing_id, l.answers, l.karma, l.reach
   ORDER BY matched DESC, l.answers DESC, l.karma DESC, l.reach DESC, s.listing_id LIMIT ? OFFSET ?`;
const RANKED = statement(
  `${RANKED_SELECT} WHERE s.name IN (SELECT value FROM json_each(?)) ${RANKED_ORDER}`,
  `${RANKED_SELECT} WHERE s.name = ANY(?::text[]) ${RANKED_ORDER}`,
);
const NAMES_SELECT = 'SELECT DISTINCT listing_id, name FROM listing_skills';
const NAMES = statement(
  `${NAMES_SELECT} WHERE listing_id IN (SELECT value FROM json_each(?))
     AND name IN (SELECT value FROM json_each(?)) ORDER BY listing_id, name`,
  `${NAMES_SELECT} WHERE listing_id = ANY(?::text[]) AND name = ANY(?::text[])
    ORDER BY listing_id, name`,
);

export async function listingsWithSkills(
  db: Reader,
  skills: readonly string[],
  { limit, offset }: { readonly limit: number; readonly offset: number },
): Promise<readonly SkillMatch[]> {
  const ranked = await linkOf(db).rows(RANKED, [skills, limit, offset]);
  const ids = ranked.map((row) => column.text(row, 'listing_id'));
  const names = await linkOf(db).rows(NAMES, [ids, skills]);
  const matchedBy = (id: string): readonly string[] =>
    names.filter((row) => row['listing_id'] === id).map((row) => column.text(row, 'name'));
  return (await listingRows(db, ids)).map((listing) => ({
    listing,
    matched: matchedBy(listing.id),
  }));
}

/** These listings, in their order; those that are gone meanwhile are left out. */
export async function listingsNamed(
  db: Reader,
  ids: readonly string[],
): Promise<readonly SkillMatch[]> {
  return (await listingRows(db, ids)).map((listing) => ({ listing, matched: [] }));
}
