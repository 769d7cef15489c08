import type { ListedSkill, Listing } from '../../domain/registry/listing.ts';
import * as column from '../columns.ts';
import { linkOf, statement, type Reader } from '../connection.ts';
import { inListStatement } from '../inList.ts';
import { skillOf } from './listingRow.ts';
import { findListing, listingRows } from './listings.ts';

export interface ComparedServer {
  readonly listing: Listing;
  readonly skill: ListedSkill;
}

const OFFERING = statement(`
  SELECT DISTINCT l.id, l.answers, l.karma, l.reach
    FROM listing_skills AS s JOIN listings AS l ON l.id = s.listing_id
    WHERE s.name = ? ORDER BY l.answers DESC, l.karma DESC, l.reach DESC, l.id LIMIT ?`);

export type NamedListings = ReadonlyMap<string, string>;

/** The listings with a tool of exactly this name, each by its id, in the order of lists. */
export async function offeringTool(
  db: Reader,
  tool: string,
  limit: number,
): Promise<NamedListings> {
  const rows = await linkOf(db).rows(OFFERING, [tool, limit]);
  const ids = rows.map((row) => column.text(row, 'id'));
  return new Map(ids.map((id) => [id, id]));
}

/** The listings that these codes name, in their order; an older code of a listing finds it too. */
export async function namedListings(db: Reader, codes: readonly string[]): Promise<NamedListings> {
  const named = new Map<string, string>();
  for (const code of codes) {
    const id = await findListing(db, code);
    if (id !== undefined) named.set(code, id);
  }
  return named;
}

const SKILLS = inListStatement(
  (given) => `
  SELECT s.* FROM listing_skills AS s WHERE s.listing_id ${given} AND s.place = (
    SELECT min(place) FROM listing_skills AS same
      WHERE same.listing_id = s.listing_id AND same.name = ?)`,
);

/** Those of the listings that have the tool, by the same codes in the same order. */
export async function comparedServers(
  db: Reader,
  tool: string,
  named: NamedListings,
): Promise<ReadonlyMap<string, ComparedServer>> {
  const ids = [...new Set(named.values())];
  const listings = new Map((await listingRows(db, ids)).map((each) => [each.id, each]));
  const rows = await linkOf(db).rows(SKILLS, [ids, tool]);
  const skills = new Map(rows.map((row) => [column.text(row, 'listing_id'), skillOf(row)]));
  const compared = new Map<string, ComparedServer>();
  for (const [code, id] of named) {
    const [listing, skill] = [listings.get(id), skills.get(id)];
    if (listing !== undefined && skill !== undefined) compared.set(code, { listing, skill });
  }
  return compared;
}
