/** Decodes base64 that comes in pieces: the standard alphabet, with padding, without blanks. */
export interface Base64Decoder {
  /** The bytes that are whole by now; none any more once something was wrong. */
  decode(text: Buffer): Buffer;
  /** Whether all of it was base64. */
  end(): boolean;
  /** Bytes decoded so far. */
  readonly length: number;
}

const PADDING = ['==', '='];
const NOTHING = Buffer.alloc(0);

export function openBase64(): Base64Decoder {
  let left = '';
  let isSound = true;
  let isPadded = false;
  let length = 0;
  return {
    decode(piece) {
      if (piece.length === 0) return NOTHING;
      const text = left + piece.toString('latin1');
      const cut = text.length - (text.length % 4);
      const now = text.slice(0, cut);
      left = text.slice(cut);
      const padding = PADDING.find((each) => now.endsWith(each))?.length ?? 0;
      const bytes = Buffer.from(now, 'base64');
      // Node passes over what is no base64 and stops at padding, and then bytes are missing; it
      // takes a second alphabet, too. Nothing may follow the padding, not even in a later piece.
      const isWhole = bytes.length === (now.length / 4) * 3 - padding;
      if (isPadded || !isWhole || now.includes('-') || now.includes('_')) isSound = false;
      if (padding > 0) isPadded = true;
      if (!isSound) return NOTHING;
      length += bytes.length;
      return bytes;
    },
    end: () => isSound && left === '',
    get length() {
      return length;
    },
  };
}
