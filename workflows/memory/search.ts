import { balance } from '../../db/ledger/balances.ts';
import { countExpired, factsAfter } from '../../db/memory/facts.ts';
import { notesByNumber, type KeptNote } from '../../db/memory/notes.ts';
import type { Space } from '../../db/memory/spaces.ts';
import { vectorsAfter } from '../../db/memory/vectors.ts';
import { searchWords } from '../../db/memory/words.ts';
import type { Reader } from '../../db/store.ts';
import type { Account } from '../../domain/account.ts';
import { defined } from '../../domain/defined.ts';
import { fuse } from '../../domain/memory/fuse.ts';
import { SEARCH_PRICE } from '../../domain/memory/limits.ts';
import { meets, unpackMetadata, type MetadataTerm } from '../../domain/memory/metadata.ts';
import { hasExpired } from '../../domain/memory/note.ts';
import type { AskedWord } from '../../domain/memory/words.ts';
import { atomic, type Atomic } from '../../domain/money.ts';
import type { NetworkId } from '../../domain/network.ts';
import type { Hub } from '../kernel/hub.ts';
import { ASSET } from '../../domain/network.ts';

/**
 * A search finds first, outside of any unit, and pays afterwards, in the unit that reads what was
 * found. A note that was overwritten in between is not what was found: then it is searched again.
 */
export interface Query {
  readonly vector?: Float32Array;
  readonly words?: readonly AskedWord[];
  readonly limit: number;
}

/** A note by its number, as it was at a change of its space. */
export interface Found {
  readonly no: number;
  readonly changed: number;
  readonly distance?: number;
}

/** A space with the notes of it that a search may find; all when `among` is absent. */
export interface Searched {
  readonly space: Space;
  readonly among?: Among;
}

interface Among {
  readonly all: readonly number[];
  /** Those that have a vector. */
  readonly embedded: readonly number[];
}

/** The spaces with the notes of each that meet the conditions. */
export async function searchedIn(
  hub: Hub,
  spaces: readonly Space[],
  where: readonly MetadataTerm[],
): Promise<readonly Searched[]> {
  if (where.length === 0) return spaces.map((space) => ({ space }));
  const searched: Searched[] = [];
  for (const space of spaces) searched.push({ space, among: await meeting(hub, space, where) });
  return searched;
}

/** Reads the facts of a space page by page, so that a large one holds up no other call. */
async function meeting(hub: Hub, { no }: Space, where: readonly MetadataTerm[]): Promise<Among> {
  const found = new Map<number, boolean>();
  for (let after = 0, isOver = false; !isOver;) {
    const { rows, isLast } = await hub.store.read((db) => factsAfter(db, no, after));
    for (const [note, changed, metadata, embedded] of rows) {
      if (meets(unpackMetadata(metadata), where)) found.set(note, embedded === 1);
      after = changed;
    }
    isOver = isLast;
  }
  const embedded = [...found].flatMap(([note, isEmbedded]) => (isEmbedded ? [note] : []));
  return { all: [...found.keys()], embedded };
}

/** Whether a vector could find anything; one is not bought in vain. */
export function hasVectors(searched: readonly Searched[]): boolean {
  return searched.some(
    ({ space, among }) => space.embedded > 0 && (among === undefined || among.embedded.length > 0),
  );
}

/** Places of each order that a merged order is made of. */
const MERGED_DEPTH = 60;
/** Notes that expired and wait for their deletion, for which others are found as well. */
const EXPIRED_MAX = 200;

/** The best first. It sees every note that was committed before the call. */
export async function find(
  hub: Hub,
  searched: readonly Searched[],
  { vector, words, limit }: Query,
): Promise<readonly Found[]> {
  const isMerged = words !== undefined && (vector !== undefined || searched.length > 1);
  const near: Found[] = [];
  const orders: (readonly Found[])[] = [];
  for (const { space, among } of searched) {
    const expired = await hub.store.read((db) =>
      countExpired(db, space.no, hub.clock.now(), EXPIRED_MAX),
    );
    const k = (isMerged ? Math.max(limit, MERGED_DEPTH) : limit) + expired;
    if (vector !== undefined)
      near.push(...(await nearest(hub, { space, ...defined({ among }) }, vector, k)));
    if (words === undefined || among?.all.length === 0) continue;
    orders.push(await hub.store.read((db) => searchWords(db, space, words, k, among?.all)));
  }
  near.sort((a, b) => (a.distance ?? 0) - (b.distance ?? 0) || b.changed - a.changed);
  const all = vector === undefined ? orders : [near, ...orders];
  return all.length === 1 ? (all[0] ?? []) : fuse(all, limit + EXPIRED_MAX);
}

async function nearest(
  hub: Hub,
  { space, among }: Searched,
  query: Float32Array,
  k: number,
): Promise<readonly Found[]> {
  if (!hasVectors([{ space, ...defined({ among }) }])) return [];
  return hub.vectors.nearest({
    space: space.no,
    changes: space.changes,
    embedded: space.embedded,
    query,
    k,
    ...defined({ among: among?.embedded }),
    load: (after) => hub.store.read((db) => vectorsAfter(db, space, after)),
  });
}

/** The price of a search that finds something, in atomic units. */
export function searchPrice(spaces: number): Atomic {
  return atomic(SEARCH_PRICE * BigInt(spaces));
}

/** Whether the reader can pay; who cannot is not searched for. */
export async function canPay(
  db: Reader,
  reader: Account,
  network: NetworkId,
  price: Atomic,
): Promise<boolean> {
  const { spendable } = await balance(db, reader, { network, asset: ASSET });
  return spendable >= price;
}

export interface FoundNote {
  readonly note: KeptNote;
  readonly distance?: number;
}

/** The notes that were found, at most `limit`; undefined when one is no longer what was found. */
export async function foundNotes(
  db: Reader,
  hub: Hub,
  found: readonly Found[],
  limit: number,
): Promise<{ readonly notes: readonly FoundNote[]; readonly isOvertaken: boolean }> {
  const rows = await notesByNumber(
    db,
    found.map(({ no }) => no),
  );
  const stored = new Map(rows.map((note) => [note.no, note]));
  const now = hub.clock.now();
  const same = found.flatMap(({ no, changed, distance }) => {
    const note = stored.get(no);
    return note?.changed === changed ? [{ note, ...defined({ distance }) }] : [];
  });
  const lasting = same.filter(({ note }) => !hasExpired(note, now));
  return { notes: lasting.slice(0, limit), isOvertaken: same.length < found.length };
}
