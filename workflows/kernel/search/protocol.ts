import type { FindRequest, Found } from '../../../domain/search/found.ts';
import type { WrittenState } from './stateFile.ts';

/** Messages between the hub and its search worker. */
export type SearchTask =
  /** Takes a page of changes: JSON of `IndexRow`. */
  | { readonly is: 'take'; readonly rows: string }
  | { readonly is: 'find'; readonly requests: readonly FindRequest[] }
  /** Writes the index into a new file. */
  | { readonly is: 'save'; readonly path: string }
  /** Replaces the index by the one of a file with that digest. */
  | { readonly is: 'restore'; readonly path: string; readonly sha256: string };

export interface SearchAnswer {
  /** The results of each request. */
  readonly found: readonly (readonly Found[])[];
  readonly documents: number;
  readonly saved?: WrittenState;
}
