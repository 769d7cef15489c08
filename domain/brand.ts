declare const brand: unique symbol;

/** A primitive that only its own parser makes, so no string passes for another by mistake. */
export type Brand<T, Name extends string> = T & { readonly [brand]: Name };
