import {
  probesOf,
  documentsOf,
  saveChanges,
  saveDocuments,
  saveProbes,
} from '../../db/registry/probes.ts';
import { readListings, saveListings } from '../../db/registry/listings.ts';
import { codesAt, listingsAt, lockCodes } from '../../db/registry/origins.ts';
import { saveQuotes } from '../../db/registry/quotes.ts';
import { finishTarget } from '../../db/registry/targets.ts';
import type { Reader, Writer } from '../../db/store.ts';
import { defined } from '../../domain/defined.ts';
import type { Instant } from '../../domain/instant.ts';
import { nextRegularCrawl } from '../../domain/registry/schedule.ts';
import {
  codesOf,
  mergeProbe,
  type Known,
  type MergedListing,
} from '../../domain/registry/probeResult.ts';
import type { CrawlReport, Target } from '../../domain/registry/target.ts';
import { noteProbe } from './noteListing.ts';
import type { ProbePlan, ProbedOrigin } from './probe.ts';
import { verdictOfProbe } from './verdict.ts';

export async function planProbe(
  db: Reader,
  target: Pick<Target, 'origin' | 'hints'>,
): Promise<Pick<ProbePlan, 'origin' | 'seedUrls' | 'known' | 'codes' | 'documents'>> {
  const { origin, hints } = target;
  const ids = await listingsAt(db, origin);
  const wishes = { skillsMax: 1_000, siblingsMax: 0, schemas: true };
  const listed = await readListings(db, ids, wishes);
  const looks = await probesOf(db, ids);
  const known = listed.map(({ listing, skills }): Known => {
    return { listing, skills, looks: looks.get(listing.id) ?? [] };
  });
  const codes = await codesAt(db, origin);
  const documents = await documentsOf(db, origin);
  return { origin, seedUrls: hints, known, codes, documents };
}

type Ground = Pick<ProbePlan, 'origin' | 'known' | 'codes'>;

/** The listings that a look makes, without keeping them. */
function listingsOfProbe(
  { origin, known, codes: mains }: Ground,
  seen: ProbedOrigin,
): readonly MergedListing[] {
  const listed = known.map(({ listing }) => listing);
  const codes = codesOf(origin, seen.results, listed, mains);
  const found = new Map<string, MergedListing>();
  for (const [nth, result] of seen.results.entries()) {
    const code = codes[nth];
    if (code === undefined) continue;
    const main = mains[result.kind];
    const isMain = 'id' in main && main.id === code;
    const before = known.find(({ listing }) => listing.id === code);
    const made = mergeProbe(result, { origin, code, isMain }, before, seen.at);
    // Of two doors that claim one code the first that answered stays.
    if (made !== undefined && (!found.has(code) || result.verdict === 'live')) {
      found.set(code, made);
    }
  }
  return [...found.values()];
}

export interface Recorded {
  readonly report: CrawlReport;
  readonly made: readonly MergedListing[];
}

/** Returns the result of a probe: its report, and the listings as they are now. */
export function readProbe(ground: Ground, seen: ProbedOrigin): Recorded {
  const made = listingsOfProbe(ground, seen);
  const found = made.map(({ listing }) => listing.id);
  return { made, report: { found, probes: seen.steps, ...verdictOfProbe(seen, made) } };
}

/** Keeps what a look saw of the origin: listings, looks, changes, prices, documents. */
export async function saveProbe(
  tx: Writer,
  origin: string,
  seen: ProbedOrigin,
  recorded: Recorded,
  now: Instant,
): Promise<void> {
  const codes = recorded.made.map(({ listing }) => listing.id);
  const own = await lockCodes(tx, origin, codes);
  const made = recorded.made.filter(({ listing }) => own.has(listing.id));
  await noteProbe(tx, made, seen.at);
  await saveListings(tx, made, now);
  await saveProbes(
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
      return { ...quote, ...defined({ listingId }) };
    }),
  );
  await saveDocuments(tx, origin, seen.at, seen.documents);
}

/** Ends the probe of the process that claimed the target; false when it had lost its claim. */
export async function finishProbe(
  tx: Writer,
  target: Target,
  claim: string,
  seen: ProbedOrigin,
  recorded: Recorded,
  chance: number,
): Promise<boolean> {
  const isListed = recorded.report.why === undefined;
  const answered = seen.results.some(({ verdict }) => verdict === 'live') || seen.quotes.length > 0;
  const failures = answered ? 0 : target.failures + 1;
  return finishTarget(tx, {
    origin: target.origin,
    claim,
    now: seen.at,
    nextLookAt: nextRegularCrawl(seen.at, failures, chance),
    failures,
    outcome: isListed ? 'listed' : 'not-listed',
    report: recorded.report,
    robots: seen.robots,
  });
}
