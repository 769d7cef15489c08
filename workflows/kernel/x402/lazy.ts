import type * as Authorization from './authorization.ts';

let loaded: Promise<typeof Authorization> | undefined;

/** Loads the library of chains, with the first payment and never before. */
export function authorizations(): Promise<typeof Authorization> {
  loaded ??= import('./authorization.ts');
  return loaded;
}
