import { setImmediate as turn } from 'node:timers/promises';
import { readListings, type FullListing } from '../../db/registry/listings.ts';
import { probesOf } from '../../db/registry/probes.ts';
import {
  dueListings,
  dueParts,
  expiredTexts,
  saveTexts,
  stampsOf,
  type DueListing,
  type DuePart,
  type ListingStamps,
  type ListingText,
} from '../../db/registry/texts.ts';
import type { Reader } from '../../db/store.ts';
import { earliest, instant, type Instant } from '../../domain/instant.ts';
import { tallyUntil, type PastProbe } from '../../domain/registry/history.ts';
import { accessStaleAt } from '../../domain/registry/listing.ts';
import type { Hub } from '../kernel/hub.ts';
import { LISTING_FORM } from '../kernel/listingTexts.ts';
import { presentListing } from './present/listing.ts';
import { presentRecord, recordTag } from './present/record.ts';
import { encode } from '../kernel/encode.ts';

/** Groups or operators that are looked up at once. */
const PARTS_AT_ONCE = 25;
const LISTINGS_AT_ONCE = 25;
/** Their tools bound what is parsed in one turn of the event loop. */
const TOOLS_AT_ONCE = 100;
/** Texts of one run; the next begins soon after, so a change of all listings takes its time. */
const TEXTS_A_RUN = 1_000;
const PAUSE_MS = 500;
/** A longer text is made for each request. */
const TEXT_MAX = 262_144;
const VALID_MS_MAX = 30 * 86_400_000;

/** The listings of one step of the job, and the parts whose texts are all made after it. */
interface Due {
  readonly ids: readonly string[];
  readonly made: readonly DuePart[];
}

/** Makes texts that are changed, expired or of an earlier form; undefined when none is left. */
export async function writeTexts(hub: Pick<Hub, 'store' | 'clock'>): Promise<number | undefined> {
  for (let written = 0; written < TEXTS_A_RUN;) {
    const now = hub.clock.now();
    const { due, sources } = await hub.store.read(async (db) => {
      const due = await nextDue(db, now);
      return { due, sources: await readSources(db, due.ids) };
    });
    if (due.ids.length === 0 && due.made.length === 0) return undefined;
    const texts: ListingText[] = [];
    for (const source of sources) {
      texts.push(textOf(source, now));
      await turn();
    }
    await hub.store.write((tx) => saveTexts(tx, texts, due.made));
    written += Math.max(1, texts.length);
  }
  return PAUSE_MS;
}

async function nextDue(db: Reader, now: Instant): Promise<Due> {
  for (const part of ['group', 'operator'] as const) {
    const parts = await dueParts(db, part, PARTS_AT_ONCE);
    if (parts.length === 0) continue;
    const names = parts.map(({ name }) => name);
    const found = await dueListings(db, part, names, LISTING_FORM, LISTINGS_AT_ONCE + 1);
    const first = bounded(found);
    // Parts whose last listings are left for the next step are not made yet.
    const left = new Set(found.slice(first.length).map(({ name }) => name));
    const last = found.length > LISTINGS_AT_ONCE ? found.at(-1)?.name : undefined;
    const isMade = ({ name }: DuePart): boolean =>
      !left.has(name) && (last === undefined || name < last);
    return { ids: first.map(({ id }) => id), made: parts.filter(isMade) };
  }
  const expired = await expiredTexts(db, LISTING_FORM, now, LISTINGS_AT_ONCE);
  return { ids: bounded(expired).map(({ id }) => id), made: [] };
}

/** The first that have not too many tools together; one is always there. */
function bounded(found: readonly DueListing[]): readonly DueListing[] {
  let tools = 0;
  return found.slice(0, LISTINGS_AT_ONCE).filter(({ skillCount }, nth) => {
    tools += skillCount;
    return nth === 0 || tools <= TOOLS_AT_ONCE;
  });
}

/** A listing as it is read for its record and for lists, in one snapshot with its stamps. */
interface Source {
  readonly full: FullListing;
  readonly listed: FullListing;
  readonly looks: readonly PastProbe[];
  readonly stamps: ListingStamps;
}

const WHOLE = { skillsMax: 1_000, siblingsMax: 100, schemas: true };

async function readSources(db: Reader, ids: readonly string[]): Promise<readonly Source[]> {
  if (ids.length === 0) return [];
  const sorted = [...ids].sort();
  const stamps = await stampsOf(db, sorted);
  const whole = await readListings(db, sorted, WHOLE);
  const listed = new Map((await readListings(db, sorted)).map((each) => [each.listing.id, each]));
  const looks = await probesOf(db, sorted);
  return whole.flatMap((full) => {
    const { id } = full.listing;
    const [short, of] = [listed.get(id), stamps.get(id)];
    if (short === undefined || of === undefined) return [];
    return [{ full, listed: short, looks: looks.get(id) ?? [], stamps: of }];
  });
}

function textOf({ full, listed, looks, stamps }: Source, now: Instant): ListingText {
  const record = JSON.stringify(encode('AgentListing', presentRecord(full, looks, now)));
  const short = JSON.stringify(encode('AgentListing', presentListing(listed, now)));
  return {
    id: full.listing.id,
    form: LISTING_FORM,
    stamps,
    until: validUntil(full, looks, now),
    tag: recordTag(record),
    ...(short.length <= TEXT_MAX && { short }),
    ...(record.length <= TEXT_MAX && { record }),
  };
}

/** When a tool's access becomes stale, or a look leaves the tally. */
function validUntil({ skills }: FullListing, looks: readonly PastProbe[], now: Instant): Instant {
  const moments = [...skills.map(accessStaleAt), tallyUntil(looks, now)];
  return moments.reduce<Instant>(
    (first, at) => (at !== undefined && at > now ? earliest(first, at) : first),
    instant(now + VALID_MS_MAX),
  );
}
