/** Decodes base64 that comes in pieces: the standard alphabet, with padding, without blanks. */
export interface Base64Decoder {
  /** The bytes that are whole by now; none any more once something was wrong. */
  decode(text: Buffer): Buffer;
  /** Whether all of it was base64. */
  end(): boolean;
  /** Bytes decoded so far. */
  readonly length: number;
}

const PLAIN = /^[A-Za-z0-9+/]*$/;
const LAST = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{4}|[A-Za-z0-9+/]{3}=|[A-Za-z0-9+/]{2}==)?$/;
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
      // Nothing may follow the padding, not even in a later piece.
      if (isPadded || !(PLAIN.test(now) || LAST.test(now))) isSound = false;
      if (now.endsWith('=')) isPadded = true;
      if (!isSound) return NOTHING;
      const bytes = Buffer.from(now, 'base64');
      length += bytes.length;
      return bytes;
    },
    end: () => isSound && left === '',
    get length() {
      return length;
    },
  };
}
