import { larger } from './larger.ts';

/**
 * Short texts by number, each kept once, as bytes in few typed arrays: a million of them leave the
 * collector of garbage nothing to visit, and take their letters and some 12 bytes each.
 */
export interface Texts {
  /** Above all numbers. */
  readonly size: number;
  idOf(text: string): number | undefined;
  /** The number of a text; a new one is added. */
  add(text: string): number;
  of(id: number): string;
  /** By their bytes: below zero when the first comes first. */
  compare(a: number, b: number): number;
  compareTo(id: number, text: string): number;
  /** Returns the live arrays for `openTexts`; the next change writes into them. */
  state(): TextsState;
}

export interface TextsState {
  readonly bytes: Uint8Array;
  readonly starts: Uint32Array;
  readonly slots: Uint32Array;
  readonly size: number;
}

const FIRST = 1 << 10;
/** A letter takes no more bytes. */
const LETTER_BYTES_MAX = 3;
const ASCII_MAX = 0x7f;
const FNV_START = 0x811c9dc5;
const FNV_PRIME = 0x01000193;

function noTexts(): TextsState {
  return {
    bytes: new Uint8Array(FIRST),
    starts: new Uint32Array(FIRST),
    slots: new Uint32Array(2 * FIRST),
    size: 0,
  };
}

export function openTexts(from = noTexts()): Texts {
  const encoder = new TextEncoder();
  const decoder = new TextDecoder();
  /**
   * Each text is in `bytes` from its place in `starts` up to that of the next. `slots` has the number
   * of a text, and one, at the first place from its hash on that was free.
   */
  let { bytes, starts, slots, size } = from;

  const startOf = (id: number): number => starts[id] ?? 0;
  /** Writes a text behind the last one, where it stays if it is added; gives its end. */
  const write = (text: string): number => {
    const start = startOf(size);
    while (start + LETTER_BYTES_MAX * text.length > bytes.length) {
      bytes = larger(bytes, new Uint8Array(2 * bytes.length));
    }
    for (let at = 0; at < text.length; at += 1) {
      const letter = text.charCodeAt(at);
      if (letter > ASCII_MAX) {
        return start + at + encoder.encodeInto(text.slice(at), bytes.subarray(start + at)).written;
      }
      bytes[start + at] = letter;
    }
    return start + text.length;
  };
  const hashOf = (start: number, end: number): number => {
    let hash = FNV_START;
    for (let at = start; at < end; at += 1) hash = Math.imul(hash ^ (bytes[at] ?? 0), FNV_PRIME);
    return hash ^ (hash >>> 15);
  };
  const isAt = (id: number, start: number, end: number): boolean => {
    const from = startOf(id);
    if (startOf(id + 1) - from !== end - start) return false;
    for (let at = start; at < end; at += 1) {
      if (bytes[from + at - start] !== bytes[at]) return false;
    }
    return true;
  };
  /** The slot of a text, or the free one where it belongs. */
  const slotOf = (start: number, end: number): number => {
    const mask = slots.length - 1;
    let slot = hashOf(start, end) & mask;
    for (; (slots[slot] ?? 0) !== 0; slot = (slot + 1) & mask) {
      if (isAt((slots[slot] ?? 0) - 1, start, end)) break;
    }
    return slot;
  };
  const order = (from: number, end: number, otherFrom: number, otherEnd: number): number => {
    const shared = Math.min(end - from, otherEnd - otherFrom);
    for (let at = 0; at < shared; at += 1) {
      const by = (bytes[from + at] ?? 0) - (bytes[otherFrom + at] ?? 0);
      if (by !== 0) return by;
    }
    return end - from - (otherEnd - otherFrom);
  };
  const grow = (): void => {
    starts = larger(starts, new Uint32Array(2 * starts.length));
    slots = new Uint32Array(2 * starts.length);
    for (let id = 0; id < size; id += 1) slots[slotOf(startOf(id), startOf(id + 1))] = id + 1;
  };
  return {
    get size() {
      return size;
    },
    idOf(text) {
      const known = slots[slotOf(startOf(size), write(text))] ?? 0;
      return known === 0 ? undefined : known - 1;
    },
    add(text) {
      const end = write(text);
      const slot = slotOf(startOf(size), end);
      const known = slots[slot] ?? 0;
      if (known > 0) return known - 1;
      slots[slot] = size + 1;
      starts[size + 1] = end;
      size += 1;
      if (size + 1 === starts.length) grow();
      return size - 1;
    },
    of: (id) => (id < size ? decoder.decode(bytes.subarray(startOf(id), startOf(id + 1))) : ''),
    compare: (a, b) => order(startOf(a), startOf(a + 1), startOf(b), startOf(b + 1)),
    compareTo(id, text) {
      const end = write(text);
      return order(startOf(id), startOf(id + 1), startOf(size), end);
    },
    state: () => ({ bytes, starts, slots, size }),
  };
}
