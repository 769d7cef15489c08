import type { ListedSkill, Listing } from '../../domain/registry/listing.ts';
import * as column from '../columns.ts';
import { linkOf, statement, type Reader } from '../connection.ts';
import { IN_LIST } from '../inList.ts';
import { skillOf } from './listingRow.ts';
import { findListing, listingRows } from './listings.ts';

/** A listing and its tool of the name that is compared. */
export interface ComparedServer {
  readonly listing: Listing;
  readonly skill: ListedSkill;
}

const OFFERING = statement(`
  SELECT DISTINCT l.id, l.answers, l.karma, l.reach
    FROM listing_skills AS s JOIN listings AS l ON l.id = s.listing_id
    WHERE s.name = ? ORDER BY l.answers DESC, l.karma DESC, l.reach DESC, l.id LIMIT ?`);

/** Codes of listings with a tool of exactly this name, in the order of lists. */
export async function offeringTool(
  db: Reader,
  tool: string,
  limit: number,
): Promise<readonly string[]> {
  const rows = await linkOf(db).rows(OFFERING, [tool, limit]);
  return rows.map((row) => column.text(row, 'id'));
}

const skillsIn = (given: string): string => `
  SELECT s.* FROM listing_skills AS s WHERE s.listing_id ${given} AND s.place = (
    SELECT min(place) FROM listing_skills AS same
      WHERE same.listing_id = s.listing_id AND same.name = ?)`;
const SKILLS = statement(skillsIn(IN_LIST.sqlite), skillsIn(IN_LIST.postgres));

/**
 * The listings of these codes that have the tool, in the order of the codes. Older codes of a listing
 * find it too.
 */
export async function comparedServers(
  db: Reader,
  tool: string,
  codes: readonly string[],
): Promise<ReadonlyMap<string, ComparedServer>> {
  const found = new Map<string, string>();
  for (const code of codes) {
    const id = await findListing(db, code);
    if (id !== undefined) found.set(code, id);
  }
  const ids = [...new Set(found.values())];
  const listings = new Map((await listingRows(db, ids)).map((each) => [each.id, each]));
  const rows = await linkOf(db).rows(SKILLS, [ids, tool]);
  const skills = new Map(rows.map((row) => [column.text(row, 'listing_id'), skillOf(row)]));
  const compared = new Map<string, ComparedServer>();
  for (const [code, id] of found) {
    const [listing, skill] = [listings.get(id), skills.get(id)];
    if (listing !== undefined && skill !== undefined) compared.set(code, { listing, skill });
  }
  return compared;
}
