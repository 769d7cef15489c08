import { balance } from '../../db/ledger/balances.ts';
import { notesByNumber, type KeptNote } from '../../db/memory/notes.ts';
import type { Space } from '../../db/memory/spaces.ts';
import { vectorsAfter } from '../../db/memory/vectors.ts';
import { searchWords } from '../../db/memory/words.ts';
import type { Reader } from '../../db/store.ts';
import type { Account } from '../../domain/account.ts';
import { defined } from '../../domain/defined.ts';
import { SEARCH_PRICE } from '../../domain/memory/limits.ts';
import type { AskedWord } from '../../domain/memory/words.ts';
import type { NetworkId } from '../../domain/network.ts';
import type { Hub } from '../../server/hub/hub.ts';
import { ASSET } from '../../domain/network.ts';

/**
 * A search finds first, outside of any unit, and pays afterwards, in the unit that reads what was
 * found. A note that was overwritten in between is not what was found: then it is searched again.
 */
export type Query =
  | { readonly by: 'embedding'; readonly vector: Float32Array; readonly limit: number }
  | { readonly by: 'text'; readonly words: readonly AskedWord[]; readonly limit: number };

/** A note by its number, as it was at a change of its space. */
export interface Found {
  readonly no: number;
  readonly changed: number;
  readonly distance?: number;
}

/** The best first. It sees every note that was committed before the call. */
export async function find(hub: Hub, space: Space, query: Query): Promise<readonly Found[]> {
  if (query.by === 'text') {
    return hub.store.read((db) => searchWords(db, space, query.words, query.limit));
  }
  if (space.embedded === 0) return [];
  return hub.vectors.nearest({
    space: space.no,
    changes: space.changes,
    embedded: space.embedded,
    query: query.vector,
    k: query.limit,
    load: (after) => hub.store.read((db) => vectorsAfter(db, space.no, after)),
  });
}

/** Whether the reader can pay; who cannot is not searched for. */
export async function canPay(db: Reader, reader: Account, network: NetworkId): Promise<boolean> {
  const { spendable } = await balance(db, reader, { network, asset: ASSET });
  return spendable >= SEARCH_PRICE;
}

export interface FoundNote {
  readonly note: KeptNote;
  readonly distance?: number;
}

/** The notes that were found, those that are still what was found. */
export async function foundNotes(
  db: Reader,
  found: readonly Found[],
): Promise<readonly FoundNote[]> {
  const notes = new Map(
    (
      await notesByNumber(
        db,
        found.map(({ no }) => no),
      )
    ).map((note) => [note.no, note]),
  );
  return found.flatMap(({ no, changed, distance }) => {
    const note = notes.get(no);
    if (note?.changed !== changed) return [];
    return [{ note, ...defined({ distance }) }];
  });
}
