import {
  looksOf,
  documentsOf,
  saveChanges,
  saveDocuments,
  saveLooks,
} from '../../db/registry/looks.ts';
import { readListings, saveListings } from '../../db/registry/listings.ts';
import { codesAt, listingsAt, lockCodes } from '../../db/registry/origins.ts';
import { saveQuotes } from '../../db/registry/quotes.ts';
import { finishTarget } from '../../db/registry/targets.ts';
import type { Reader, Writer } from '../../db/store.ts';
import { nextRegularLook } from '../../domain/registry/schedule.ts';
import { codesOf, sighted, type Known, type Sighted } from '../../domain/registry/sighting.ts';
import type { LookReport, Target } from '../../domain/registry/target.ts';
import type { LookPlan, LookSeen } from './probe.ts';
import { verdictOfLook } from './verdict.ts';

/** What a look needs to know beforehand, and what is kept of it afterwards. */
export async function planLook(
  db: Reader,
  target: Pick<Target, 'origin' | 'hints'>,
): Promise<Pick<LookPlan, 'origin' | 'hints' | 'known' | 'codes' | 'documents'>> {
  const { origin, hints } = target;
  const ids = await listingsAt(db, origin);
  const wishes = { skillsMax: 1_000, siblingsMax: 0, schemas: true };
  const listed = await readListings(db, ids, wishes);
  const looks = await looksOf(db, ids);
  const known = listed.map(({ listing, skills }): Known => {
    return { listing, skills, looks: looks.get(listing.id) ?? [] };
  });
  const codes = await codesAt(db, origin);
  const documents = await documentsOf(db, origin);
  return { origin, hints, known, codes, documents };
}

type Ground = Pick<LookPlan, 'origin' | 'known' | 'codes'>;

/** The listings that a look makes, without keeping them. */
function listingsOfLook(
  { origin, known, codes: mains }: Ground,
  seen: LookSeen,
): readonly Sighted[] {
  const listed = known.map(({ listing }) => listing);
  const codes = codesOf(origin, seen.sightings, listed, mains);
  const found = new Map<string, Sighted>();
  for (const [nth, sighting] of seen.sightings.entries()) {
    const code = codes[nth];
    if (code === undefined) continue;
    const main = mains[sighting.kind];
    const isMain = 'id' in main && main.id === code;
    const before = known.find(({ listing }) => listing.id === code);
    const made = sighted(sighting, { origin, code, isMain }, before, seen.at);
    // Of two doors that claim one code the first that was heard stays.
    if (made !== undefined && (!found.has(code) || sighting.verdict === 'live')) {
      found.set(code, made);
    }
  }
  return [...found.values()];
}

export interface Recorded {
  readonly report: LookReport;
  readonly made: readonly Sighted[];
}

/** What a look amounts to: its report, and the listings as they are now. */
export function readLook(ground: Ground, seen: LookSeen): Recorded {
  const made = listingsOfLook(ground, seen);
  const found = made.map(({ listing }) => listing.id);
  return { made, report: { found, probes: seen.probes, ...verdictOfLook(seen, made) } };
}

/** Keeps what a look saw of the origin: listings, looks, changes, prices, documents. */
export async function saveLook(
  tx: Writer,
  origin: string,
  seen: LookSeen,
  recorded: Recorded,
): Promise<void> {
  const codes = recorded.made.map(({ listing }) => listing.id);
  const own = await lockCodes(tx, origin, codes);
  const made = recorded.made.filter(({ listing }) => own.has(listing.id));
  await saveListings(tx, made);
  await saveLooks(
    tx,
    made.map(({ listing: { id }, looks }) => ({ id, looks })),
  );
  for (const { listing, changes } of made) await saveChanges(tx, listing.id, seen.at, changes);
  const ids = new Map(made.map(({ listing }) => [listing.endpoint, listing.id]));
  const quotes = new Map(seen.quotes.map((quote) => [`${quote.endpoint}\n${quote.tool}`, quote]));
  await saveQuotes(
    tx,
    [...quotes.values()].map((quote) => {
      const listingId = ids.get(quote.endpoint);
      return { ...quote, ...(listingId !== undefined && { listingId }) };
    }),
  );
  await saveDocuments(tx, origin, seen.at, seen.documents);
}

/** Ends the look of whoever claimed the target; false when it had lost its claim. */
export async function finishLook(
  tx: Writer,
  target: Target,
  claim: string,
  seen: LookSeen,
  recorded: Recorded,
  chance: number,
): Promise<boolean> {
  const isListed = recorded.report.why === undefined;
  const answered =
    seen.sightings.some(({ verdict }) => verdict === 'live') || seen.quotes.length > 0;
  const failures = answered ? 0 : target.failures + 1;
  return finishTarget(tx, {
    origin: target.origin,
    claim,
    now: seen.at,
    nextLookAt: nextRegularLook(seen.at, failures, chance),
    failures,
    outcome: isListed ? 'listed' : 'not-listed',
    report: recorded.report,
    robots: seen.robots,
  });
}
