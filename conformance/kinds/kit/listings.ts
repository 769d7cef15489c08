import { NotAsked } from './notAsked.ts';

/** Stands in for `registry/_index.ts` in the packed suite, which can put nothing into an index. */
export function listing(): never {
  throw new NotAsked('inside');
}

export const fill = listing;
