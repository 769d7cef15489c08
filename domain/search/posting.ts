/** The bits of a posting for one word (`termWeight.ts`): nine; with the word above them, 32. */
export const SAID_BITS = 9;
export const SAID_MASK = (1 << SAID_BITS) - 1;
/** Words that can stand above them. */
export const TERMS_MAX = 2 ** (32 - SAID_BITS);
