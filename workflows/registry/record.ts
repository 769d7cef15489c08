import { saveAddresses } from '../../db/registry/addresses.ts';
import { saveChanges, saveDocuments, saveProbes } from '../../db/registry/probes.ts';
import { saveListings } from '../../db/registry/listings.ts';
import { lockCodes, newListings } from '../../db/registry/origins.ts';
import { saveQuotes } from '../../db/registry/quotes.ts';
import { finishTarget } from '../../db/registry/targets.ts';
import type { Writer } from '../../db/store.ts';
import { defined } from '../../domain/defined.ts';
import { instant, type Instant } from '../../domain/instant.ts';
import { nextRegularCrawl } from '../../domain/registry/schedule.ts';
import { codesOf, mergeProbe, type MergedListing } from '../../domain/registry/probeResult.ts';
import type { CrawlReport, Target } from '../../domain/registry/target.ts';
import { nextLook, type AskedAddress } from '../../domain/registry/turns.ts';
import { noteProbe } from './noteListing.ts';
import type { Planned } from './planProbe.ts';
import type { ProbedOrigin } from './probe.ts';
import { addressesAsked } from './addressesAsked.ts';
import { verdictOfProbe } from './verdict.ts';

type Ground = Pick<Planned, 'origin' | 'known' | 'codes'>;

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
    // Among two doors that claim one code the first that answered stays.
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

/** Steps that a report of an origin shows; each address keeps its own. */
const STEPS_SHOWN = 60;

/** Returns the result of a probe: its report, and the listings as they are now. */
export function readProbe(ground: Ground, seen: ProbedOrigin): Recorded {
  const made = listingsOfProbe(ground, seen);
  const found = made.map(({ listing }) => listing.id).slice(0, STEPS_SHOWN);
  return {
    made,
    report: { found, probes: seen.steps.slice(0, STEPS_SHOWN), ...verdictOfProbe(seen, made) },
  };
}

interface Saved {
  readonly plan: Planned;
  readonly target: Target;
  readonly claim: string;
  readonly seen: ProbedOrigin;
  readonly recorded: Recorded;
  /** 0 to 1, which keeps origins apart that came together. */
  readonly chance: number;
  readonly now: Instant;
}

/** Keeps the result of a look, unless another process has claimed the target since. */
export async function saveProbe(tx: Writer, saved: Saved): Promise<void> {
  const { plan, seen, recorded, chance, now } = saved;
  const asked = addressesAsked(plan, seen, recorded.made, chance);
  if (!(await finishProbe(tx, saved, asked))) return;
  await saveFound(tx, plan.origin, seen, recorded, now);
  await saveAddresses(tx, plan.origin, asked);
}

/** Keeps what a look saw of the origin: listings, looks, changes, prices, documents. */
async function saveFound(
  tx: Writer,
  origin: string,
  seen: ProbedOrigin,
  recorded: Recorded,
  now: Instant,
): Promise<void> {
  const codes = recorded.made.map(({ listing }) => listing.id);
  const own = await lockCodes(tx, origin, codes);
  const kept = recorded.made.filter(({ listing }) => own.has(listing.id));
  const made = await withinRate(tx, kept, now);
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

/** New listings that one operator gets in a day, whatever its origins answer. */
const NEW_A_DAY = 100;
const DAY_MS = 86_400_000;

/** Leaves out new listings above the rate; they are listed at a later turn. */
async function withinRate(
  tx: Writer,
  made: readonly MergedListing[],
  now: Instant,
): Promise<readonly MergedListing[]> {
  const fresh = made.filter(({ listing }) => listing.firstSeenAt === listing.lastCheckedAt);
  const [first] = fresh;
  if (first === undefined) return made;
  const since = instant(now - DAY_MS);
  const room = NEW_A_DAY - (await newListings(tx, first.listing.operatorId, since));
  const over = new Set(fresh.slice(Math.max(0, room)));
  return made.filter((each) => !over.has(each));
}

/** Ends the probe of the process that claimed the target; false when it had lost its claim. */
async function finishProbe(
  tx: Writer,
  { plan, target, claim, seen, recorded, chance }: Saved,
  asked: readonly AskedAddress[],
): Promise<boolean> {
  const isListed = recorded.report.why === undefined;
  const answered = seen.results.some(({ verdict }) => verdict === 'live') || seen.quotes.length > 0;
  const failures = answered ? 0 : target.failures + 1;
  const regular = nextRegularCrawl(seen.at, failures, chance);
  const done = new Map(asked.map((each) => [each.url, each]));
  const waiting = plan.turns.map((turn) => done.get(turn.url) ?? turn);
  return finishTarget(tx, {
    origin: target.origin,
    claim,
    now: seen.at,
    nextLookAt: answered ? nextLook(seen.at, regular, waiting) : regular,
    failures,
    outcome: isListed ? 'listed' : 'not-listed',
    report: recorded.report,
    robots: seen.robots,
  });
}
