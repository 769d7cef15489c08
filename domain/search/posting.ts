/** A posting: the document above, the nine bits that it says of the word below (`termWeight.ts`). */
export const SAID_BITS = 9;
export const SAID = 1 << SAID_BITS;
/** Documents that a posting can name. */
export const DOCUMENTS_MAX = 2 ** (32 - SAID_BITS);
