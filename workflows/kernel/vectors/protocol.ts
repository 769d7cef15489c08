/** Messages between the hub and its vector worker; numbers of notes are whole. */
export interface VectorHit {
  /** Number of the note. */
  readonly no: number;
  /** The change of its space that gave it this embedding. */
  readonly changed: number;
  /** Cosine distance, 0 to 2. */
  readonly distance: number;
}

export type VectorTask =
  /** Takes a page of changes into the block of a space. */
  | {
      readonly is: 'take';
      readonly space: number;
      readonly rows: string;
      readonly dimensions: number;
    }
  | {
      readonly is: 'search';
      readonly space: number;
      readonly query: Float32Array;
      readonly k: number;
      readonly among?: readonly number[];
    }
  /** Searches a page that is kept nowhere. */
  | {
      readonly is: 'scan';
      readonly rows: string;
      readonly query: Float32Array;
      readonly k: number;
      readonly among?: readonly number[];
    }
  | { readonly is: 'drop'; readonly space: number };

export interface VectorAnswer {
  readonly hits: readonly VectorHit[];
  /** Bytes that the block of the space takes now. */
  readonly bytes: number;
}

/** The nearest first; of equals the newer. */
export function nearestFirst(a: VectorHit, b: VectorHit): number {
  return a.distance - b.distance || b.changed - a.changed;
}
