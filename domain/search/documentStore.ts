import type { IndexRow } from './found.ts';
import { larger } from './larger.ts';
import { openTexts, type TextsState } from './texts.ts';

/** The documents of an index by number, in columns; the number of one that is gone is used again. */
export interface DocumentStore {
  /** Above all numbers. */
  readonly end: number;
  /** The number of a document; a new one when there is none and `add` is asked for. */
  numberOf(kind: number, ref: string, part: number): number | undefined;
  /** The numbers of all documents of a kind that a listing has, at most so many. */
  numbersOf(kind: number, ref: string, most: number): readonly number[];
  add(kind: number, ref: string, part: number): number;
  remove(document: number): void;
  setStanding(ref: string, row: IndexRow): void;
  readonly columns: Columns;
  ref(document: number): string;
  /** By the bytes of their refs: below zero when the first comes first. */
  compareRefs(a: number, b: number): number;
  /** Returns the live arrays for `openDocumentStore`; the next change writes into them. */
  state(): DocumentsState;
}

export interface DocumentsState {
  readonly columns: Columns;
  readonly owners: TextsState;
  /** First document of an owner, and the next of the same owner. */
  readonly first: Int32Array;
  readonly next: Int32Array;
  readonly free: number[];
  readonly end: number;
}

/** By document; the standing is by owner. They are others after documents were added. */
interface Columns {
  kind: Uint8Array;
  part: Uint32Array;
  owner: Uint32Array;
  digest: Float64Array;
  answers: Uint8Array;
  karma: Float64Array;
  reach: Float64Array;
}

const FIRST = 1 << 8;
const NONE = -1;

function noDocuments(): DocumentsState {
  return {
    columns: {
      kind: new Uint8Array(FIRST),
      part: new Uint32Array(FIRST),
      owner: new Uint32Array(FIRST),
      digest: new Float64Array(FIRST),
      answers: new Uint8Array(FIRST),
      karma: new Float64Array(FIRST),
      reach: new Float64Array(FIRST),
    },
    owners: openTexts().state(),
    first: new Int32Array(FIRST),
    next: new Int32Array(FIRST),
    free: [],
    end: 0,
  };
}

export function openDocumentStore(from = noDocuments()): DocumentStore {
  const { columns, free } = from;
  const owners = openTexts(from.owners);
  let { first, next, end } = from;

  const grow = (): void => {
    columns.kind = larger(columns.kind, new Uint8Array(2 * end));
    columns.part = larger(columns.part, new Uint32Array(2 * end));
    columns.owner = larger(columns.owner, new Uint32Array(2 * end));
    columns.digest = larger(columns.digest, new Float64Array(2 * end));
    next = larger(next, new Int32Array(2 * end));
  };
  const ownerFor = (ref: string): number => {
    const before = owners.size;
    const owner = owners.add(ref);
    if (owner < before) return owner;
    if (owner === first.length) {
      first = larger(first, new Int32Array(2 * owner));
      columns.answers = larger(columns.answers, new Uint8Array(2 * owner));
      columns.karma = larger(columns.karma, new Float64Array(2 * owner));
      columns.reach = larger(columns.reach, new Float64Array(2 * owner));
    }
    first[owner] = NONE;
    columns.answers[owner] = 1;
    return owner;
  };
  return {
    columns,
    get end() {
      return end;
    },
    numberOf(kind, ref, part) {
      const owner = owners.idOf(ref);
      if (owner === undefined) return undefined;
      for (let at = first[owner] ?? NONE; at !== NONE; at = next[at] ?? NONE) {
        if (columns.kind[at] === kind && columns.part[at] === part) return at;
      }
      return undefined;
    },
    numbersOf(kind, ref, most) {
      const owner = owners.idOf(ref);
      const numbers: number[] = [];
      if (owner === undefined) return numbers;
      for (let at = first[owner] ?? NONE; at !== NONE && numbers.length < most;) {
        if (columns.kind[at] === kind) numbers.push(at);
        at = next[at] ?? NONE;
      }
      return numbers;
    },
    add(kind, ref, part) {
      const owner = ownerFor(ref);
      if (free.length === 0 && end === columns.kind.length) grow();
      const document = free.pop() ?? end++;
      columns.kind[document] = kind;
      columns.part[document] = part;
      columns.owner[document] = owner;
      next[document] = first[owner] ?? NONE;
      first[owner] = document;
      return document;
    },
    remove(document) {
      const owner = columns.owner[document] ?? 0;
      let before = NONE;
      for (let at = first[owner] ?? NONE; at !== document; at = next[at] ?? NONE) before = at;
      const after = next[document] ?? NONE;
      if (before === NONE) first[owner] = after;
      else next[before] = after;
      free.push(document);
    },
    setStanding(ref, [, , , , , answers, karma, reach]) {
      const owner = ownerFor(ref);
      columns.answers[owner] = answers;
      columns.karma[owner] = karma;
      columns.reach[owner] = reach;
    },
    ref: (document) => owners.of(columns.owner[document] ?? 0),
    compareRefs: (a, b) => owners.compare(columns.owner[a] ?? 0, columns.owner[b] ?? 0),
    state: () => ({ columns, owners: owners.state(), first, next, free, end }),
  };
}
