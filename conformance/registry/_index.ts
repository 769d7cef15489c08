import { listedSkill, lookedListing } from '../../db/registry/fixture.ts';
import { saveListings, type LookedAt } from '../../db/registry/listings.ts';
import type { ListedSkill, LookedListing } from '../../domain/registry/listing.ts';
import { listingCode, operatorCode } from '../../domain/registry/code.ts';
import type { World } from '../harness/worlds.ts';

/** Listings as looks leave them, put where the crawler puts them. */
export function listing(
  host: string,
  given: Partial<LookedListing> = {},
  skills: readonly ListedSkill[] = [],
): LookedAt {
  const kind = given.kind ?? 'mcp';
  const origin = `https://${host}`;
  return {
    listing: lookedListing({
      id: listingCode(kind, origin),
      origin,
      host,
      group: origin,
      operatorId: operatorCode(host),
      endpoint: `${origin}/mcp`,
      ...given,
    }),
    skills,
  };
}

export { listedSkill as skill };

/** Saves them and brings the search index up to date. */
export async function fill(world: World, found: readonly LookedAt[]): Promise<void> {
  const { store } = world.hub.running.hub;
  await store.write((tx) => saveListings(tx, found));
  await index(world);
}

export async function index(world: World): Promise<void> {
  await world.hub.runJob('searchIndex');
}

/** What a passport or the router would write. */
export async function set(
  world: World,
  id: string,
  columns: Readonly<Record<string, string | number | null>>,
): Promise<void> {
  const { store } = world.hub.running.hub;
  await store.write(async (tx) => {
    await tx.knex('listings').where({ id }).update(columns);
  });
}
