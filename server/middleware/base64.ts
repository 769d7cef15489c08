/** Decodes base64 that comes in pieces: the standard alphabet, with padding, without blanks. */
export interface Base64Decoder {
  /**
   * Puts the bytes that are whole by now into `out`, from `at` on, and says how many; none any more
   * once something was wrong. There has to be room for `roomFor` the piece.
   */
  decode(piece: Buffer, out: Buffer, at: number): number;
  /** Whether all of it was base64. */
  end(): boolean;
  /** Bytes decoded so far. */
  readonly length: number;
}

const GROUP = 4;
const PADDING = ['==', '='];

/** The most bytes that a piece may complete, with what was left of the ones before. */
export function roomFor(piece: Buffer): number {
  return Math.ceil((piece.length + GROUP - 1) / GROUP) * 3;
}

export function openBase64(): Base64Decoder {
  let left = '';
  let isSound = true;
  let isPadded = false;
  let length = 0;
  /** Whole groups, straight to where they stay: nothing of a large file is copied once more. */
  const groups = (text: string, out: Buffer, at: number): number => {
    if (text === '') return 0;
    const padding = PADDING.find((each) => text.endsWith(each))?.length ?? 0;
    const count = out.write(text, at, 'base64');
    // Node passes over what is no base64 and stops at padding, and then bytes are missing; it
    // takes a second alphabet, too. Nothing may follow the padding, not even in a later piece.
    const isWhole = count === (text.length / GROUP) * 3 - padding;
    if (isPadded || !isWhole || text.includes('-') || text.includes('_')) isSound = false;
    if (padding > 0) isPadded = true;
    return count;
  };
  return {
    decode(piece, out, at) {
      const from = left === '' ? 0 : Math.min(GROUP - left.length, piece.length);
      const to = piece.length - ((piece.length - from) % GROUP);
      const begun = left + piece.toString('latin1', 0, from);
      const isBegun = begun.length < GROUP;
      left = (isBegun ? begun : '') + piece.toString('latin1', to);
      let count = isBegun ? 0 : groups(begun, out, at);
      count += groups(piece.toString('latin1', from, to), out, at + count);
      if (!isSound) return 0;
      length += count;
      return count;
    },
    end: () => isSound && left === '',
    get length() {
      return length;
    },
  };
}
