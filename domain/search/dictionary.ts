import { larger } from './larger.ts';
import { openTexts, type Texts, type TextsState } from './texts.ts';
import { deletionVariants } from './typos.ts';

/** The terms of an index by number, and those that begin or are misspelled like a given word. */
export interface Dictionary {
  readonly size: number;
  idOf(term: string): number | undefined;
  add(term: string): number;
  term(id: number): string;
  /** Words, no names, that begin so, in the order of their bytes. */
  beginningWith(beginning: string): readonly number[];
  /** Words that become one of these forms when a letter is left out of them, perhaps others too. */
  withForm(forms: readonly string[]): readonly number[];
  /** Returns the live arrays for `openDictionary`; the next change writes into them. */
  state(): DictionaryState;
}

export interface DictionaryState {
  readonly texts: TextsState;
  readonly forms: FormsState;
  readonly sorted: Uint32Array;
}

/** Beginnings that very many words have say nothing. */
const BEGINNING_MAX = 2_000;
const FORM_BITS = 20;

export function openDictionary(from?: DictionaryState): Dictionary {
  const texts = openTexts(from?.texts);
  const forms = openForms(from?.forms);
  const sorted = openSorted(texts, from?.sorted);
  return {
    get size() {
      return texts.size;
    },
    idOf: (term) => texts.idOf(term),
    add(term) {
      const before = texts.size;
      const id = texts.add(term);
      if (id < before || term.startsWith('=')) return id;
      sorted.add(id);
      for (const form of deletionVariants(term)) forms.add(form, id);
      return id;
    },
    term: (id) => texts.of(id),
    beginningWith: (beginning) => sorted.beginningWith(beginning),
    withForm: (given) => [...new Set(given.flatMap((form) => forms.of(form)))],
    state: () => ({ texts: texts.state(), forms: forms.state(), sorted: sorted.state() }),
  };
}

/** Terms in the order of their bytes; those that were added since are put in when it is read. */
interface Sorted {
  add(id: number): void;
  beginningWith(beginning: string): readonly number[];
  state(): Uint32Array;
}

function openSorted(texts: Texts, from?: Uint32Array): Sorted {
  let sorted = from ?? new Uint32Array(0);
  let unsorted: number[] = [];
  const firstFrom = (isBefore: (id: number) => boolean): number => {
    let [from, to] = [0, sorted.length];
    while (from < to) {
      const middle = (from + to) >>> 1;
      if (isBefore(sorted[middle] ?? 0)) from = middle + 1;
      else to = middle;
    }
    return from;
  };
  const putIn = (): void => {
    const all = new Uint32Array(sorted.length + unsorted.length);
    let taken = 0;
    unsorted.sort(texts.compare).forEach((id, nth) => {
      const place = firstFrom((other) => texts.compare(other, id) < 0);
      all.set(sorted.subarray(taken, place), taken + nth);
      all[place + nth] = id;
      taken = place;
    });
    all.set(sorted.subarray(taken), taken + unsorted.length);
    [sorted, unsorted] = [all, []];
  };
  return {
    add: (id) => unsorted.push(id),
    beginningWith(beginning) {
      if (unsorted.length > 0) putIn();
      const first = firstFrom((id) => texts.compareTo(id, beginning) < 0);
      const found: number[] = [];
      for (let at = first; at < sorted.length && found.length < BEGINNING_MAX; at += 1) {
        const id = sorted[at] ?? 0;
        if (!texts.of(id).startsWith(beginning)) break;
        found.push(id);
      }
      return found;
    },
    state() {
      putIn();
      return sorted;
    },
  };
}

/** Terms by the slot of a form of theirs; others share the slot, so the caller compares them. */
interface Forms {
  add(form: string, term: number): void;
  of(form: string): readonly number[];
  state(): FormsState;
}

interface FormsState {
  /** Place of the first entry of a slot, and one; entries name the next. */
  readonly heads: Int32Array;
  readonly next: Int32Array;
  readonly terms: Int32Array;
  readonly count: number;
}

function noForms(): FormsState {
  const [next, terms] = [new Int32Array(1 << 10), new Int32Array(1 << 10)];
  return { heads: new Int32Array(1 << FORM_BITS), next, terms, count: 0 };
}

function openForms(from = noForms()): Forms {
  const { heads } = from;
  let { next, terms, count } = from;
  return {
    add(form, term) {
      if (count === terms.length) {
        next = larger(next, new Int32Array(2 * count));
        terms = larger(terms, new Int32Array(2 * count));
      }
      const slot = slotOf(form);
      next[count] = heads[slot] ?? 0;
      terms[count] = term;
      count += 1;
      heads[slot] = count;
    },
    of(form) {
      const found: number[] = [];
      for (let at = heads[slotOf(form)] ?? 0; at > 0; at = next[at - 1] ?? 0) {
        found.push(terms[at - 1] ?? 0);
      }
      return found;
    },
    state: () => ({ heads, next, terms, count }),
  };
}

/** FNV-1a over the letters. */
function slotOf(form: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < form.length; at += 1) {
    hash = Math.imul(hash ^ form.charCodeAt(at), 0x01000193);
  }
  return (hash ^ (hash >>> FORM_BITS)) & ((1 << FORM_BITS) - 1);
}
