import { setImmediate as turn } from 'node:timers/promises';
import {
  alike,
  changedListings,
  copyables,
  holdListing,
  markListing,
  namesakes,
  passUnder,
  saveSignature,
  toolTexts,
  type ChangedListing,
  type Copyable,
  type StandsBy,
} from '../../db/registry/copies.ts';
import type { Writer } from '../../db/store.ts';
import { instant, type Instant } from '../../domain/instant.ts';
import {
  bandsOf,
  isCopy,
  signatureOf,
  standsBefore,
  type Signature,
} from '../../domain/registry/copies.ts';
import { nameKey } from '../../domain/registry/nameKey.ts';
import type { Hub } from '../kernel/hub.ts';
import { perHub } from '../kernel/perHub.ts';

const LISTINGS_AT_ONCE = 25;
const LISTINGS_A_RUN = 1_000;
const PAUSE_MS = 500;
/** A crawl commits later than the moment that it notes. */
const LATE_MS = 60_000;

/** Where the job is; a process that starts goes through all, most of which are made already. */
const place = perHub((): { at: Instant } => ({ at: instant(0) }));

/** Finds which changed listings copy another or bear its name; undefined when none is left. */
export async function findCopies(hub: Hub): Promise<number | undefined> {
  const here = place(hub);
  for (let done = 0; done < LISTINGS_A_RUN; done += LISTINGS_AT_ONCE) {
    const after = instant(Math.max(0, here.at - LATE_MS));
    const { changed, tools } = await hub.store.read(async (db) => {
      const changed = await changedListings(db, after, LISTINGS_AT_ONCE);
      const ids = changed.map(({ id }) => id);
      return {
        changed,
        tools: ids.length === 0 ? new Map<string, never>() : await toolTexts(db, ids),
      };
    });
    const last = changed.at(-1);
    if (last === undefined) return undefined;
    for (const listing of changed) {
      const { description } = listing;
      const signature = signatureOf({ description, tools: tools.get(listing.id) ?? [] });
      await turn();
      await hub.store.write((tx) => placed(tx, listing, signature));
    }
    here.at = last.changedAt;
  }
  return PAUSE_MS;
}

/** Puts one listing under the original of its copies, or under the first of its name. */
async function placed(
  tx: Writer,
  listing: ChangedListing,
  signature: Signature | undefined,
): Promise<void> {
  // It was read before, and its owner may have removed it since.
  if (!(await holdListing(tx, listing.id))) return;
  const bands = signature === undefined ? [] : bandsOf(signature);
  await saveSignature(tx, listing, signature, bands);
  const key = nameKey(listing.name);
  const copies = signature === undefined ? [] : await copiesOf(tx, listing, signature, bands);
  const others = key === undefined ? [] : await namesakes(tx, key, listing.operatorId);
  const under =
    (await underFirst(tx, listing, copies, () => 'copy')) ??
    (await underFirst(tx, listing, listing.isProved ? [] : others, (other) =>
      other.name === listing.name ? 'name' : 'look-alike',
    ));
  await markListing(tx, listing.id, under, key);
}

async function copiesOf(
  tx: Writer,
  { id, operatorId }: ChangedListing,
  signature: Signature,
  bands: readonly string[],
): Promise<readonly Copyable[]> {
  const found = await alike(tx, bands);
  const copies = found.filter(
    (each) => each.id !== id && each.operatorId !== operatorId && isCopy(each.signature, signature),
  );
  const known = new Set(copies.map((each) => each.id));
  const above = copies.flatMap(({ standsUnder }) => standsUnder ?? []);
  const unread = [...new Set(above)].filter((each) => each !== id && !known.has(each));
  return unread.length === 0 ? copies : [...copies, ...(await copyables(tx, unread))];
}

/** The first of some, when it stands before the listing; else they stand under the listing. */
async function underFirst(
  tx: Writer,
  listing: ChangedListing,
  others: readonly Copyable[],
  by: (other: Copyable) => StandsBy,
): Promise<{ readonly id: string; readonly by: StandsBy } | undefined> {
  if (others.length === 0) return undefined;
  const first = others.reduce((best, each) => (standsBefore(each, best) ? each : best));
  if (standsBefore(first, listing)) return { id: first.id, by: by(first) };
  for (const other of others) {
    const isByName = by(other) !== 'copy';
    if (other.standsUnder === listing.id) continue;
    if (isByName && (other.isProved || other.standsUnder !== undefined)) continue;
    await passUnder(tx, listing.id, other.id, by(other));
  }
  return undefined;
}
