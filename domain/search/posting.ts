/** The bits of a posting for one word (`termWeight.ts`): nine; with the word above them, 32. */
export const WEIGHT_BITS = 9;
export const WEIGHT_MASK = (1 << WEIGHT_BITS) - 1;
/** Words that can stand above them. */
export const TERMS_MAX = 2 ** (32 - WEIGHT_BITS);
