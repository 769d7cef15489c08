import { listedSkill, probedListing } from '../../db/registry/fixture.ts';
import { saveListings, type Probed } from '../../db/registry/listings.ts';
import type { ListedSkill, ProbedListing } from '../../domain/registry/listing.ts';
import { listingCode, operatorCode } from '../../domain/registry/code.ts';
import type { Fixture } from '../harness/fixture.ts';

/** Listings as looks leave them, put where the crawler puts them. */
export function listing(
  host: string,
  given: Partial<ProbedListing> = {},
  skills: readonly ListedSkill[] = [],
): Probed {
  const kind = given.kind ?? 'mcp';
  const origin = `https://${host}`;
  return {
    listing: probedListing({
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
export async function fill(world: Fixture, found: readonly Probed[]): Promise<void> {
  const { store } = world.hub.running.hub;
  await store.write((tx) => saveListings(tx, found));
  await index(world);
}

export async function index(world: Fixture): Promise<void> {
  await world.hub.runJob('searchIndex');
}

/** Writes what a passport or the router would write. */
export async function set(
  world: Fixture,
  id: string,
  columns: Readonly<Record<string, string | number | null>>,
): Promise<void> {
  const { store } = world.hub.running.hub;
  await store.write(async (tx) => {
    await tx.knex('listings').where({ id }).update(columns);
  });
}
