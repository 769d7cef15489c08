/** What a document says of a word: nine bits (`termWeight.ts`); with the word above them, 32. */
export const SAID_BITS = 9;
export const SAID_MASK = (1 << SAID_BITS) - 1;
/** Words that can stand above them. */
export const TERMS_MAX = 2 ** (32 - SAID_BITS);
