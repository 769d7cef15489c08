/**
 * Takes one top-level text field of a JSON object out of the passing bytes. It follows strings and
 * brackets only; the rest, with a second field of that name, is parsed and refused later.
 */
export interface FieldSplitter {
  /** Parts in their order. Escapes in the field are undone. */
  split(chunk: Buffer): readonly Part[];
}

interface Part {
  readonly is: 'rest' | 'field';
  readonly bytes: Buffer;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const COLON = 0x3a;
const LETTER_U = 0x75;
const OPENING: readonly (number | undefined)[] = [0x7b, 0x5b];
const CLOSING: readonly (number | undefined)[] = [0x7d, 0x5d];
/** Letters of a `\u` escape. */
const ESCAPE_LENGTH = 4;
/** A byte that base64 never has, for an invalid escape. */
const WRONG = Buffer.from('!');

export function openFieldSplitter(field: string): FieldSplitter {
  const wanted = Buffer.from(field);
  let depth = 0;
  let isKey = true;
  /** The key that the next value at the top belongs to. */
  let isWanted = false;
  let isTaken = false;
  let state: 'between' | 'text' | 'field' = 'between';
  /** An escape that has begun, without its backslash; undefined outside of one. */
  let escape: number[] | undefined;
  /** The key that is being read; longer ones are none that is wanted. */
  let key: number[] = [];

  const between = (byte: number): void => {
    if (OPENING.includes(byte)) depth += 1;
    else if (CLOSING.includes(byte)) depth -= 1;
    else if (byte === COMMA) isKey = true;
    else if (byte === COLON) isKey = false;
    else if (byte === QUOTE) {
      const begins = depth === 1 && !isKey && isWanted && !isTaken;
      state = begins ? 'field' : 'text';
      if (begins) isTaken = true;
      key = [];
    }
  };
  const inText = (byte: number): void => {
    if (escape !== undefined) escape = undefined;
    else if (byte === BACKSLASH) escape = [];
    else if (byte === QUOTE) {
      state = 'between';
      if (depth === 1 && isKey) isWanted = wanted.equals(Buffer.from(key));
      return;
    }
    if (key.length <= wanted.length) key.push(byte);
  };
  return {
    split(chunk) {
      const parts: Part[] = [];
      const nextOf = searchIn(chunk);
      let from = 0;
      const emit = (is: Part['is'], to: number): void => {
        if (to > from) parts.push({ is, bytes: chunk.subarray(from, to) });
        from = to;
      };
      for (let at = 0; at < chunk.length; at += 1) {
        const byte = chunk[at] ?? 0;
        if (state !== 'field') {
          if (state === 'text') inText(byte);
          else between(byte);
          // Also an empty field is one: its place is taken by what stands for it.
          if ((state as string) === 'field') {
            emit('rest', at + 1);
            parts.push({ is: 'field', bytes: Buffer.alloc(0) });
          }
        } else if (escape !== undefined) {
          escape.push(byte);
          from = at + 1;
          if (escape[0] === LETTER_U && escape.length <= ESCAPE_LENGTH) continue;
          parts.push({ is: 'field', bytes: undone(escape) });
          escape = undefined;
        } else {
          const end = nextOf(at);
          emit('field', end);
          at = end;
          if (end === chunk.length) break;
          if (chunk[end] === BACKSLASH) {
            escape = [];
            from = end + 1;
          } else {
            state = 'between';
          }
        }
      }
      if (from < chunk.length) emit(state === 'field' ? 'field' : 'rest', chunk.length);
      return parts;
    },
  };
}

/**
 * Finds the end of the field's text or the next escape, or else the end of the chunk. Neither is
 * searched for again before it is passed, so a chunk of escapes stays linear.
 */
function searchIn(chunk: Buffer): (from: number) => number {
  let [quote, backslash] = [-1, -1];
  const next = (known: number, byte: number, from: number): number => {
    if (known >= from) return known;
    const found = chunk.indexOf(byte, from);
    return found < 0 ? chunk.length : found;
  };
  return (from) => {
    quote = next(quote, QUOTE, from);
    backslash = next(backslash, BACKSLASH, from);
    return Math.min(quote, backslash);
  };
}

function undone(escape: readonly number[]): Buffer {
  const text = Buffer.from(escape).toString('latin1');
  if (text === '/') return Buffer.from(text);
  const code = /^u([0-9a-fA-F]{4})$/.exec(text)?.[1];
  const letter = code === undefined ? NaN : Number.parseInt(code, 16);
  return letter < 0x80 ? Buffer.from([letter]) : WRONG;
}
