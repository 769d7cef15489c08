declare const brand: unique symbol;

/**
 * A primitive that only its own parser can make: two strings in one signature are the usual bug.
 */
export type Brand<T, Name extends string> = T & { readonly [brand]: Name };
