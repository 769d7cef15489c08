import type { FindRequest, Found } from '../../../domain/search/found.ts';

/** Messages between the hub and its search worker. */
export type SearchTask =
  /** Takes a page of changes: JSON of `IndexRow`. */
  | { readonly is: 'take'; readonly rows: string }
  | { readonly is: 'find'; readonly requests: readonly FindRequest[] };

export interface SearchAnswer {
  /** Of each request what it found. */
  readonly found: readonly (readonly Found[])[];
  /** Documents of the index now. */
  readonly documents: number;
}
