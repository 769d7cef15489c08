import { askedOf, listedServers, type AskedTurn } from '../../db/registry/addresses.ts';
import { readListings } from '../../db/registry/listings.ts';
import { codesAt, listedAgents } from '../../db/registry/origins.ts';
import { documentsOf, probesOf } from '../../db/registry/probes.ts';
import type { Reader } from '../../db/store.ts';
import type { Instant } from '../../domain/instant.ts';
import type { Known } from '../../domain/registry/probeResult.ts';
import { isBare, type SeedUrl, type Target } from '../../domain/registry/target.ts';
import { dueTurns, requestsOf, turnsOf, type Turn } from '../../domain/registry/turns.ts';
import type { ProbePlan } from './probe.ts';

export type Planned = Omit<ProbePlan, 'tools' | 'isUrgent' | 'signal'> & {
  /** Every address of the origin in the order of its turn, also those whose turn is later. */
  readonly turns: readonly Turn[];
  readonly asked: readonly AskedTurn[];
};

/** Listings that one look reads and measures at most. */
const KNOWN_MAX = 50;

/** With `first` a caller waits for that address: it is asked before all others. */
export async function planProbe(
  db: Reader,
  { origin, hints }: Pick<Target, 'origin' | 'hints'>,
  now: Instant,
  first?: SeedUrl,
): Promise<Planned> {
  const asked = await askedOf(db, origin);
  const listed = await listedServers(db, origin);
  const turns = turnsOf({ named: hints.filter(({ url }) => !isBare(url)), listed, asked });
  const due = dueTurns(turns, now);
  const wanted = turns.find(({ url }) => url === first?.url) ?? first;
  const isPath = wanted !== undefined && !isBare(wanted.url);
  const servers = isPath ? [wanted, ...due.filter(({ url }) => url !== wanted.url)] : due;
  const ids = servers.flatMap((turn) => ('listingId' in turn ? (turn.listingId ?? []) : []));
  const agents = await listedAgents(db, origin);
  const wishes = { skillsMax: 1_000, siblingsMax: 0, schemas: true };
  const read = await readListings(db, [...agents, ...ids].slice(0, KNOWN_MAX), wishes);
  const looks = await probesOf(
    db,
    read.map(({ listing }) => listing.id),
  );
  const known = read.map(({ listing, skills }): Known => {
    return { listing, skills, looks: looks.get(listing.id) ?? [] };
  });
  return {
    origin,
    seedUrls:
      first === undefined ? hints : [first, ...hints.filter(({ kind }) => kind !== undefined)],
    turns,
    asked,
    // A server of which the listing was not read is not asked: its age and trail would be lost.
    servers: servers.filter(
      (turn) =>
        !('listingId' in turn) ||
        turn.listingId === undefined ||
        known.some(({ listing }) => listing.id === turn.listingId),
    ),
    cardOf: new Map(asked.flatMap(({ url, listingId }) => (listingId ? [[listingId, url]] : []))),
    requestsMax: requestsOf(asked.filter(({ answered }) => answered).length),
    known,
    codes: await codesAt(db, origin),
    documents: await documentsOf(db, origin),
  };
}
