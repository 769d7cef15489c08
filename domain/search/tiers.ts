import { larger } from './larger.ts';
import { openLists, type ListsState } from './lists.ts';
import { KINDS } from './plan.ts';
import { isInName, weightOf } from './termWeight.ts';

/**
 * By term and kind the documents that have it. Those in which it weighs much, or that are called so,
 * are lists of their own: a query reads these and need not read those in which it weighs little.
 */
export interface Tiers {
  documents(term: number, kind: number): number;
  add(term: number, kind: number, weight: number, document: number): void;
  /** Takes out what was added with the same four. */
  drop(term: number, kind: number, weight: number, document: number): void;
  /** The lists of a term that are not empty, as they are until the next change. */
  of(term: number, kind: number): readonly Tier[];
  /** Returns the live arrays for `openTiers`; the next change writes into them. */
  state(): TiersState;
}

export interface TiersState {
  readonly lists: ListsState;
  /** By term and kind: how many documents, and the first of its lists. */
  readonly counts: Uint32Array;
  readonly firsts: Uint32Array;
  /** By list: the next of the same term and kind, and its tier. */
  readonly nexts: Uint32Array;
  readonly tiers: Uint8Array;
}

export interface Tier {
  readonly documents: Uint32Array;
  readonly isInName: boolean;
  /** The term weighs no more in any of them. */
  readonly weightMax: number;
}

/** Bits of a weight that do not part lists. */
const ALIKE_BITS = 4;
const ALIKE = (1 << ALIKE_BITS) - 1;
const FIRST = 1 << 10;
/** Lists are counted from one, so that zero is none. */
const NONE = 0;

function noTiers(): TiersState {
  const lists = openLists();
  lists.open();
  return {
    lists: lists.state(),
    counts: new Uint32Array(FIRST),
    firsts: new Uint32Array(FIRST),
    nexts: new Uint32Array(FIRST),
    tiers: new Uint8Array(FIRST),
  };
}

export function openTiers(from = noTiers()): Tiers {
  const lists = openLists(from.lists);
  let { counts, firsts, nexts, tiers } = from;

  const place = (term: number, kind: number): number => term * KINDS.length + kind;
  const listOf = (at: number, tier: number): number => {
    let list = firsts[at] ?? NONE;
    while (list !== NONE && tiers[list] !== tier) list = nexts[list] ?? NONE;
    return list;
  };
  const openList = (at: number, tier: number): number => {
    const list = lists.open();
    if (list >= nexts.length) {
      nexts = larger(nexts, new Uint32Array(2 * nexts.length));
      tiers = larger(tiers, new Uint8Array(2 * tiers.length));
    }
    nexts[list] = firsts[at] ?? NONE;
    tiers[list] = tier;
    firsts[at] = list;
    return list;
  };
  return {
    documents: (term, kind) => counts[place(term, kind)] ?? 0,
    add(term, kind, weight, document) {
      const at = place(term, kind);
      while (at >= counts.length) {
        counts = larger(counts, new Uint32Array(2 * counts.length));
        firsts = larger(firsts, new Uint32Array(2 * firsts.length));
      }
      const tier = weight >>> ALIKE_BITS;
      const known = listOf(at, tier);
      lists.put(known === NONE ? openList(at, tier) : known, document);
      counts[at] = (counts[at] ?? 0) + 1;
    },
    drop(term, kind, weight, document) {
      const at = place(term, kind);
      lists.drop(listOf(at, weight >>> ALIKE_BITS), document);
      counts[at] = (counts[at] ?? 0) - 1;
    },
    of(term, kind) {
      const found: Tier[] = [];
      let list = firsts[place(term, kind)] ?? NONE;
      for (; list !== NONE; list = nexts[list] ?? NONE) {
        const weight = ((tiers[list] ?? 0) << ALIKE_BITS) | ALIKE;
        const documents = lists.of(list);
        if (documents.length === 0) continue;
        found.push({ documents, isInName: isInName(weight), weightMax: weightOf(weight) });
      }
      return found;
    },
    state: () => ({ lists: lists.state(), counts, firsts, nexts, tiers }),
  };
}
