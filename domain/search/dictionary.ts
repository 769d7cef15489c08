import { deletionVariants } from './typos.ts';

/** The terms of an index by number, and those that begin or are misspelled like a given word. */
export interface Dictionary {
  readonly size: number;
  idOf(term: string): number | undefined;
  /** The number of a term; a new one is added. */
  add(term: string): number;
  term(id: number): string;
  /** Words, no names, that begin so, as places of `sorted`. */
  beginningWith(beginning: string): readonly number[];
  /** Words that become one of these forms when a letter is left out of them, perhaps others too. */
  withForm(forms: readonly string[]): readonly number[];
}

/** Beginnings that very many words have say nothing. */
const BEGINNING_MAX = 2_000;
const FORM_BITS = 20;

export function openDictionary(): Dictionary {
  const ids = new Map<string, number>();
  const terms: string[] = [];
  let sorted: string[] = [];
  let unsorted: string[] = [];
  const forms = openForms();
  const inOrder = (): readonly string[] => {
    if (unsorted.length > 0) {
      sorted = merged(sorted, unsorted.sort(byText));
      unsorted = [];
    }
    return sorted;
  };
  return {
    get size() {
      return terms.length;
    },
    idOf: (term) => ids.get(term),
    add(term) {
      const known = ids.get(term);
      if (known !== undefined) return known;
      const id = terms.push(term) - 1;
      ids.set(term, id);
      if (term.startsWith('=')) return id;
      unsorted.push(term);
      for (const form of deletionVariants(term)) forms.add(form, id);
      return id;
    },
    term: (id) => terms[id] ?? '',
    beginningWith(beginning) {
      const all = inOrder();
      const found: number[] = [];
      for (let at = firstFrom(all, beginning); found.length < BEGINNING_MAX; at += 1) {
        const term = all[at];
        if (term?.startsWith(beginning) !== true) break;
        found.push(ids.get(term) ?? 0);
      }
      return found;
    },
    withForm: (given) => [...new Set(given.flatMap((form) => forms.of(form)))],
  };
}

/** By bytes as far as it matters here: alike wherever it runs. */
export function byText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function merged(a: readonly string[], b: readonly string[]): string[] {
  const all: string[] = [];
  let [left, right] = [0, 0];
  while (left < a.length || right < b.length) {
    const [one, other] = [a[left], b[right]];
    if (one !== undefined && (other === undefined || one < other)) {
      all.push(one);
      left += 1;
    } else if (other !== undefined) {
      all.push(other);
      right += 1;
    }
  }
  return all;
}

function firstFrom(sorted: readonly string[], text: string): number {
  let [from, to] = [0, sorted.length];
  while (from < to) {
    const middle = (from + to) >>> 1;
    if ((sorted[middle] ?? '') < text) from = middle + 1;
    else to = middle;
  }
  return from;
}

/** Terms by the slot of a form of theirs; others share the slot, so who asks compares them. */
interface Forms {
  add(form: string, term: number): void;
  of(form: string): readonly number[];
}

function openForms(): Forms {
  /** Place of the first entry of a slot, and one; entries name the next. */
  const heads = new Int32Array(1 << FORM_BITS);
  let next = new Int32Array(1 << 10);
  let terms = new Int32Array(1 << 10);
  let count = 0;
  return {
    add(form, term) {
      if (count === terms.length) {
        next = doubled(next);
        terms = doubled(terms);
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
  };
}

function doubled(old: Int32Array<ArrayBuffer>): Int32Array<ArrayBuffer> {
  const larger = new Int32Array(2 * old.length);
  larger.set(old);
  return larger;
}

/** FNV-1a over the letters. */
function slotOf(form: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < form.length; at += 1) {
    hash = Math.imul(hash ^ form.charCodeAt(at), 0x01000193);
  }
  return (hash ^ (hash >>> FORM_BITS)) & ((1 << FORM_BITS) - 1);
}
